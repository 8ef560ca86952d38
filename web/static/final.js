// The end of a game: the final scoring, part by part, and who has won.

import { disc, fill, h, capital } from "./dom.js";

export function showFinal(panel, page, game) {
  const { snapshot } = page;
  const { leaders, players: scores } = snapshot.score;
  panel.hidden = false;
  fill(panel, ["final", snapshot.players, snapshot.score], () => [
    h("div", { class: "winners" }, leaders.map((colour) => disc(colour, "huge")),
      h("h2", {}, leaders.length === 1 ? `${capital(leaders[0])} has won` : `${list(leaders)} win together`)),
    h("table", { class: "final" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hear" }, "Part")),
        snapshot.players.map((colour) => h("th", { scope: "col" }, disc(colour), h("span", { class: "hear" }, capital(colour)))))),
      h("tbody", {}, game.scoring.map(([part, name]) => h("tr", {}, h("th", { scope: "row" }, name),
        snapshot.players.map((colour) => h("td", {}, String(scores[colour][part])))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "Total"),
        snapshot.players.map((colour) => h("td", { class: leaders.includes(colour) ? "is-ahead" : "" },
          String(scores[colour].total)))))),
  ]);
}

function list(colours) {
  const names = colours.map(capital);
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
