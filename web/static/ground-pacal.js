// What is printed on a board of Pacal's Rocket: squares, districts, lake, banks, covers, coordinates.

import { svg } from "./dom.js";
import { text } from "./pieces-pacal.js";

/** Side of a square in the drawing's units. */
export const U = 100;

const LAKE = "~";
const NOTHING = ".";

export function drawGround(board) {
  const { columns, rows } = board;
  return svg("g", { class: "ground", "aria-hidden": "true" },
    patterns(),
    svg("rect", { class: "frame", x: -U / 2, y: -U / 2, width: (columns + 1) * U, height: (rows + 1) * U, rx: 22 }),
    svg("rect", { class: "void", x: 0, y: 0, width: columns * U, height: rows * U }),
    everySquare(board, (letter, column, row) => square(board, letter, column, row)),
    svg("path", { class: "borders", d: borders(board) }),
    coordinates(columns, rows));
}

function patterns() {
  return svg("defs", {},
    svg("pattern", { id: "hatch", width: 24, height: 24, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "hatch-ground", width: 24, height: 24 }), svg("rect", { class: "hatch-line", width: 9, height: 24 })),
    svg("pattern", { id: "waves", width: 50, height: 25, patternUnits: "userSpaceOnUse" },
      svg("path", { class: "wave", d: "M0 12q12.5-11 25 0t25 0" })));
}

function everySquare(board, draw) {
  return board.districts.flatMap((line, row) => [...line].map((letter, column) => draw(letter, column, row)).filter(Boolean));
}

function square(board, letter, column, row) {
  if (letter === NOTHING) return null;
  const place = { x: column * U, y: row * U, width: U, height: U };
  const name = `${String.fromCharCode(65 + column)}${row + 1}`;
  if (board.covered.includes(name)) return svg("rect", { class: "covered", fill: "url(#hatch)", ...place });
  if (letter === LAKE) return [svg("rect", { class: "lake", ...place }), svg("rect", { fill: "url(#waves)", ...place })];
  const bank = board.shore[row]?.[column] === "#";
  return [
    svg("rect", { class: `square worth-${board.values[letter]}`, "data-square": name, ...place }),
    bank && svg("rect", { class: "bank", ...place }),
    bank && svg("path", { class: "wave", transform: `translate(${place.x} ${place.y})`, d: "M6 90q11-11 22 0t22 0t22 0t22 0" }),
  ].filter(Boolean);
}

/** Lines between squares of different districts. */
function borders(board) {
  const letter = (column, row) => board.districts[row]?.[column] ?? NOTHING;
  const lines = [];
  for (let row = 0; row <= board.rows; row += 1) {
    for (let column = 0; column <= board.columns; column += 1) {
      const here = letter(column, row);
      if (here !== letter(column - 1, row)) lines.push(`M${column * U} ${row * U}v${U}`);
      if (here !== letter(column, row - 1)) lines.push(`M${column * U} ${row * U}h${U}`);
    }
  }
  return lines.join("");
}

function coordinates(columns, rows) {
  const range = (n) => Array.from({ length: n }, (_, i) => i);
  const middle = (i) => (i + 0.5) * U;
  return [
    ...range(columns).flatMap((i) => [-14, rows * U + 37].map((y) => text(middle(i), y, 32, String.fromCharCode(65 + i), "coordinate"))),
    ...range(rows).flatMap((i) => [-25, columns * U + 25].map((x) => text(x, middle(i) + 12, 32, String(i + 1), "coordinate"))),
  ];
}
