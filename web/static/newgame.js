// Starting a game: colours tapped in the order of play, options as switches.

import { disc, fill, h, capital } from "./dom.js";
import { games } from "./games.js";

/** No game is on: the form for the operator, a sentence for everybody else. */
export function showNewGame(panel, page) {
  panel.hidden = false;
  fill(panel, ["new game", page.operator.right], () => (page.operator.right
    ? form(page, () => {})
    : h("div", { class: "welcome-words" }, h("h2", {}, "No game yet"),
      h("p", {}, "The operator of this table starts one; the page then follows it by itself."))));
}

/** The same form over a game that is on. */
export function openNewGame(page) {
  const dialog = document.getElementById("new-game");
  dialog.replaceChildren(
    form(page, () => dialog.close()),
    h("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, "Keep the game that is on"),
  );
  dialog.showModal();
}

function form(page, onStarted) {
  const game = Object.values(games)[0];
  const order = [];
  const hint = h("p", { class: "hint", role: "status" });
  const start = h("button", { type: "submit", class: "main" }, "Start the game");
  const colours = game.colours.map((colour) => h("button", {
    type: "button", class: "colour", "data-colour": colour, on: { click: () => tap(colour) },
  }));
  const options = game.options.map((option) => [option, input(option)]);

  function tap(colour) {
    const at = order.indexOf(colour);
    if (at >= 0) order.splice(at, 1);
    else if (order.length < game.players[1]) order.push(colour);
    update();
  }

  function update() {
    colours.forEach((button) => {
      const place = order.indexOf(button.dataset.colour);
      button.setAttribute("aria-pressed", String(place >= 0));
      button.replaceChildren(disc(button.dataset.colour, "large"), capital(button.dataset.colour),
        h("b", { class: "place" }, place >= 0 ? String(place + 1) : ""));
    });
    start.disabled = order.length < game.players[0];
    hint.textContent = start.disabled ? "Tap the colours in the order of play." : `${capital(order[0])} begins.`;
  }

  async function submit(event) {
    event.preventDefault();
    const command = { do: "new", game: game.id, players: order, options: chosen(options) };
    if (await page.operator.send(command, page, (sentence) => (hint.textContent = sentence))) onStarted();
  }

  update();
  return h("form", { class: "new-game-form", on: { submit } },
    h("h2", {}, `New game of ${game.title}`), hint,
    h("div", { class: "colours" }, colours),
    h("details", {}, h("summary", {}, "Options"), options.map(([option, field]) => h("label", { class: "option" }, field, h("span", {}, option.text)))),
    start);
}

function input(option) {
  return option.kind === "switch"
    ? h("input", { type: "checkbox", role: "switch", checked: option.usual })
    : h("input", { type: "number", min: option.min, max: option.max, inputmode: "numeric", placeholder: "as usual" });
}

/** Only what differs from the usual. */
function chosen(options) {
  const values = {};
  for (const [option, field] of options) {
    if (option.kind === "switch" && field.checked !== option.usual) values[option.key] = field.checked;
    if (option.kind === "number" && field.value !== "") values[option.key] = Number(field.value);
  }
  return values;
}
