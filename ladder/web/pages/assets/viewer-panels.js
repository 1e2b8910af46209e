// What stands around the board of the replay viewer: the panel beside it, the timeline below it, and its help.
"use strict";

const viewerPanels = (() => {
  const { SIGNS, shape, sign, isolated, drawn, seconds } = viewerElements;
  const ENDS = 18; // the width that the marks at the ends of lines take, as in viewer.css
  const AT_RISK = 0.8; // of the time that a decision may take
  const DIGIT = 8; // the most that a digit of 11 pixels takes in any font

  const KEYS = [
    ["Left Right", "a step back, a step on"],
    ["Up Down", "a round back, a round on"],
    ["Home End", "the start, the end"],
    ["Space", "play, stop"],
    ["f", "the first fault, then the next one"],
    ["0", "see everything"],
    ["1 to 6", "see what one of them saw: the buttons above the board show the keys"],
    ["s", "see what a spectator saw"],
    ["?", "these keys"],
  ];

  // What happened, what is offered, what was chosen.
  class Panel {
    constructor(data) {
      this.data = data;
    }

    describe(step, frame) {
      const parts = [];
      if (frame.events.length) {
        const list = make("ul", { class: "viewer-events" }, ...frame.events.map((number) => this.describeEvent(number)));
        parts.push(make("h2", {}, step ? "What happened" : "The start"), list);
      }
      const told = new Set(frame.decisions.map((number) => this.data.decisions[number].seat));
      for (const number of frame.decisions) parts.push(this.describeDecision(this.data.decisions[number]));
      const others = this.data.steps[step].asked.filter((seat) => !told.has(seat));
      if (others.length) parts.push(this.describeOthers(others));
      for (const fault of frame.faults) parts.push(this.describeFault(fault));
      if (step === this.data.steps.length - 1) parts.push(this.describeResult());
      return parts;
    }

    nameOf(seat) {
      const { icon, label } = this.data.seats[seat];
      return [drawn(icon), " ", isolated(label)];
    }

    describeEvent(number) {
      const [line, ...sketches] = this.data.events[number];
      const pictures = sketches.map((number) => drawn(this.data.shapes[number]));
      const beside = make("span", { class: "sketches", "aria-hidden": "true" }, ...pictures);
      return make("li", {}, make("bdi", { dir: "ltr" }, this.data.lines[line]), pictures.length ? beside : null);
    }

    describeOthers(seats) {
      const line = make("p", { class: "viewer-others" });
      seats.forEach((seat, at) => line.append(at ? ", " : "", ...this.nameOf(seat)));
      line.append(seats.length > 1 ? " decide, unseen from here." : " decides, unseen from here.");
      return line;
    }

    describeDecision(decision) {
      const box = make("section", { class: "viewer-decision" }, make("h2", {}, ...this.nameOf(decision.seat)));
      const { options } = this.data;
      if (decision.move === null) box.append(make("p", {}, "did not move: the match ended here."));
      else {
        const moves = decision.move.flatMap((option, at) => [at ? ", " : "", make("b", {}, options[option])]);
        const how = decision.referee ? "The referee moved at random: " : "chose ";
        box.append(make("p", { class: "viewer-move" }, how, ...(moves.length ? moves : ["nothing"])));
      }
      if (decision.note) box.append(make("blockquote", { class: "viewer-note" }, isolated(decision.note)));
      if (decision.thinkUs !== null) box.append(this.describeTime(decision));
      box.append(this.describeOffer(decision));
      return box;
    }

    describeTime(decision) {
      const { freeMs } = this.data.seats[decision.seat];
      const free = freeMs === null ? null : freeMs * 1000;
      const bank = decision.bankUs ?? 0;
      let words = `thought ${seconds(decision.thinkUs)}`;
      if (free !== null) words += ` of ${seconds(free)}`;
      if (bank) words += `, ${seconds(bank)} in the bank`;
      const line = make("div", { class: "viewer-time" });
      const isAtRisk = free !== null && decision.thinkUs > AT_RISK * (free + bank);
      if (free !== null) {
        const full = Math.max(free, decision.thinkUs);
        const used = make("span", { class: isAtRisk ? "over" : "" });
        used.style.width = `${(100 * decision.thinkUs) / full}%`;
        line.append(make("span", { class: "viewer-clock", "aria-hidden": "true" }, used));
      }
      line.append(make("span", { class: decision.long && isAtRisk ? "long" : "" }, decision.long ? `${words} (long)` : words));
      return line;
    }

    describeOffer(decision) {
      const chosen = new Set(decision.move ?? []);
      const list = make("ul", { class: "viewer-offer", tabindex: "0", "aria-label": "Offered" });
      for (const option of decision.options) {
        const mark = chosen.has(option) ? make("span", { class: "unseen" }, " (chosen)") : null;
        list.append(make("li", { class: mark && "chosen" }, this.data.options[option], mark));
      }
      const count = decision.options.length;
      let words = count === 1 ? "one option" : `one of ${count} options`;
      if (decision.several) words = `${decision.low} to ${decision.high} of ${count} options`;
      const box = make("details", { class: "viewer-offered", open: true }, make("summary", {}, `Offered: ${words}`), list);
      requestAnimationFrame(() => {
        const first = list.querySelector(".chosen");
        if (first) list.scrollTop = first.offsetTop - list.offsetTop - 40;
      });
      return box;
    }

    describeFault(fault) {
      return make(
        "section",
        { class: "viewer-fault" },
        make("h2", {}, sign("fault"), " ", ...this.nameOf(fault.seat)),
        make("p", {}, make("strong", {}, fault.kind), ": ", isolated(fault.reason)),
        fault.answer ? make("p", {}, "answered ", make("code", {}, isolated(fault.answer))) : null,
        fault.charged ? null : make("p", { class: "muted" }, "It cost no match."),
      );
    }

    describeResult() {
      const seats = this.data.seats.map((seat, number) => ({ ...seat, number }));
      seats.sort((a, b) => a.rank - b.rank);
      const list = make("ol", { class: "viewer-result" });
      for (const seat of seats) {
        const score = seat.score === null ? "" : `: ${seat.score} points`;
        const fault = seat.fault ? ` (${seat.fault})` : "";
        list.append(make("li", { value: seat.rank }, ...this.nameOf(seat.number), score, fault));
      }
      return make("section", {}, make("h2", {}, "Result"), list);
    }
  }

  // A line for each seat, of its chances if they are known, else of its points; marks; a slider on top.
  class Timeline {
    // A click or a key on the slider calls *go* with a step.
    constructor(holder, data, faults, go) {
      this.holder = holder;
      this.data = data;
      this.faults = faults;
      this.last = data.steps.length - 1;
      this.slider = make("input", { type: "range", min: 0, max: this.last, step: 1, "aria-label": "Step" });
      this.slider.addEventListener("input", () => go(Number(this.slider.value)));
    }

    // Draw it as wide as there is room, with the marks of *frames*.
    draw(frames) {
      const width = Math.max(120, this.holder.clientWidth);
      const { height } = this.data.timeline;
      const x = (step) => 4 + ((width - 8 - ENDS) * step) / Math.max(1, this.last);
      const chart = shape("svg", { class: "board viewer-chart", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
      this.drawRounds(chart, x, height);
      this.drawPoints(chart, x);
      this.drawMarks(chart, x, height, frames);
      this.cursor = shape("line", { class: "viewer-cursor", y1: 0, y2: height });
      chart.append(this.cursor);
      this.x = x;
      this.holder.replaceChildren(chart, this.slider);
    }

    // Show *step*, which *words* name.
    moveTo(step, words) {
      this.slider.value = String(step);
      this.slider.setAttribute("aria-valuetext", words);
      this.cursor.setAttribute("x1", this.x(step));
      this.cursor.setAttribute("x2", this.x(step));
    }

    drawRounds(chart, x, height) {
      const { steps } = this.data;
      let free = -1;
      steps.forEach(({ round }, step) => {
        if (round === null || (step && steps[step - 1].round === round)) return;
        chart.append(shape("line", { class: "viewer-round", x1: x(step), x2: x(step), y1: 0, y2: height }));
        const wide = 3 + DIGIT * String(round).length;
        if (x(step) < free || x(step) + wide > x(this.last)) return;
        chart.append(shape("text", { class: "muted", x: x(step) + 3, y: height - 3, "font-size": 11 }, String(round)));
        free = x(step) + wide + 4;
      });
    }

    // Where a value lies that the lines show.
    y(value) {
      const { low, high, top, bottom } = this.data.timeline;
      return bottom - ((bottom - top) * (value - low)) / (high - low);
    }

    drawPoints(chart, x) {
      const { ends } = this.data.timeline;
      const y = (value) => this.y(value);
      for (const percent of this.data.steps[0].chances ? [0, 50, 100] : []) {
        const name = shape("text", { class: "muted", x: -4, y: y(percent) + 4, "text-anchor": "end", "font-size": 11 }, `${percent} %`);
        chart.append(shape("line", { class: "viewer-round", x1: 0, x2: x(this.last), y1: y(percent), y2: y(percent) }), name);
      }
      ends.forEach((end, seat) => {
        if (end === null) return;
        const line = [];
        this.data.steps.forEach(({ points, chances = points }, step) => {
          if (chances) line.push(`${x(step)},${y(chances[seat])}`);
        });
        const mark = drawn(this.data.seats[seat].icon);
        const hue = [...mark.classList].find((name) => name.startsWith("hue-"));
        const named = { x: x(this.last) + 6, y: end - 5, width: 10, height: 10 };
        for (const [name, value] of Object.entries(named)) mark.setAttribute(name, value);
        const polyline = shape("polyline", { class: "viewer-points", points: line.join(" ") });
        chart.append(shape("g", { class: hue }, polyline, mark));
      });
    }

    drawMarks(chart, x, height, frames) {
      for (const step of this.faults) {
        chart.append(shape("path", { class: "viewer-fault-mark", d: `M${x(step) - 5} 0h10l-5 9z` }));
      }
      frames.forEach((frame, step) => {
        if (!frame.decisions.some((number) => this.data.decisions[number].long)) return;
        chart.append(shape("circle", { class: "viewer-long-mark", cx: x(step), cy: height - 20, r: 3 }));
      });
    }
  }

  // A dialog that says what the keys do.
  function makeHelp() {
    const list = make("dl", {});
    for (const [keys, meaning] of KEYS) {
      const named = make("dt", {});
      keys.split(" ").forEach((key, at, all) => {
        const shown = key in SIGNS ? [sign(key), make("span", { class: "unseen" }, key)] : [key];
        named.append(key === "to" ? "to" : make("kbd", {}, ...shown), at + 1 < all.length ? " " : "");
      });
      list.append(named, make("dd", {}, meaning));
    }
    const close = make("button", { type: "button" }, "Close");
    const dialog = make("dialog", { class: "viewer-help", "aria-label": "Keys" }, make("h2", {}, "Keys"), list, close);
    close.addEventListener("click", () => dialog.close());
    return dialog;
  }

  return { Panel, Timeline, makeHelp };
})();
