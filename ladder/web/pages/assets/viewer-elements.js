// What the replay viewer is made of: shapes, signs, and frames.  The first page has such drawings, too.
"use strict";

const viewerElements = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  // Drawn, because fonts lack some of these signs: each as a path in a square of 24 units.
  const SIGNS = {
    start: "M4 4H7V20H4ZM20 4V20L8 12Z",
    back: "M18 4V20L6 12Z",
    on: "M6 4V20L18 12Z",
    end: "M17 4H20V20H17ZM4 4V20L16 12Z",
    stop: "M5 4H10V20H5ZM14 4H19V20H14Z",
    fault: "M3 5.5L5.5 3L12 9.5L18.5 3L21 5.5L14.5 12L21 18.5L18.5 21L12 14.5L5.5 21L3 18.5L9.5 12Z",
    below: "M3 4H21L12 21Z",
    ring: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0ZM6.5 12a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z",
    Left: "M2 12L10 4V10H22V14H10V20Z",
    Right: "M22 12L14 4V10H2V14H14V20Z",
    Up: "M12 2L4 10H10V22H14V10H20Z",
    Down: "M12 22L4 14H10V2H14V14H20Z",
  };

  function shape(tag, attributes, ...children) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function sign(name) {
    return shape("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: SIGNS[name] }));
  }

  function isolated(text) {
    return make("bdi", {}, text);
  }

  // Drawings come from the ladder's own code and are escaped there.
  function drawn(svg) {
    const holder = document.createElement("template");
    holder.innerHTML = svg.startsWith("<svg") ? svg : `<svg>${svg}</svg>`;
    const root = holder.content.firstElementChild;
    return svg.startsWith("<svg") ? root : root.firstElementChild;
  }

  function seconds(us) {
    const ms = us / 1000;
    if (ms < 10) return `${ms.toFixed(1)} ms`;
    return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  }

  // The data of a match stand in the page deflated and in base64; a browser may lack what inflates them.
  async function inflate({ textContent }) {
    const packed = new Blob([Uint8Array.from(atob(textContent), (sign) => sign.charCodeAt(0))]);
    return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).json();
  }

  // Frames are kept each as the difference to the one before.
  function patch(before, pieces) {
    const after = [...before];
    for (const [first, end, ...items] of pieces.toReversed()) after.splice(first, end - first, ...items);
    return after;
  }

  function unfold(frames) {
    let parts = [];
    let text = [];
    let captions = [];
    return frames.map((frame) => {
      parts = patch(parts, frame.parts);
      text = patch(text, frame.text);
      captions = patch(captions, frame.captions);
      return { ...frame, parts, text, captions };
    });
  }

  return { SIGNS, shape, sign, isolated, drawn, seconds, inflate, unfold };
})();
