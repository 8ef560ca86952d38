// Elements from values. Text is always set as text, never parsed.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. attributes: null, undefined and false leave one out; `on` maps events to listeners. */
export function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const shown = new WeakMap();

/**
 * Fill a container anew when what it shows has changed, and only then; the focus stays on the same thing.
 * basis: everything that `build` draws from.
 */
export function fill(container, basis, build) {
  const key = JSON.stringify(basis) ?? "";
  if (shown.get(container) === key) return;
  shown.set(container, key);
  const focused = container.contains(document.activeElement) ? document.activeElement.getAttribute("data-key") : null;
  const places = new Map([...container.querySelectorAll("[data-scroll]")].map((e) => [e.dataset.scroll, e.scrollTop]));
  container.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  for (const element of container.querySelectorAll("[data-scroll]")) {
    element.scrollTop = places.get(element.dataset.scroll) ?? 0;
  }
  if (focused !== null) container.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** The letter that stands for a colour wherever the colour itself is used. */
export const letter = (colour) => colour.slice(0, 1).toUpperCase();

/** A colour or a sentence with a capital letter. */
export const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);

/** A disc in a player's colour with its letter. */
export function disc(colour, size = "") {
  return h("span", { class: `disc c-${colour} ${size}`, "aria-hidden": "true" }, letter(colour));
}
