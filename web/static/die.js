// The special die: 2, 3, 4, 5 or arrows.

import { svg } from "./dom.js";

const PIPS = {
  2: [[30, 30], [70, 70]],
  3: [[27, 27], [50, 50], [73, 73]],
  4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]],
};
const ARROWS = "M50 12 64 30H55V45H70V36L88 50 70 64V55H55V70H64L50 88 36 70H45V55H30V64L12 50 30 36V45H45V30H36Z";

/** The face of the die as a picture; null shows that it has not been rolled. */
export function dieFace(face) {
  const name = face === null ? "not rolled yet" : `the die shows ${face}`;
  return svg("svg", { viewBox: "0 0 100 100", class: `die${face === null ? " is-open" : ""}`, role: "img", "aria-label": name },
    svg("rect", { class: "die-body", x: 4, y: 4, width: 92, height: 92, rx: 20 }),
    content(face));
}

function content(face) {
  if (face === null) return svg("text", { class: "die-text", x: 50, y: 68, "text-anchor": "middle" }, "?");
  if (face === "arrows") return svg("path", { class: "die-ink", d: ARROWS });
  const pips = PIPS[face];
  if (pips === undefined) return svg("text", { class: "die-text", x: 50, y: 68, "text-anchor": "middle" }, String(face));
  return pips.map(([cx, cy]) => svg("circle", { class: "die-ink", cx, cy, r: 9.5 }));
}
