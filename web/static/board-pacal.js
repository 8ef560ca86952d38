// The board of Pacal's Rocket as the companion understands it.

import { fill, letter, svg } from "./dom.js";
import { drawGround, U } from "./ground-pacal.js";
import { markedFlights } from "./moves.js";
import { pyramid, ship, stones, text } from "./pieces-pacal.js";

/** Draw, or bring up to date, the board of the page's snapshot. */
export function showBoard(container, page) {
  const { snapshot, selected, changed } = page;
  fill(container, ["pacal", snapshot.board], () => {
    const { columns, rows } = snapshot.board;
    const margin = U * 0.5;
    return svg("svg", {
      class: "pacal", role: "group", "aria-label": "The board, square by square",
      viewBox: `${-margin} ${-margin} ${columns * U + 2 * margin} ${rows * U + 2 * margin}`,
    }, drawGround(snapshot.board), ["labels", "changed", "joined", "pieces", "marks"].map((name) => svg("g", { class: name })));
  });
  const layer = (name) => container.querySelector(`svg > .${name}`);
  const { view, outlook, status } = snapshot;
  const flights = markedFlights(page);
  const build = selected?.kind === "build" ? selected.entry : null;
  fill(layer("labels"), [view, snapshot.board, outlook.majorities], () => labels(snapshot.board, view, outlook.majorities ?? {}));
  fill(layer("changed"), changed, () => changed.map((name) => at(name, svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 8 }))));
  fill(layer("pieces"), [view, snapshot.to_act], () => pieces(view, snapshot.to_act));
  fill(layer("joined"), build, () => (build ? joined(build) : []));
  fill(layer("marks"), [flights, selected, status.squares, snapshot.to_act], () => [
    build ? constellation(build, snapshot.to_act) : flightMarks(page, flights),
    status.squares.filter(isSquare).map(doubtMark),
  ].flat());
}

const isSquare = (name) => /^[A-Z][1-9][0-9]?$/.test(name);

/** Column and row of a square, from 0. */
const position = (name) => [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];

function at(name, ...children) {
  const [column, row] = position(name);
  return svg("g", { transform: `translate(${column * U} ${row * U})` }, children);
}

function pieces(view, acting) {
  const ships = Object.entries(view.ships).filter(([, name]) => name !== null);
  const hidden = new Set(ships.map(([, name]) => name));
  return [
    ...Object.entries(view.stones).filter(([name]) => !hidden.has(name)).map(([name, owners]) => at(name,
      title(name, `stones of ${Object.keys(owners).join(", ")}`), stones(Object.entries(owners).flatMap(([colour, count]) => Array(count).fill(colour)).slice(0, 5)))),
    ...Object.entries(view.pyramids).map(([name, { colour, floors }]) => at(name,
      title(name, `${colour} pyramid, ${floors} floors`), pyramid(colour, floors))),
    ...ships.map(([colour, name]) => at(name,
      title(name, `${colour} ship`), ship(colour, colour === acting && view.phase !== "over"))),
  ];
}

const title = (name, words) => svg("title", {}, `${name}: ${words}`);

/** The squares of each district that are in play. */
function districts(board) {
  const squares = new Map();
  board.districts.forEach((line, row) => [...line].forEach((district, column) => {
    if (!(district in board.values)) return;
    const name = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (!board.covered.includes(name)) squares.set(district, [...(squares.get(district) ?? []), name]);
  }));
  return squares;
}

/** The value of each district and a pennant for who leads there, on its first square from the middle that is free. */
function labels(board, view, majorities) {
  const taken = new Set([...Object.keys(view.stones), ...Object.keys(view.pyramids), ...Object.values(view.ships)]);
  return [...districts(board)].map(([district, names]) => {
    const ordered = fromMiddle(names);
    const name = ordered.find((square) => !taken.has(square)) ?? ordered[0];
    const majority = majorities[district];
    const pennant = majority && Object.keys(majority.floors).length > 0;
    return at(name, text(pennant ? 28 : 50, 69, 54, String(board.values[district]), "value"),
      pennant && leaderMark(district, majority.leader));
  });
}

