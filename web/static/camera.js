// The last picture of the camera in place of the board.

import { fill, h } from "./dom.js";

const AGAIN_MS = 3000;

export function showCamera(button, page) {
  button.hidden = !page.snapshot.has_picture;
  if (button.hidden) page.camera = false;
  button.setAttribute("aria-pressed", String(page.camera));
  button.onclick = () => page.set({ camera: !page.camera });
  if (!page.camera) return;
  // A new picture that changes nothing at the table has no version of its own: it is asked for now and then.
  fill(document.getElementById("board"), "camera", () => {
    const picture = h("img", { class: "picture", alt: "What the camera saw last" });
    const load = () => (picture.src = `/picture.jpg?at=${Date.now()}`);
    const again = setInterval(() => (picture.isConnected ? load() : clearInterval(again)), AGAIN_MS);
    load();
    return picture;
  });
}
