// The score table: points now, as if the game ended now, and what each player still has.

import { disc, fill, h, capital } from "./dom.js";

export function showScores(panel, page, game) {
  const { snapshot, scoreParts } = page;
  panel.hidden = game === null || !snapshot.score || !snapshot.view;
  if (panel.hidden) return;
  const supplies = snapshot.view.supply;
  fill(panel, ["scores", snapshot.players, snapshot.score, supplies, snapshot.to_act, scoreParts], () => [
    h("h2", { class: "hear" }, "Scores"),
    h("table", {},
      h("thead", {}, head(page, game)),
      h("tbody", {}, snapshot.players.map((colour) => row(page, game, colour)))),
  ]);
}

/** The heads of the columns; the last is the switch that shows the parts of the totals. */
function head(page, game) {
  const { scoreParts } = page;
  return h("tr", {},
    h("th", { scope: "col", class: "player" }, "Player"),
    scoreParts
      ? game.scoring.map(([, name]) => h("th", { scope: "col" }, name))
      : [h("th", { scope: "col" }, "Points"), h("th", { scope: "col", class: "supply" }, "Supply")],
    h("th", { scope: "col" }, h("button", {
      type: "button", class: "quiet", "data-key": "parts", "aria-pressed": String(scoreParts),
      on: { click: () => page.set({ scoreParts: !scoreParts }) },
    }, "If it ended now")));
}

function row(page, game, colour) {
  const { snapshot, scoreParts } = page;
  const score = snapshot.score.players[colour];
  const acting = colour === snapshot.to_act;
  const ahead = snapshot.score.leaders.includes(colour);
  return h("tr", { class: acting ? "is-acting" : "" },
    h("th", { scope: "row", class: "player" }, h("span", { class: "name" }, disc(colour), capital(colour))),
    scoreParts
      ? game.scoring.map(([part]) => h("td", {}, String(score[part])))
      : [h("td", { class: "points" }, String(score.track)), h("td", { class: "supply" }, game.supply(snapshot.view, colour))],
    h("td", { class: `total${ahead ? " is-ahead" : ""}` }, String(score.total),
      ahead && h("span", { class: "hear" }, " (ahead)")));
}
