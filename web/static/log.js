// What just happened, the newest first.

import { capital, disc, fill, h } from "./dom.js";

const LINES = 30;

export function showLog(panel, snapshot) {
  const lines = snapshot.log.slice(-LINES).reverse();
  panel.hidden = lines.length === 0;
  fill(panel, lines, () => [
    h("h2", { class: "hear" }, "What happened"),
    h("ol", { "data-scroll": "log" }, lines.map((line) => h("li", {},
      line.player ? disc(line.player, "small") : h("span", { class: "disc small is-none", "aria-hidden": "true" }),
      h("span", { class: "what" }, capital(line.text)),
      line.points ? h("b", { class: "gain scores" }, `+${line.points}`) : null))),
  ]);
}
