// Boards as large as the window: a picture may have a second, wide layout, and the larger one is taken.
// Paper has the tall one, as has a page without this script.
"use strict";

const boards = (() => {
  const LEAST = 0.586; // pixels in a unit: the smallest letters, of 19 units, have 11 of them
  const FAIR = 0.5; // a board that is whole may have them a little smaller
  const WHOLE = 0.4; // that of the first page is whole: its letters are read where the link leads
  const STAY = 1.15; // how much larger the other layout must be: what is above a board is higher on a narrow one
  let laid = ""; // the layout it has, which stays as long as all of it is seen
  const SIDE = 344; // what a second column takes: 20rem, and the gap
  const TWO = matchMedia("(min-width: 56rem)");
  const PHONE = matchMedia("(max-width: 40rem), (max-height: 30rem)");
  const PAPER = matchMedia("print");
  const sizeOf = (svg, name) => svg.dataset[name].split(" ").map(Number);

  function lay(svg, name) {
    const [width, height] = sizeOf(svg, name);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const ground = svg.querySelector(".ground");
    ground.setAttribute("width", width);
    ground.setAttribute("height", height);
    for (const part of svg.querySelectorAll(".part[data-wide]")) {
      part.dataset.tall ??= part.getAttribute("transform").slice("translate(".length, -1);
      const place = `translate(${part.dataset[name]})`;
      if (part.getAttribute("transform") !== place) part.setAttribute("transform", place);
    }
  }

  const matrixOf = (part) => part.transform.baseVal.consolidate()?.matrix;

  // Where a part of a board stands, as the property `transform` says it.
  function placeOf(part) {
    const place = matrixOf(part);
    return `translate(${place?.e ?? 0}px, ${place?.f ?? 0}px)`;
  }

  // Lay the board of the page out anew, as large as it is whole above the bar.
  function fit() {
    const svg = document.querySelector(".viewer-board > svg, .play-board > svg, .moments-board > svg");
    if (!svg) return;
    svg.dataset.tall ??= svg.getAttribute("viewBox").slice("0 0 ".length);
    if (PAPER.matches) {
      svg.style.width = "";
      lay(svg, "tall");
      return;
    }
    const columns = svg.closest(".viewer-columns, .play, .front");
    columns.classList.add("fitted");
    const top = (columns.matches(".play") ? columns : svg).getBoundingClientRect().top + scrollY; // a board in play may stick
    const bar = document.querySelector(".viewer-bar, .moments-bar")?.offsetHeight ?? 0;
    const across = TWO.matches ? columns.clientWidth - SIDE : svg.parentElement.clientWidth;
    const room = innerHeight - top - bar - 16;
    const scaleOf = (name, least) => {
      const [width, height] = sizeOf(svg, name);
      return Math.min(across / width, Math.max(room / height, least));
    };
    const worth = (name) => scaleOf(name, FAIR) * (name === laid && scaleOf(name, 0) >= LEAST ? STAY : 1);
    laid = svg.dataset.wide && worth("wide") >= worth("tall") ? "wide" : "tall";
    lay(svg, laid);
    const least = columns.matches(".front") && TWO.matches ? WHOLE : LEAST;
    svg.style.width = `${Math.floor(sizeOf(svg, laid)[0] * scaleOf(laid, least))}px`;
  }

  // A copy of the row that holds most of *keys*, such as a hand: on a telephone it stays at the lower edge.
  // Things that lie in several rows, such as the pictures of Stella, are no hand.
  function copyHand(holder, keys) {
    holder.querySelector(".hand")?.remove();
    if (!PHONE.matches) return;
    const rows = new Map();
    for (const key of keys) {
      const part = holder.querySelector(`.part[data-key="${CSS.escape(key)}"]`);
      if (!part) continue;
      const y = matrixOf(part)?.f;
      rows.set(y, [...(rows.get(y) ?? []), part]);
    }
    const row = [...rows.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    if (!row.length || 2 * row.length < keys.size) return;
    row.sort((a, b) => (matrixOf(a)?.e ?? 0) - (matrixOf(b)?.e ?? 0));
    const strip = row[0].ownerSVGElement.cloneNode();
    let [right, high] = [0, 0];
    for (const part of row) {
      const [copy, box] = [part.cloneNode(true), part.getBBox()];
      copy.classList.remove("clickable"); // it is touched, but neither named nor reached by keys
      copy.removeAttribute("tabindex");
      copy.dataset.of = copy.dataset.key;
      delete copy.dataset.key;
      copy.setAttribute("transform", `translate(${right - box.x} ${-box.y})`);
      [right, high] = [right + box.width + 4, Math.max(high, box.height)];
      strip.append(copy);
    }
    strip.setAttribute("class", "board hand");
    strip.setAttribute("aria-hidden", "true");
    strip.setAttribute("viewBox", `0 0 ${right} ${high}`);
    strip.style.width = "";
    holder.append(strip);
  }

  window.addEventListener("resize", fit);
  document.addEventListener("DOMContentLoaded", () => new ResizeObserver(fit).observe(document.body));
  PAPER.addEventListener("change", fit);
  return { PHONE, placeOf, fit, copyHand };
})();
