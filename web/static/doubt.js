// The companion asks: what it saw and the possible explanations, as big buttons for the operator.

import { capital, fill, h } from "./dom.js";

export function showDoubt(panel, page) {
  const { status, version } = page.snapshot;
  const right = page.operator.right;
  panel.hidden = false;
  fill(panel, ["doubt", status, version, right], () => h("div", { class: "doubt" },
    h("h2", {}, capital(status.text)),
    status.squares.length > 0 && h("p", { class: "where" }, `Look at ${status.squares.join(", ")}.`),
    status.choices.length > 0 && (right
      ? h("div", { class: "choices" }, status.choices.map((choice) => h("button", {
        type: "button", class: "main choice", "data-key": choice.id,
        on: { click: () => page.operator.send({ do: "choose", choice: choice.id, version }, page) },
      }, capital(choice.text))))
      : [h("p", {}, "What happened?"), h("ul", { class: "possible" }, status.choices.map((choice) => h("li", {}, capital(choice.text))))])));
}
