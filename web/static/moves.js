// What can be done now: flights and builds to touch, and for the operator to do by hand.

import { capital, fill, h } from "./dom.js";

export function showMoves(panel, page, over) {
  const { snapshot, selected, flying } = page;
  const { builds = [], flights = [], actions = [], todo = [] } = snapshot.outlook;
  const right = page.operator.right;
  // The die and the end of the turn have their buttons in the operator's bar.
  const others = right ? actions.filter((entry) => !["roll", "pass"].includes(entry.action.type)) : [];
  panel.hidden = over || builds.length + flights.length + others.length === 0;
  if (panel.hidden) return;
  fill(panel, [builds, flights, others, todo, selected, flying, right], () => [
    flights.length > 0 && showFlights(page, flights),
    builds.length > 0 && showBuilds(page, builds),
    others.length > 0 && h("div", { class: "others" }, h("h3", {}, "By hand"),
      h("ul", { class: "list", "data-scroll": "others" }, others.map((entry) => h("li", {}, h("button", {
        type: "button", "data-key": JSON.stringify(entry.action), on: { click: () => act(page, entry) },
      }, capital(entry.text)))))),
  ]);
}

function act(page, entry) {
  return page.operator.send({ do: "act", action: entry.action, version: page.snapshot.version }, page);
}

function showBuilds(page, builds) {
  const sorted = [...builds].sort((a, b) => (b.scores ?? 0) - (a.scores ?? 0) || b.floors - a.floors || compare(a.at, b.at));
  // Before the flight the list shows what the markers allow as they lie; it is not yet time to build.
  const now = page.snapshot.outlook.todo.some((step) => ["stones", "build"].includes(step.step) && step.state === "now");
  return h("div", { class: "builds" },
    h("h3", {}, builds.length === 1 ? "1 way to build" : `${builds.length} ways to build`, now ? "" : ", as the stones lie"),
    h("ul", { class: "list", "data-scroll": "builds" }, sorted.map((entry) => {
      const chosen = isSelected(page, entry);
      return h("li", { class: chosen ? "is-chosen" : "" },
        h("button", {
          type: "button", class: "build", title: entry.text, "aria-pressed": String(chosen), "data-key": JSON.stringify(entry.action),
          on: { click: () => page.select("build", entry) },
        },
        h("span", { class: `gain${entry.scores ? " scores" : ""}` }, entry.scores ? `+${entry.scores}` : "0"),
        h("span", { class: "what" }, ...inWords(entry))),
        chosen && now && byHand(page, entry, "Do this by hand"));
    })));
}

/** A build in a few words: the new pyramid, and the other squares of its constellation. */
function inWords(entry) {
  const others = entry.uses.filter((name) => name !== entry.at);
  return [
    `${entry.floors} floor${entry.floors > 1 ? "s" : ""} on ${entry.at}${entry.kind === "upgrade" ? ", an upgrade" : ""} `,
    others.length > 0 ? h("span", { class: "with" }, `with ${others.join(", ")}`) : "",
  ];
}

const MODES = { straight: "Straight", turning: "Turning", arrows: "Arrows", god: "God stone", stranded: "Stranded" };

function showFlights(page, flights) {
  const byModes = new Map();
  for (const entry of flights) byModes.set(entry.mode, [...(byModes.get(entry.mode) ?? []), entry]);
  const hasGod = byModes.has("god") && byModes.size > 1;
  const chosen = page.selected?.kind === "flight" ? page.selected.entry : null;
  return h("div", { class: "flights" },
    h("div", { class: "head" },
      h("h3", {}, [...byModes].filter(([mode]) => mode !== "god").map(([mode, all]) => `${MODES[mode] ?? mode} ${squares(all)}`).join(" · ")
        || "Only a god stone flies"),
      hasGod && h("button", {
        type: "button", class: "quiet", "data-key": "god", "aria-pressed": String(page.flying === "god"),
        on: { click: () => page.set({ flying: page.flying === "god" ? "flight" : "god", selected: null }) },
      }, "With a god stone")),
    h("p", { class: "hint" }, chosen ? capital(chosen.text) : "Touch a marked square on the board to see the flight."),
    chosen && sameSquare(page, flights, chosen).map((entry) => byHand(page, entry, `Do this by hand: ${entry.text}`)));
}

const squares = (entries) => String(new Set(entries.map((entry) => entry.to)).size);

/** The flights to mark on the board: ordinary ones, or those of a god stone. */
export function markedFlights(page) {
  const flights = page.snapshot.outlook.flights ?? [];
  const ordinary = flights.filter((entry) => entry.mode !== "god");
  return page.flying === "god" || ordinary.length === 0 ? flights.filter((entry) => entry.mode === "god") : ordinary;
}

function sameSquare(page, flights, chosen) {
  return page.operator.right ? markedFlights(page).filter((entry) => entry.to === chosen.to) : [];
}

function byHand(page, entry, label) {
  return page.operator.right && h("button", {
    type: "button", class: "main by-hand", "data-key": `do-${JSON.stringify(entry.action)}`, on: { click: () => act(page, entry) },
  }, label);
}

const isSelected = (page, entry) => JSON.stringify(page.selected?.entry) === JSON.stringify(entry);

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
