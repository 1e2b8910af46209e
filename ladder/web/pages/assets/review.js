// What a review adds to the replay viewer: beside the board what the options promised, and a key that goes on
// to the next decision with a name.
"use strict";

(() => {
  const { make, shape } = viewerElements;
  const { makeHelp } = viewerPanels;

  class ReviewPanel extends viewerPanels.Panel {
    describeDecision(decision) {
      const box = super.describeDecision(decision);
      if (decision.review) box.querySelector(".viewer-move").after(this.describeReview(decision));
      return box;
    }

    describeReview({ seat, review: { named, cost, unit, why, promised } }) {
      const list = make("ul", {}, ...promised.map((each) => this.describePromise(...each)));
      const said = promised.some(([, share]) => share !== null) ? `The best options, by ${unit}` : "The best option";
      return make(
        "section",
        { class: "viewer-review", "aria-label": `Review of ${this.data.seats[seat].label}` },
        make("h3", { class: named ? "named" : null }, cost),
        why ? make("p", {}, why) : null,
        list,
        make("p", { class: "muted" }, `${said}, by what this seat could know.`),
      );
    }

    describePromise(options, share, played) {
      const words = make("span", {}, options.map((option) => this.data.options[option]).join(", "));
      if (played) words.append(" (played)");
      const item = make("li", { class: played ? "played" : null }, words);
      if (share !== null) {
        const bar = shape("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" });
        bar.append(shape("rect", { width: share, height: 8 }));
        item.append(bar, make("span", { class: "share" }, `${share} %`));
      }
      return item;
    }
  }

  viewerPanels.Panel = ReviewPanel;
  viewerPanels.makeHelp = () => {
    const dialog = makeHelp();
    const key = make("dt", {}, make("kbd", {}, "m"));
    dialog.querySelector("dl").append(key, make("dd", {}, "the next decision that has a name"));
    return dialog;
  };

  // The viewer follows the address; the point of view stays.
  function goTo(step) {
    const view = /^#\d+(,\w+)?$/.exec(location.hash);
    location.hash = `#${step}${view?.[1] ?? ""}`;
  }

  function stepShown() {
    return Number(/^#(\d+)/.exec(location.hash)?.[1] ?? 0);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const root = document.querySelector("[data-viewer]");
    const board = root?.querySelector(".viewer-columns");
    if (!board) return;
    const named = [...root.querySelectorAll(".viewer-over [data-step]")].map((mark) => Number(mark.dataset.step));
    named.sort((a, b) => a - b);
    for (const link of root.querySelectorAll(".viewer-goto")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        goTo(link.hash.slice(1));
        board.scrollIntoView({ block: "start" });
      });
    }
    document.addEventListener("keydown", (event) => {
      const types = event.target.closest?.("select, textarea, dialog, input:not([type=range])");
      if (event.key !== "m" || event.ctrlKey || event.altKey || event.metaKey || types || !named.length) return;
      goTo(named.find((step) => step > stepShown()) ?? named[0]);
      event.preventDefault();
    });
  });
})();
