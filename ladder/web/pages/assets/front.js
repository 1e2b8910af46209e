// The first page: some moments of a match as boards, one after another.  They rest while the board is off
// screen, and for visitors who prefer no motion, until they press Play.  Without this script the last moment
// stands there.
"use strict";

(() => {
  const BEAT_MS = 1500;
  const REST = 3; // beats for which the last moment stays
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const PAPER = matchMedia("print");

  let asked = null; // whether to play, once the visitor has said so: it outlasts a renewal of the page
  let end = () => {};

  function drawn(svg) {
    const holder = document.createElement("template");
    holder.innerHTML = `<svg>${svg}</svg>`; // it comes from the ladder's own code and is escaped there
    return holder.content.firstElementChild.firstElementChild;
  }

  function begin() {
    end();
    const figure = document.querySelector("[data-moments]");
    if (!figure) return;
    const { width, height, parts, frames, steps } = JSON.parse(document.getElementById("moments").textContent);
    const board = figure.querySelector(".board");
    const title = board.querySelector("title");
    const place = figure.querySelector(".moments-place");
    const shapes = new Map();
    const last = frames.length - 1;
    const called = title.textContent;
    let at = last;
    let rested = 0;
    let hasBegun = false;
    let timer = 0;
    let isOnScreen = false;

    board.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const ground = board.querySelector(".ground");
    ground.setAttribute("width", width);
    ground.setAttribute("height", height);
    board.querySelector("desc")?.remove(); // it told of the last moment alone: the replay tells of each

    function shape(number) {
      if (!shapes.has(number)) shapes.set(number, drawn(parts[number]));
      return shapes.get(number);
    }

    function show(moment) {
      at = PAPER.matches ? last : moment; // a beat may come while the page is being printed
      for (const part of board.querySelectorAll(":scope > .part")) part.remove();
      board.append(...frames[at].map(shape));
      const where = at === last ? `The end, after ${steps[last]} steps` : `Step ${steps[at]} of ${steps[last]}`;
      title.textContent = `${called}: ${where}`;
      place.textContent = where;
    }

    function beat() {
      rested = at === last ? rested + 1 : 0;
      if (at === last && rested < REST) return;
      show(at === last ? 0 : at + 1);
    }

    const button = document.createElement("button");
    button.type = "button";
    place.before(button);

    const isPlaying = () => asked ?? !CALM.matches;

    function update() {
      button.textContent = isPlaying() ? "Pause" : "Play";
      const runs = isPlaying() && isOnScreen && !document.hidden;
      if (runs && !hasBegun) show(0);
      hasBegun ||= runs;
      if (runs && !timer) timer = setInterval(beat, BEAT_MS);
      if (!runs && timer) timer = clearInterval(timer) ?? 0;
    }

    button.addEventListener("click", () => {
      asked = !isPlaying();
      update();
    });
    const watcher = new IntersectionObserver((entries) => {
      isOnScreen = entries.at(-1).isIntersecting;
      update();
    });
    watcher.observe(board);
    const toPrint = () => show(last);
    document.addEventListener("visibilitychange", update);
    CALM.addEventListener("change", update);
    window.addEventListener("beforeprint", toPrint);
    end = () => {
      clearInterval(timer);
      button.remove();
      watcher.disconnect();
      document.removeEventListener("visibilitychange", update);
      CALM.removeEventListener("change", update);
      window.removeEventListener("beforeprint", toPrint);
    };
    update();
  }

  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("renewed", begin); // live.js has replaced the content
})();
