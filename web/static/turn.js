// Whose turn it is, what is still to do in it, and the die.

import { dieFace } from "./die.js";
import { disc, fill, h, capital } from "./dom.js";

const MARKS = { done: "✓", now: "▸", open: "" };

export function showTurn(panel, page, game) {
  const { snapshot } = page;
  const todo = snapshot.outlook.todo ?? [];
  panel.hidden = game === null || snapshot.view === null || snapshot.status.kind === "over";
  if (panel.hidden) return;
  const face = game.die(snapshot.view);
  const now = todo.find((step) => step.state === "now")?.text ?? game.before(snapshot.view);
  const round = snapshot.view.round;
  fill(panel, [snapshot.to_act, now, todo, face, round, snapshot.outlook.end, snapshot.heard], () => [
    h("div", { class: "whose" },
      snapshot.to_act && disc(snapshot.to_act, "large"),
      h("div", { class: "who" },
        h("h2", {}, snapshot.to_act ? `${capital(snapshot.to_act)}’s turn` : "Getting ready"),
        now && h("p", { class: "now" }, capital(now))),
      dieFace(face)),
    todo.length > 0 && h("ol", { class: "todo", "aria-label": "Still to do" },
      todo.map((step) => h("li", { class: `chip is-${step.state}`, "aria-current": step.state === "now" ? "step" : null },
        MARKS[step.state] && h("span", { "aria-hidden": "true" }, `${MARKS[step.state]} `), capital(step.step)))),
    h("p", { class: "near" }, round ? `Round ${round}. ` : "", capital(snapshot.outlook.end ?? "")),
    snapshot.heard > 0 && h("p", { class: "heard" }, `${snapshot.heard} energy stone${snapshot.heard > 1 ? "s" : ""} heard`),
  ]);
}
