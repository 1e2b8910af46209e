// The replay viewer: steps through the frames that stand in the page as data.  See ladder/web/pages/viewer.py.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MOVE_MS = 150;
  const SPEEDS = [0.5, 1, 2, 4, 8];
  const ENDS = 18; // the width that the marks at the ends of lines take, as in viewer.css
  const DIGIT = 8; // the most that a digit of 11 pixels takes in any font
  const KEYS = [
    ["Left Right", "a step back, a step on"],
    ["Up Down", "a round back, a round on"],
    ["Home End", "the start, the end"],
    ["Space", "play, stop"],
    ["f", "the first fault, then the next one"],
    ["0", "see everything"],
    ["1 to 6", "see what a seat saw: 1 is seat 0"],
    ["s", "see what a spectator saw"],
    ["?", "these keys"],
  ];

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

  // --- making elements: text is always text

  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) made.setAttribute(name, "");
      else if (value !== null && value !== false) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }

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

  // --- frames: each is kept as the difference to the one before

  function patch(before, pieces) {
    const after = [...before];
    for (const [first, end, ...items] of pieces.toReversed()) after.splice(first, end - first, ...items);
    return after;
  }

  function unfold(frames) {
    let parts = [];
    let text = [];
    return frames.map((frame) => {
      parts = patch(parts, frame.parts);
      text = patch(text, frame.text);
      return { ...frame, parts, text };
    });
  }

  class Viewer {
    constructor(root, data) {
      this.root = root;
      this.data = data;
      this.step = 0;
      this.view = 0;
      this.speed = 1;
      this.timer = 0;
      this.elements = new Map();
      this.views = data.views.map((view) => ({ ...view, frames: unfold(view.frames) }));
      this.last = data.steps.length - 1;
      this.faults = this.stepsWith((frame) => frame.faults.length);
      this.still = matchMedia("(prefers-reduced-motion: reduce)");
      this.find();
      this.offerViews();
      this.offerButtons();
      this.readAddress();
      this.drawTimeline();
      new ResizeObserver(() => this.drawTimeline()).observe(this.timeline);
      window.addEventListener("hashchange", () => {
        this.readAddress();
        this.show();
      });
      document.addEventListener("keydown", (event) => this.press(event));
      this.show();
    }

    find() {
      const get = (name) => this.root.querySelector(`.viewer-${name}`);
      this.board = get("board");
      this.panel = get("panel");
      this.bar = get("bar");
      this.timeline = get("timeline");
      this.viewButtons = get("views");
      this.buttons = get("buttons");
      for (const part of [this.panel, this.bar, this.viewButtons]) part.hidden = false;
      if (this.views.length < 2) this.viewButtons.hidden = true;
      this.said = make("p", { class: "unseen", "aria-live": "polite" });
      this.root.append(this.said);
    }

    stepsWith(holds) {
      const found = new Set();
      for (const view of this.views) {
        view.frames.forEach((frame, step) => {
          if (holds(frame)) found.add(step);
        });
      }
      return [...found].sort((a, b) => a - b);
    }

    // --- controls

    offerViews() {
      this.views.forEach((view, number) => {
        const button = make(
          "button",
          { type: "button", "aria-pressed": "false", title: `${view.label} (key ${view.key})` },
          ...(view.seat === null ? [] : [drawn(this.data.seats[view.seat].icon)]),
          isolated(view.label),
          make("kbd", { "aria-hidden": "true" }, view.key),
        );
        button.addEventListener("click", () => this.see(number));
        this.viewButtons.append(button);
      });
    }

    offerButtons() {
      const offer = (symbol, name, act) => {
        const button = make("button", { type: "button", "aria-label": name, title: name }, symbol in SIGNS ? sign(symbol) : symbol);
        button.addEventListener("click", act);
        this.buttons.append(button);
        return button;
      };
      this.toStart = offer("start", "To the start (Home)", () => this.go(0));
      this.back = offer("back", "A step back (left)", () => this.go(this.step - 1));
      this.playing = offer("on", "Play (space)", () => this.play());
      this.playing.classList.add("viewer-play");
      this.on = offer("on", "A step on (right)", () => this.go(this.step + 1));
      this.toEnd = offer("end", "To the end (End)", () => this.go(this.last));
      if (this.faults.length) {
        const button = offer("fault", "To the first fault, then to the next (f)", () => this.toFault());
        button.append(make("span", { class: "viewer-word" }, " Fault"));
      }
      this.place = make("span", { class: "viewer-place" });
      this.points = make("span", { class: "viewer-scores", role: "group", "aria-label": "Points" });
      const speed = make("select", { "aria-label": "Steps a second" });
      for (const rate of SPEEDS) speed.append(make("option", { value: rate }, `${rate} / s`));
      speed.value = String(this.speed);
      speed.addEventListener("change", () => {
        this.speed = Number(speed.value);
        if (this.timer) this.startTimer();
      });
      this.help = this.makeHelp();
      this.buttons.append(speed);
      offer("?", "Keys (?)", () => this.help.showModal()).classList.add("viewer-keys");
      this.buttons.append(make("span", { class: "viewer-legend" }, ...this.legend()), this.points, this.place);
    }

    legend() {
      const long = this.data.decisions.some((decision) => decision.long);
      const marks = [];
      if (this.faults.length) marks.push(make("span", {}, sign("below"), " fault"));
      if (long) marks.push(make("span", {}, sign("ring"), " long thought"));
      return marks;
    }

    makeHelp() {
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
      this.root.append(dialog);
      return dialog;
    }

    press(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const at = event.target.closest?.("input, select, textarea, button, summary, a, dialog");
      const types = at && at.matches("select, textarea, dialog, dialog *, input:not([type=range])");
      if (types && event.key !== "?") return;
      if (event.key.startsWith("Arrow") && event.target.closest?.(".viewer-offer, .scroll")) return; // it scrolls
      if (event.key === " " && at && !at.matches("input")) return; // it presses the button
      const act = {
        ArrowLeft: () => this.go(this.step - 1),
        ArrowRight: () => this.go(this.step + 1),
        ArrowUp: () => this.goRound(-1),
        ArrowDown: () => this.goRound(1),
        Home: () => this.go(0),
        End: () => this.go(this.last),
        " ": () => this.play(),
        f: () => this.toFault(),
        "?": () => (this.help.open ? this.help.close() : this.help.showModal()),
      }[event.key];
      const view = this.views.findIndex((one) => one.key === event.key);
      if (act) act();
      else if (view >= 0) this.see(view);
      else return;
      event.preventDefault();
    }

    go(step) {
      const wanted = Math.max(0, Math.min(this.last, step));
      if (wanted === this.step) return;
      this.step = wanted;
      this.writeAddress();
      this.show();
    }

    see(view) {
      if (view === this.view) return;
      this.view = view;
      this.writeAddress();
      this.drawTimeline();
      this.show();
    }

    goRound(way) {
      const { steps } = this.data;
      const round = steps[this.step].round;
      if (round === null) {
        this.go(this.step + way * this.data.seats.length);
        return;
      }
      let step = this.step;
      if (way > 0) while (step < this.last && steps[step].round === round) step += 1;
      else {
        step -= 1;
        while (step > 0 && steps[step - 1].round === steps[step].round) step -= 1;
      }
      this.go(step);
    }

    toFault() {
      if (!this.faults.length) return;
      this.go(this.faults.find((step) => step > this.step) ?? this.faults[0]);
    }

    // --- playing by itself

    play() {
      if (this.timer) {
        this.stop();
        return;
      }
      if (this.step === this.last) this.go(0);
      this.startTimer();
      this.labelPlay("stop", "Stop (space)");
    }

    startTimer() {
      clearInterval(this.timer);
      this.timer = setInterval(() => {
        this.go(this.step + 1);
        if (this.step === this.last) this.stop();
      }, 1000 / this.speed);
    }

    stop() {
      clearInterval(this.timer);
      this.timer = 0;
      this.labelPlay("on", "Play (space)");
    }

    labelPlay(symbol, name) {
      this.playing.replaceChildren(sign(symbol), symbol === "on" ? " Play" : " Stop");
      this.playing.setAttribute("aria-label", name);
      this.playing.title = name;
    }

    // --- the address: #12 or #12,seat0

    readAddress() {
      const found = /^#(\d+)(?:,(\w+))?$/.exec(location.hash);
      if (!found) return;
      this.step = Math.min(this.last, Number(found[1]));
      const view = this.views.findIndex((one) => one.name === found[2]);
      this.view = Math.max(0, view);
    }

    writeAddress() {
      const name = this.view ? `,${this.views[this.view].name}` : "";
      try {
        history.replaceState(history.state, "", `#${this.step}${name}`);
      } catch {
        // a browser may forbid it, or do it less often than steps are made: the page works all the same
      }
    }

    // --- showing

    show() {
      const view = this.views[this.view];
      const frame = view.frames[this.step];
      this.showBoard(view, frame);
      this.panel.replaceChildren(...this.describe(view, frame));
      this.buttonsFollow();
      this.moveCursor();
      this.showPoints();
      this.place.textContent = this.placeName();
      this.said.textContent = this.panel.querySelector(".viewer-events")?.textContent ?? "";
      this.viewButtons.querySelectorAll("button").forEach((button, number) => {
        button.setAttribute("aria-pressed", String(number === this.view));
      });
    }

    // The points so far: each seat's mark with its number.
    showPoints() {
      const { points } = this.data.steps[this.step];
      const told = (points ?? []).map((value, seat) => {
        const { icon, label } = this.data.seats[seat];
        return make("span", { title: label }, drawn(icon), ` ${value}`);
      });
      this.points.replaceChildren(...told);
    }

    placeName() {
      const { round } = this.data.steps[this.step];
      return `Step ${this.step} of ${this.last}${round === null ? "" : ` · round ${round}`}`;
    }

    buttonsFollow() {
      this.toStart.disabled = this.back.disabled = this.step === 0;
      this.on.disabled = this.toEnd.disabled = this.step === this.last;
      if (!this.timer) this.labelPlay("on", "Play (space)");
    }

    showBoard(view, frame) {
      const moves = this.shown && this.shown.view === this.view && this.step === this.shown.step + 1;
      const before = this.step ? new Set(view.frames[this.step - 1].parts) : null;
      const looks = new Set([...(before ?? [])].map((number) => this.look(number)));
      const marked = new Set(frame.decisions.flatMap((number) => this.data.decisions[number].marked));
      const old = this.elements;
      const elements = new Map();
      const picture = this.picture ?? this.makePicture();
      const [width, height] = frame.size;
      picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
      // as high as the window, but never so small that its text cannot be read
      picture.style.maxWidth = `max(31rem, calc((100vh - 18.5rem) * ${(width / height).toFixed(3)}))`;
      this.ground.setAttribute("width", width);
      this.ground.setAttribute("height", height);
      this.title.textContent = this.data.lines[frame.title];
      this.text.textContent = frame.text.map((line) => this.data.lines[line]).join("\n");
      for (const number of frame.parts) {
        const part = old.get(number) ?? this.makePart(number);
        elements.set(number, part);
        const stays = before?.has(number) || (part.classList.contains("loose") && looks.has(this.look(number)));
        part.classList.toggle("changed", before !== null && !stays);
        part.classList.toggle("chosen", marked.has(part.dataset.key));
      }
      this.layer.replaceChildren(...elements.values());
      if (moves && !this.still.matches) this.animate(old, elements);
      this.elements = elements;
      this.shown = { view: this.view, step: this.step };
    }

    // The form and the key of a part, without its place: a card that only moves within a hand has not changed.
    look(number) {
      return this.data.parts[number].slice(0, 2).join(" ");
    }

    makePart(number) {
      const [form, key, place] = this.data.parts[number];
      const part = drawn(this.data.shapes[form]);
      part.dataset.key = key;
      if (place) part.setAttribute("transform", place);
      return part;
    }

    makePicture() {
      this.title = shape("title", {});
      this.text = shape("desc", {});
      this.ground = shape("rect", { class: "ground", rx: 12 });
      this.layer = shape("g", {});
      const picture = shape("svg", { class: "board", role: "img" }, this.title, this.text, this.ground, this.layer);
      this.board.replaceChildren(picture);
      this.picture = picture;
      return picture;
    }

    // A part that has its key from the frame before moves from there.
    animate(old, elements) {
      const place = (part) => part.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
      const was = new Map([...old.values()].map((part) => [part.dataset.key, part]));
      for (const part of elements.values()) {
        const from = was.get(part.dataset.key);
        if (!from || from === part) continue;
        const [a, b] = [place(from), place(part)];
        if (a.e === b.e && a.f === b.f) continue;
        const at = (matrix) => ({ transform: `translate(${matrix.e}px, ${matrix.f}px)` });
        part.animate([at(a), at(b)], { duration: MOVE_MS, easing: "ease-out" });
      }
    }

    // --- the panel: what happened, what is offered, what was chosen

    describe(view, frame) {
      const parts = [];
      const events = frame.events.map((line) => this.data.lines[line]);
      if (events.length) {
        const list = make("ul", { class: "viewer-events" }, ...events.map((event) => make("li", {}, isolated(event))));
        parts.push(make("h2", {}, this.step ? "What happened" : "The start"), list);
      }
      const told = new Set(frame.decisions.map((number) => this.data.decisions[number].seat));
      for (const number of frame.decisions) parts.push(this.describeDecision(this.data.decisions[number], frame));
      const others = this.data.steps[this.step].asked.filter((seat) => !told.has(seat));
      if (others.length) parts.push(this.describeOthers(others));
      for (const fault of frame.faults) parts.push(this.describeFault(fault));
      if (this.step === this.last) parts.push(this.describeResult());
      return parts;
    }

    nameOf(seat) {
      const { icon, label } = this.data.seats[seat];
      return [drawn(icon), " ", isolated(label), make("span", { class: "muted" }, ` seat ${seat}`)];
    }

    describeOthers(seats) {
      const line = make("p", { class: "viewer-others" });
      seats.forEach((seat, at) => line.append(at ? ", " : "", ...this.nameOf(seat)));
      line.append(seats.length > 1 ? " decide, unseen from here." : " decides, unseen from here.");
      return line;
    }

    describeDecision(decision, frame) {
      const box = make("section", { class: "viewer-decision" }, make("h2", {}, ...this.nameOf(decision.seat)));
      const { options } = this.data;
      if (decision.move === null) box.append(make("p", {}, "did not move: the match ended here."));
      else {
        const moves = decision.move.map((option) => make("b", {}, options[option]));
        const line = make("p", { class: "viewer-move" }, decision.referee ? "The referee moved at random: " : "chose ");
        moves.forEach((move, at) => line.append(at ? ", " : "", move));
        if (!moves.length) line.append("nothing");
        box.append(line);
      }
      if (decision.note) box.append(make("blockquote", { class: "viewer-note" }, isolated(decision.note)));
      if (decision.thinkUs !== null) box.append(this.describeTime(decision));
      box.append(this.describeOffer(decision, frame));
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
      if (free !== null) {
        const full = Math.max(free, decision.thinkUs);
        const used = make("span", { class: decision.thinkUs > free ? "over" : "" });
        used.style.width = `${(100 * decision.thinkUs) / full}%`;
        line.append(make("span", { class: "viewer-clock", "aria-hidden": "true" }, used));
      }
      line.append(make("span", { class: decision.long ? "long" : "" }, decision.long ? `${words} (long)` : words));
      return line;
    }

    describeOffer(decision) {
      const chosen = new Set(decision.move ?? []);
      const list = make("ul", { class: "viewer-offer", tabindex: "0", "aria-label": "Offered" });
      for (const option of decision.options) {
        const marked = chosen.has(option);
        const item = make("li", { class: marked ? "chosen" : null }, this.data.options[option]);
        if (marked) item.append(make("span", { class: "unseen" }, " (chosen)"));
        list.append(item);
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

    // --- the timeline: a line of points for each seat, marks, and a slider on top of them

    drawTimeline() {
      const width = Math.max(120, this.timeline.clientWidth);
      const height = 56;
      const x = (step) => 4 + ((width - 8 - ENDS) * step) / Math.max(1, this.last);
      const chart = shape("svg", { class: "board viewer-chart", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
      this.drawRounds(chart, x, height);
      this.drawPoints(chart, x, height);
      this.drawMarks(chart, x, height);
      this.cursor = shape("line", { class: "viewer-cursor", y1: 0, y2: height });
      chart.append(this.cursor);
      this.x = x;
      if (!this.slider) {
        this.slider = make("input", { type: "range", min: 0, max: this.last, step: 1, "aria-label": "Step" });
        this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      }
      this.timeline.replaceChildren(chart, this.slider);
      this.moveCursor();
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

    drawPoints(chart, x, height) {
      const known = this.data.steps.map(({ points }) => points);
      const all = known.flatMap((points) => points ?? []);
      if (!all.length) return;
      const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
      const y = (value) => height - 16 - ((height - 22) * (value - low)) / (high - low);
      const ends = this.spread(known.findLast(Boolean).map(y), height);
      this.data.seats.forEach(({ icon }, seat) => {
        const line = [];
        known.forEach((points, step) => {
          if (points) line.push(`${x(step)},${y(points[seat])}`);
        });
        const mark = drawn(icon);
        const hue = [...mark.classList].find((name) => name.startsWith("hue-"));
        const named = { x: x(this.last) + 6, y: ends[seat] - 5, width: 10, height: 10 };
        for (const [name, value] of Object.entries(named)) mark.setAttribute(name, value);
        const points = shape("polyline", { class: "viewer-points", points: line.join(" ") });
        chart.append(shape("g", { class: hue }, points, mark));
      });
    }

    // Where marks stand that would be at these heights: in their order, and none upon another.
    spread(heights, height) {
      const room = Math.min(10, (height - 8) / Math.max(1, heights.length - 1));
      const order = heights.map((y, seat) => [y, seat]).sort(([a], [b]) => a - b);
      const places = [];
      let free = 5;
      order.forEach(([y, seat], at) => {
        const most = height - 4 - room * (order.length - 1 - at);
        places[seat] = Math.max(free, Math.min(y, most));
        free = places[seat] + room;
      });
      return places;
    }

    drawMarks(chart, x, height) {
      for (const step of this.faults) {
        chart.append(shape("path", { class: "viewer-fault-mark", d: `M${x(step) - 5} 0h10l-5 9z` }));
      }
      const frames = this.views[this.view].frames;
      frames.forEach((frame, step) => {
        if (!frame.decisions.some((number) => this.data.decisions[number].long)) return;
        chart.append(shape("circle", { class: "viewer-long-mark", cx: x(step), cy: height - 20, r: 3 }));
      });
    }

    moveCursor() {
      if (!this.slider) return;
      this.slider.value = String(this.step);
      this.slider.setAttribute("aria-valuetext", this.placeName());
      this.cursor.setAttribute("x1", this.x(this.step));
      this.cursor.setAttribute("x2", this.x(this.step));
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const root of document.querySelectorAll("[data-viewer]")) {
      const data = root.querySelector("script[type='application/json']");
      if (data) new Viewer(root, JSON.parse(data.textContent));
    }
  });
})();
