// What only the operator may do: the right to it, sending, and the bar at the foot of the page.

import { fill, h } from "./dom.js";
import { dieFace } from "./die.js";
import { openNewGame } from "./newgame.js";
import { within } from "./patience.js";

export class Operator {
  constructor(onChange, notify) {
    this.right = false;
    this.busy = false;
    this.onChange = onChange;
    this.notify = notify;
  }

  /** Ask the server whether this browser has the right. */
  async ask() {
    try {
      const answer = await fetch("/right");
      this.right = answer.ok && (await answer.json()).operator === true;
    } catch {
      this.right = false; // The connection's own notice says that the server is away.
    }
    document.getElementById("operator-link").hidden = this.right;
    this.onChange();
  }

  /** Send a command; `say` is told in a sentence what is wrong with it. Returns whether it was carried out. */
  async send(command, page, say = this.notify) {
    if (this.busy) return false;
    this.busy = true;
    try {
      const answer = await fetch("/do", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(command),
        signal: within(20000),
      });
      const body = await answer.json();
      if (answer.ok) page.connection.take(body);
      else say(body.error);
      if (answer.status === 403) await this.ask();
      return answer.ok;
    } catch {
      say("The table did not answer. Look whether it has happened before you try again.");
      return false;
    } finally {
      this.busy = false;
    }
  }

  show(bar, page) {
    const { snapshot } = page;
    bar.hidden = !this.right || snapshot.game === null;
    const actions = snapshot.outlook.actions ?? [];
    fill(bar, [this.right, snapshot.version, actions, snapshot.can_undo], () => (this.right ? this.buttons(page, actions) : []));
  }

  buttons(page, actions) {
    const { snapshot } = page;
    const act = (entry) => () => this.send({ do: "act", action: entry.action, version: snapshot.version }, page);
    const rolls = actions.filter((entry) => entry.action.type === "roll");
    return [
      h("button", {
        type: "button", "data-key": "undo", disabled: !snapshot.can_undo,
        on: { click: () => this.send({ do: "undo", version: snapshot.version }, page) },
      }, "Undo"),
      rolls.length > 0 && h("div", { class: "dice", role: "group", "aria-label": "The die shows" },
        h("span", { class: "label" }, "Rolled:"),
        rolls.map((entry) => h("button", {
          type: "button", class: "die-button", "aria-label": entry.text, title: entry.text,
          "data-key": `roll-${entry.action.face}`, on: { click: act(entry) },
        }, dieFace(entry.action.face)))),
      h("span", { class: "gap" }),
      snapshot.status.kind !== "over" && h("button", {
        type: "button", "data-key": "done", class: "main",
        on: { click: () => this.send({ do: "press", button: "done" }, page) },
      }, "Done: end the turn"),
      h("button", { type: "button", "data-key": "new", on: { click: () => openNewGame(page) } }, "New game"),
    ];
  }
}
