// The last picture of the camera in place of the board.

import { fill, h } from "./dom.js";

export function showCamera(button, page) {
  const { snapshot } = page;
  button.hidden = !snapshot.has_picture;
  if (button.hidden) page.camera = false;
  button.setAttribute("aria-pressed", String(page.camera));
  button.onclick = () => page.set({ camera: !page.camera });
  if (!page.camera) return;
  fill(document.getElementById("board"), ["camera", snapshot.version], () => h("img", {
    class: "picture", src: `/picture.jpg?version=${snapshot.version}`, alt: "What the camera saw last",
  }));
}
