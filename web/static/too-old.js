// For browsers that cannot run the page's modules: without this it would say for ever that it is loading.
window.addEventListener("load", function () {
  if (document.body.hasAttribute("data-started")) return;
  document.getElementById("status").textContent =
    "The page does not start here. Load it anew; if that does not help, this browser is older than 2022, and too old.";
});
