// The page: takes each snapshot and shows it in the panels.

import { showCamera } from "./camera.js";
import { capital, fill, h } from "./dom.js";
import { showDoubt } from "./doubt.js";
import { showFinal } from "./final.js";
import { games } from "./games.js";
import { showLog } from "./log.js";
import { showMoves } from "./moves.js";
import { showNewGame } from "./newgame.js";
import { Operator } from "./operator.js";
import { showScores } from "./scores.js";
import { Connection } from "./stream.js";
import { showTurn } from "./turn.js";

const parts = Object.fromEntries(
  ["title", "status", "camera", "connection", "board", "side", "turn", "scores", "moves", "log", "operator", "notice"]
    .map((id) => [id, document.getElementById(id)]),
);
const page = {
  snapshot: null,
  /** The places that changed last. */
  changed: [],
  /** What was touched: {kind: "build" | "flight", entry}, or null. */
  selected: null,
  /** Which ways of flying are marked on the board. */
  flying: "flight",
  /** Whether the score shows its parts. */
  scoreParts: false,
  camera: false,
  operator: new Operator(() => show(), notify),
  select(kind, entry) {
    page.selected = same(page.selected?.entry, entry) ? null : { kind, entry };
    show();
  },
  set(values) {
    Object.assign(page, values);
    show();
  },
};

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function take(snapshot) {
  const game = games[snapshot.game];
  const before = page.snapshot;
  if (game && before?.game === snapshot.game && before.view && snapshot.view) {
    const changed = changedPlaces(game.places(before.view), game.places(snapshot.view));
    if (changed.length) page.changed = changed;
  } else {
    page.changed = [];
  }
  page.snapshot = snapshot;
  page.selected = stillThere(page.selected, snapshot.outlook);
  if (!snapshot.outlook.flights?.length) page.flying = "flight";
  show();
}

function changedPlaces(before, now) {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}

function stillThere(selected, outlook) {
  if (selected === null) return null;
  const entries = (selected.kind === "build" ? outlook.builds : outlook.flights) ?? [];
  return entries.some((entry) => same(entry, selected.entry)) ? selected : null;
}

function show() {
  const { snapshot } = page;
  if (snapshot === null) return;
  const game = games[snapshot.game] ?? null;
  document.title = snapshot.title;
  parts.title.textContent = snapshot.title;
  parts.status.textContent = capital(snapshot.status.text);
  parts.status.className = `status is-${snapshot.status.kind}`;
  showCamera(parts.camera, page);
  showBoard(game);
  const over = snapshot.status.kind === "over" && game !== null;
  const asking = snapshot.status.kind === "doubt";
  parts.side.classList.toggle("is-asking", asking);
  if (over) showFinal(parts.scores, page, game);
  else showScores(parts.scores, page, game);
  showTurn(parts.turn, page, game);
  if (asking) showDoubt(parts.moves, page);
  else if (game === null) showNewGame(parts.moves, page);
  else showMoves(parts.moves, page, over);
  showLog(parts.log, snapshot);
  page.operator.show(parts.operator, page);
}

function showBoard(game) {
  if (page.camera) return;
  if (game !== null && page.snapshot.board && page.snapshot.view) game.show(parts.board, page);
  else fill(parts.board, "welcome", () => h("img", { class: "welcome", src: "/static/icon.svg", alt: "" }));
}

function notify(sentence) {
  parts.notice.textContent = sentence;
  parts.notice.hidden = false;
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => (parts.notice.hidden = true), 8000);
}

const states = {
  live: "",
  polling: "",
  lost: "Not connected: what you see may be old.",
};

function connected(state) {
  parts.connection.textContent = states[state];
  parts.connection.hidden = states[state] === "";
  document.body.dataset.connection = state;
}

page.connection = new Connection(document.body.dataset.run, take, connected);
page.connection.start();
page.operator.ask();
document.body.dataset.started = "";
