// The pieces of Pacal's Rocket, each drawn in a square of 100 units. A colour always comes with its letter.

import { letter, svg } from "./dom.js";

/** A ship: a tube seen from above. */
export function ship(colour, acting = false) {
  return svg("g", { class: `piece c-${colour}` },
    acting && svg("circle", { class: "halo", cx: 50, cy: 50, r: 48 }),
    svg("circle", { class: "rim", cx: 50, cy: 50, r: 42 }),
    svg("circle", { class: "body", cx: 50, cy: 50, r: 39 }),
    svg("circle", { class: "tube", cx: 50, cy: 50, r: 24 }),
    text(50, 63, 36, letter(colour), "tube-letter"));
}

/** A pyramid: as many steps as floors, the number on top, the letter beside it. */
export function pyramid(colour, floors, ghost = false) {
  const steps = Array.from({ length: floors }, (_, i) => {
    const size = 80 - i * 9;
    return svg("rect", { class: "step", x: 50 - size / 2, y: 50 - size / 2, width: size, height: size, rx: 3 });
  });
  return svg("g", { class: `piece c-${colour}${ghost ? " ghost" : ""}` },
    svg("rect", { class: "rim", x: 7, y: 7, width: 86, height: 86, rx: 5 }), steps,
    text(50, 64, 40, String(floors), "on-colour"),
    svg("circle", { class: "tag", cx: 83, cy: 83, r: 15 }),
    text(83, 91, 22, letter(colour), "tag-letter"));
}

const LAYOUTS = {
  1: [[50, 52, 72]],
  2: [[29, 50, 54], [71, 50, 54]],
  3: [[50, 27, 48], [27, 72, 48], [73, 72, 48]],
  4: [[27, 28, 48], [73, 28, 48], [27, 74, 48], [73, 74, 48]],
  5: [[22, 27, 42], [78, 27, 42], [50, 52, 42], [22, 78, 42], [78, 78, 42]],
};

/** Energy stones: triangles side by side. */
export function stones(colours) {
  return svg("g", { class: "piece" }, colours.map((colour, i) => {
    const [x, y, size] = LAYOUTS[colours.length][i];
    const height = size * 0.87;
    const points = `${x},${y - height / 2} ${x + size / 2},${y + height / 2} ${x - size / 2},${y + height / 2}`;
    return svg("g", { class: `stone c-${colour}` }, svg("polygon", { points }),
      text(x, y + height * 0.37, size * 0.46, letter(colour), "on-colour"));
  }));
}

export function text(x, y, size, words, name) {
  return svg("text", { class: name, x, y, "font-size": size, "text-anchor": "middle" }, words);
}
