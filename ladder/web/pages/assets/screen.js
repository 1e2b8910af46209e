// The page for a projector: what does not fit into the window is shown page after page.
// Arrows go a page on or back, the space bar rests; readers who want no motion get the next page by a key alone.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const STAY_MS = 10_000;
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  let at = 0;
  let rests = false;

  function pagesOf(flow) {
    const gap = parseFloat(getComputedStyle(flow).columnGap) || 0;
    const step = flow.clientWidth + gap;
    return { step, count: Math.max(1, Math.ceil((flow.scrollWidth + gap) / step - 0.01)) };
  }

  function show() {
    const screen = document.querySelector("[data-screen]");
    if (!screen) return;
    screen.classList.add("paged");
    const leaves = [...screen.querySelectorAll(".leaf")];
    const pages = [];
    for (const leaf of leaves) {
      for (const other of leaves) other.classList.toggle("now", other === leaf); // a hidden one has no size
      const flow = leaf.querySelector(".flow");
      const bracket = flow.querySelector(".bracket");
      if (bracket) bracket.style.scale = Math.min(1, flow.clientWidth / bracket.width.baseVal.value);
      const { step, count } = pagesOf(flow);
      for (let page = 0; page < count; page += 1) pages.push({ leaf, flow, left: page * step });
    }
    at = ((at % pages.length) + pages.length) % pages.length;
    for (const leaf of leaves) leaf.classList.toggle("now", leaf === pages[at].leaf);
    pages[at].flow.scrollLeft = pages[at].left;
    const place = screen.querySelector(".screen-page");
    place.hidden = pages.length < 2;
    place.textContent = `${at + 1} / ${pages.length}`;
  }

  function go(by) {
    at += by;
    show();
  }

  show();
  setInterval(() => {
    if (!rests && !CALM.matches) go(1);
  }, STAY_MS);
  window.addEventListener("resize", show);
  document.addEventListener("renewed", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "PageDown") go(1);
    else if (event.key === "ArrowLeft" || event.key === "PageUp") go(-1);
    else if (event.key === " ") rests = !rests;
    else return;
    event.preventDefault();
  });
});
