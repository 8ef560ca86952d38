// Pacal's Rocket for the page: what is its own about scores, supply and setting up.

import { showBoard } from "./board-pacal.js";
import { h } from "./dom.js";

export const pacal = {
  id: "pacal",
  title: "Pacal’s Rocket",
  colours: ["red", "yellow", "green", "blue", "purple"],
  players: [2, 5],
  /** Options of a new game: a switch is on or off, a number may be left empty. `usual` is not sent. */
  options: [
    { key: "master", kind: "switch", usual: false, text: "Master variant: new pyramids from stones alone" },
    { key: "diagonal_lines", kind: "switch", usual: true, text: "Diagonal lines count" },
    { key: "empty_gaps", kind: "switch", usual: false, text: "Gaps must be empty" },
    { key: "tilted_squares", kind: "switch", usual: false, text: "Squares may stand on a corner" },
    { key: "two_player_rotation", kind: "switch", usual: false, text: "Two players: the first player changes each round" },
    { key: "target", kind: "number", min: 5, max: 200, text: "Points that end the game" },
  ],
  /** The parts of a score in the order in which they are counted. */
  scoring: [["track", "Track"], ["water", "Water"], ["districts", "Districts"], ["gods", "God stones"]],
  die: (view) => view.roll,
  /** What is to do before the first round. */
  before: (view) => (view.phase === "place" ? "Place the ship in the sacred district" : null),
  show: showBoard,
  places,
  supply,
};

/** What stands on each square, as text that can be compared. */
function places(view) {
  const what = {};
  for (const [name, stones] of Object.entries(view.stones)) what[name] = JSON.stringify(stones);
  for (const [name, pyramid] of Object.entries(view.pyramids)) what[name] = JSON.stringify(pyramid);
  for (const [colour, name] of Object.entries(view.ships)) if (name !== null) what[name] = `ship ${colour}`;
  return what;
}

/** A player's supply in one line: stones, pyramids, god stones. */
function supply(view, colour) {
  const { stones, pyramids, gods } = view.supply[colour];
  const left = pyramids.reduce((sum, count) => sum + count, 0);
  const words = pyramids.map((count, i) => `${count} of ${i + 1}`).join(", ");
  return [
    h("span", { class: "have", title: "energy stones left" }, h("i", { class: `stone-sign c-${colour}`, "aria-hidden": "true" }),
      h("span", { class: "hear" }, "stones "), String(stones)),
    h("span", { class: "have", title: `pyramids left by floors: ${words}` },
      h("i", { class: `pyramid-sign c-${colour}`, "aria-hidden": "true" }),
      h("span", { class: "hear" }, "pyramids "), String(left)),
    h("span", { class: "have", title: "god stones left" }, h("i", { class: "god-sign", "aria-hidden": "true" }),
      h("span", { class: "hear" }, "god stones "), gods.length ? gods.join(" ") : "–"),
  ];
}