/** Squares, those nearest to their common middle first. */
function fromMiddle(names) {
  const spots = names.map((name) => [name, ...position(name)]);
  const middle = (i) => spots.reduce((sum, spot) => sum + spot[i], 0) / spots.length;
  const [x, y] = [middle(1), middle(2)];
  const distance = ([, column, row]) => (column - x) ** 2 + (row - y) ** 2;
  return spots.sort((a, b) => distance(a) - distance(b)).map(([name]) => name);
}

function leaderMark(district, leader) {
  return svg("g", { class: `pennant ${leader ? `c-${leader}` : "is-tied"}` },
    svg("title", {}, leader ? `${leader} leads in district ${district}` : `tied in district ${district}`),
    svg("path", { d: "M49 26H93V80L71 68 49 80Z" }),
    text(71, 60, 32, leader ? letter(leader) : "=", "on-colour"));
}

function flightMarks(page, flights) {
  const best = new Map();
  for (const entry of flights) {
    if ((best.get(entry.to)?.stones ?? -1) < entry.stones) best.set(entry.to, entry);
  }
  return [...best.values()].map((entry) => {
    const chosen = page.selected?.kind === "flight" && page.selected.entry.to === entry.to;
    const go = () => page.select("flight", entry);
    return at(entry.to, svg("g", {
      class: `flight c-${page.snapshot.to_act}${chosen ? " is-chosen" : ""}`, role: "button", tabindex: 0,
      "aria-label": entry.text, "aria-pressed": String(chosen), "data-key": `fly-${entry.to}`,
      on: { click: go, keydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), go()) },
    },
    svg("rect", { class: "touch", x: 0, y: 0, width: U, height: U }),
    svg("path", { class: "brackets-under", d: BRACKETS }), svg("path", { class: "brackets", d: BRACKETS }),
    svg("g", { class: "count" }, Array.from({ length: entry.stones }, (_, i) => {
      const x = 50 + (i - (entry.stones - 1) / 2) * 26;
      return svg("polygon", { points: `${x},3 ${x + 10},20 ${x - 10},20` });
    }))));
  });
}

const BRACKETS = "M8 30V8H30M70 8H92V30M92 70V92H70M30 92H8V70";

/** The line or the square that the constellation of a build makes. */
function joined(entry) {
  const spots = entry.uses.map((name) => position(name).map((n) => (n + 0.5) * U));
  const points = inOrder(spots).map((spot) => spot.join(",")).join(" ");
  return ["line-under", "line"].map((name) => svg(inLine(spots) ? "polyline" : "polygon", { class: name, points }));
}

/** The squares of a build, and the new pyramid where it would stand. */
function constellation(entry, colour) {
  return [
    ...entry.uses.map((name) => at(name, svg("g", { class: "used", "data-square": name },
      svg("rect", { class: "used-under", x: 4, y: 4, width: 92, height: 92, rx: 10 }),
      svg("rect", { class: "used-over", x: 4, y: 4, width: 92, height: 92, rx: 10 })))),
    at(entry.at, pyramid(colour, entry.floors, true)),
  ];
}

/** Whether the spots lie in one line; four that do not are the corners of a square. */
function inLine(spots) {
  if (spots.length < 3) return true;
  const [[x0, y0], [x1, y1], ...rest] = spots;
  return rest.every(([x, y]) => (x1 - x0) * (y - y0) === (y1 - y0) * (x - x0));
}

/** Spots in the order in which a line goes through them, or round a square. */
function inOrder(spots) {
  if (inLine(spots)) return [...spots].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const [x, y] = [0, 1].map((i) => spots.reduce((sum, spot) => sum + spot[i], 0) / spots.length);
  const angle = ([a, b]) => Math.atan2(b - y, a - x);
  return [...spots].sort((a, b) => angle(a) - angle(b));
}

function doubtMark(name) {
  return at(name, svg("g", { class: "in-doubt", "data-square": name },
    svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 8 }),
    svg("circle", { cx: 84, cy: 16, r: 17 }), text(84, 25, 26, "?", "doubt-sign")));
}
