// What a review adds to the replay viewer: beside the board what the options promised, a key that goes on to
// the next decision with a name, and a button that asks what the visitor would have played where most was lost.
"use strict";

(() => {
  const { shape, drawn, unfold } = viewerElements;
  const { Timeline, makeHelp } = viewerPanels;

  class ReviewPanel extends viewerPanels.Panel {
    constructor(data) {
      super(data);
      this.left = []; // what is still to be asked
      this.asked = this.answered = null;
      this.drawTurns();
      if (!data.guesses?.length) return;
      const button = make("button", { type: "button", class: "primary" }, "Where did I lose?");
      button.addEventListener("click", () => this.guess(data.guesses));
      document.querySelector(".viewer-buttons").append(button);
      if (location.hash === "#guess") this.guess(data.guesses);
    }

    // A small board beside each turning point.
    drawTurns() {
      const frames = unfold(this.data.views[0].frames);
      for (const link of document.querySelectorAll("#turning-points + ul .viewer-goto")) {
        const { size, parts } = frames[Number(link.hash.slice(1))];
        const board = shape("svg", { class: "board", viewBox: `0 0 ${size[0]} ${size[1]}`, "aria-hidden": "true" });
        for (const [form, , place] of parts.map((number) => this.data.parts[number])) {
          const part = drawn(this.data.shapes[form]);
          if (place) part.setAttribute("transform", `translate(${place})`);
          board.append(part);
        }
        link.closest("li").append(board);
      }
    }

    // Ask what the visitor would play at the first of *guesses*; the board does not mark what was played.
    guess([[step, number], ...left]) {
      this.reveal();
      this.left = left;
      this.asked = this.data.decisions[number];
      this.marked = this.asked.marked;
      this.asked.marked = [];
      const view = this.data.views.find(({ seat }) => seat === this.asked.seat) ?? this.data.views[0];
      const address = `#${step},${view.name}`;
      if (location.hash === address) dispatchEvent(new Event("hashchange"));
      else location.hash = address;
    }

    reveal() {
      if (this.asked) this.asked.marked = this.marked;
      this.asked = null;
    }

    describeQuestion(decision) {
      const options = decision.options.map((option) => {
        const button = make("button", { type: "button" }, this.data.options[option]);
        button.addEventListener("click", () => this.answer(decision, option));
        return make("li", {}, button);
      });
      const list = make("ul", { class: "viewer-offer viewer-guess" }, ...options);
      requestAnimationFrame(() => list.scrollIntoView({ block: "nearest" }));
      return make("section", { class: "viewer-decision" }, make("h2", {}, "What would you play?"), list);
    }

    answer(decision, option) {
      const { promised, cost } = decision.review;
      const name = ([options]) => options.map((each) => this.data.options[each]).join(", ");
      const [best] = promised;
      const mine = promised.find(([options]) => options[0] === option);
      const played = promised.find((each) => each[2]);
      let told = `it was not among the ${promised.length} best`;
      if (mine) told = mine === best ? "nothing better was found" : `it costs ${best[1] - mine[1]} %`;
      this.told = `You chose ${this.data.options[option]}: ${told}. Best: ${name(best)}. Played: ${name(played)}. ${cost}.`;
      this.answered = decision;
      this.reveal();
      dispatchEvent(new Event("hashchange"));
    }

    describeAnswer() {
      const told = make("p", { class: "viewer-told", role: "status" }, this.told);
      if (!this.left.length) return told;
      const next = make("button", { type: "button" }, "Next");
      next.addEventListener("click", () => this.guess(this.left));
      return make("div", {}, told, next);
    }

    describeDecision(decision) {
      if (decision === this.asked) return this.describeQuestion(decision);
      const box = super.describeDecision(decision);
      if (decision.review) box.querySelector(".viewer-move").after(this.describeReview(decision));
      if (decision === this.answered) box.querySelector("h2").after(this.describeAnswer());
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
  viewerPanels.Timeline = class extends Timeline {
    drawMarks(chart, x, height, frames) {
      super.drawMarks(chart, x, height, frames);
      frames.forEach(({ decisions }, step) => {
        const { chances } = this.data.steps[step];
        for (const { review, seat } of decisions.map((number) => this.data.decisions[number])) {
          if (!review?.named || !chances) continue;
          chart.append(shape("circle", { class: "viewer-named-mark", cx: x(step), cy: this.y(chances[seat]), r: 4 }));
        }
      });
    }
  };
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

  // The page of a match that is being reviewed tells how far that is, and then begins to ask.
  function follow(line) {
    const news = new EventSource(line.dataset.finding);
    news.addEventListener("message", ({ data }) => (line.textContent = data));
    news.addEventListener("done", () => {
      news.close();
      history.replaceState(history.state, "", "#guess");
      location.reload();
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const line of document.querySelectorAll("[data-finding]")) follow(line);
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
