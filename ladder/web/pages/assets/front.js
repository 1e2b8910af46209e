// The first page: some moments of a match as boards, one after another.  They rest while the board is off
// screen, and for visitors who prefer no motion, until they press Play.  Without this script the first moment
// stands there, and on paper.
"use strict";

(() => {
  const { drawn, inflate } = viewerElements;
  const BEAT_MS = 1500;
  const REST = 3; // beats for which the last moment stays
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const PAPER = matchMedia("print");

  let asked = null; // whether to play, once the visitor has said so: it outlasts a renewal of the page
  let shown = { data: "", at: 0 }; // so does the moment of a match
  let end = () => {};

  async function begin() {
    end();
    const figure = document.querySelector("[data-moments]");
    if (!figure) return;
    const block = document.getElementById("moments");
    const { parts, frames, steps } = await inflate(block);
    if (!figure.isConnected) return; // the content was replaced again meanwhile
    const data = block.textContent;
    const board = figure.querySelector(".board");
    const title = board.querySelector("title");
    const place = figure.querySelector(".moments-place");
    const shapes = new Map();
    const last = frames.length - 1;
    const [called, first] = [title.textContent, place.textContent];
    let at = 0;
    let rested = 0;
    let timer = 0;
    let isOnScreen = false;
    board.querySelector("desc")?.remove(); // it told of the first moment alone: the replay tells of each

    function shape(number) {
      if (!shapes.has(number)) shapes.set(number, drawn(parts[number]));
      return shapes.get(number);
    }

    function show(moment) {
      at = PAPER.matches ? 0 : moment; // a beat may come while the page is being printed
      shown = { data, at };
      for (const part of board.querySelectorAll(":scope > .part")) part.remove();
      board.append(...frames[at].map(shape));
      boards.fit();
      const end = at === last ? `The end, after ${steps[last]} steps` : `Step ${steps[at]} of ${steps[last]}`;
      const where = at ? end : first;
      title.textContent = `${called}: ${where}`;
      place.textContent = where;
    }

    function beat() {
      rested = at === last ? rested + 1 : 0;
      if (at === last && rested < REST) return;
      show(at === last ? 0 : at + 1);
    }

    const button = make("button", { type: "button" });
    place.before(button);

    const isPlaying = () => asked ?? !CALM.matches;

    function update() {
      button.textContent = isPlaying() ? "Pause" : "Play";
      const runs = isPlaying() && isOnScreen && !document.hidden;
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
    const toPrint = () => show(0);
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
    show(data === shown.data ? shown.at : 0);
  }

  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("renewed", begin); // live.js has replaced the content
})();
