// The replay viewer: steps through the frames that stand in the page as data.  See ladder/web/pages/viewer.py.
"use strict";

(() => {
  const { SIGNS, shape, sign, isolated, drawn, inflate, unfold } = viewerElements;
  const { Panel, Timeline, makeHelp } = viewerPanels;
  const MOVE_MS = 150;
  const SPEEDS = [0.5, 1, 2, 4, 8];

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
      const hasFault = (_, step) => this.views.some(({ frames }) => frames[step].faults.length);
      this.faults = [...data.steps.keys()].filter(hasFault);
      this.still = matchMedia("(prefers-reduced-motion: reduce)");
      this.find();
      this.offerViews();
      this.offerButtons();
      this.readAddress();
      this.drawTimeline();
      new ResizeObserver(() => this.drawTimeline()).observe(this.timeline.holder);
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
      this.side = get("panel");
      this.panel = new Panel(this.data);
      this.bar = get("bar");
      this.timeline = new Timeline(get("timeline"), this.data, this.faults, (step) => this.go(step));
      this.captions = this.root.querySelector(".captions");
      this.viewButtons = get("views");
      this.buttons = get("buttons");
      for (const part of [this.side, this.bar, this.viewButtons]) part.hidden = false;
      if (this.views.length < 2) this.viewButtons.hidden = true;
      this.plots = [...this.root.querySelectorAll(".viewer-plot")].map((plot) => this.markSteps(plot));
      this.said = make("p", { class: "unseen", "aria-live": "polite" });
      this.root.append(this.said);
    }

    // A line at the step that is shown, on a plot whose width is that of all steps; a click goes to a step.
    markSteps(plot) {
      const line = make("span");
      const steps = make("div", { class: "viewer-here" }, line);
      plot.append(steps);
      plot.addEventListener("click", (event) => {
        const { left, width } = steps.getBoundingClientRect();
        this.go(Math.round((this.last * (event.clientX - left)) / width));
      });
      return line;
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
      this.copy = offer("Link", "Copy the link of this step", () => this.copyLink());
      this.place = make("span", { class: "viewer-place" });
      this.points = make("span", { class: "viewer-scores", role: "group", "aria-label": "Points" });
      const speed = make("select", { "aria-label": "Steps a second" });
      for (const rate of SPEEDS) speed.append(make("option", { value: rate }, `${rate} / s`));
      speed.value = String(this.speed);
      speed.addEventListener("change", () => {
        this.speed = Number(speed.value);
        if (this.timer) this.startTimer();
      });
      this.help = makeHelp();
      this.root.append(this.help);
      this.buttons.append(speed);
      offer("?", "Keys (?)", () => this.help.showModal()).classList.add("viewer-keys");
      this.buttons.append(make("span", { class: "viewer-legend" }, ...this.legend()), this.points, this.place);
    }

    // A page that came over plain HTTP may not write to the clipboard: then it shows the link.
    copyLink() {
      const copying = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
      copying.then(() => (this.copy.textContent = "Copied"), () => prompt("The link of this step", location.href));
    }

    legend() {
      const long = this.data.decisions.some((decision) => decision.long);
      const fault = this.faults.length ? make("span", {}, sign("below"), " fault") : null;
      return [fault, long ? make("span", {}, sign("ring"), " long thought") : null];
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
      if (round === null) return this.go(this.step + way * this.data.seats.length);
      const starts = [...steps.keys()].filter((step) => steps[step - 1]?.round !== steps[step].round);
      if (way > 0) this.go(starts.find((step) => step > this.step) ?? this.last);
      else this.go(starts.findLast((step) => step < this.step) ?? 0);
    }

    toFault() {
      if (!this.faults.length) return;
      this.go(this.faults.find((step) => step > this.step) ?? this.faults[0]);
    }

    // --- playing by itself

    play() {
      if (this.timer) return this.stop();
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
      this.side.replaceChildren(...this.panel.describe(this.step, frame));
      this.showCaptions(frame);
      this.buttonsFollow();
      this.moveCursor();
      this.showPoints();
      this.place.textContent = this.placeName();
      this.said.textContent = [...this.side.querySelectorAll(".viewer-events bdi")].map((line) => line.textContent).join("\n");
      this.viewButtons.querySelectorAll("button").forEach((button, number) => {
        button.setAttribute("aria-pressed", String(number === this.view));
      });
    }

    drawTimeline() {
      this.timeline.draw(this.views[this.view].frames);
      this.moveCursor();
    }

    moveCursor() {
      this.timeline.moveTo(this.step, this.placeName());
      for (const line of this.plots) line.style.left = `${(100 * this.step) / Math.max(1, this.last)}%`;
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
      this.copy.textContent = "Link";
    }

    showBoard(view, frame) {
      const moves = this.shown && this.shown.view === this.view && this.step === this.shown.step + 1;
      const before = this.step ? new Set(view.frames[this.step - 1].parts) : null;
      const looks = new Set([...(before ?? [])].map((number) => this.look(number)));
      const marked = new Set(frame.decisions.flatMap((number) => this.data.decisions[number].marked));
      const old = this.elements;
      const elements = new Map();
      const picture = this.picture ?? this.makePicture();
      picture.dataset.tall = frame.size.slice(0, 2).join(" ");
      if (frame.size.length > 2) picture.dataset.wide = frame.size.slice(2).join(" ");
      else delete picture.dataset.wide;
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
      boards.fit();
      if (moves && !this.still.matches) this.animate(old, elements);
      this.elements = elements;
      this.shown = { view: this.view, step: this.step };
    }

    // What is read beside the board about its parts; the pointer on a line shows which part it is about.
    showCaptions(frame) {
      if (!this.captions) return;
      const marked = new Set([...this.layer.querySelectorAll(".changed, .chosen")].map((part) => part.dataset.key));
      const lines = frame.captions.map((number) => {
        const [key, name, text] = this.data.captions[number];
        const line = make("li", { class: marked.has(key) ? "marked" : null }, name ? make("b", {}, name) : null, name ? " " : "", text);
        const point = (on) => this.layer.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.toggle("pointed", on);
        line.addEventListener("pointerenter", () => point(true));
        line.addEventListener("pointerleave", () => point(false));
        return line;
      });
      this.captions.replaceChildren(...lines);
    }

    // The form and the key of a part, without its place: a card that only moves within a hand has not changed.
    look(number) {
      return this.data.parts[number].slice(0, 2).join(" ");
    }

    makePart(number) {
      const [form, key, place, wide] = this.data.parts[number];
      const part = drawn(this.data.shapes[form]);
      part.dataset.key = key;
      if (place) part.setAttribute("transform", `translate(${place})`);
      if (wide) part.dataset.wide = wide;
      return part;
    }

    makePicture() {
      this.title = shape("title", {});
      this.text = shape("desc", {});
      const ground = shape("rect", { class: "ground", rx: 12 });
      this.layer = shape("g", {});
      const picture = shape("svg", { class: "board", role: "img" }, this.title, this.text, ground, this.layer);
      this.board.replaceChildren(picture);
      this.picture = picture;
      return picture;
    }

    // A part that has its key from the frame before moves from there.
    animate(old, elements) {
      const was = new Map([...old.values()].map((part) => [part.dataset.key, part]));
      for (const part of elements.values()) {
        const from = was.get(part.dataset.key);
        if (!from || from === part) continue;
        const [a, b] = [boards.placeOf(from), boards.placeOf(part)];
        if (a !== b) part.animate([{ transform: a }, { transform: b }], { duration: MOVE_MS, easing: "ease-out" });
      }
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
    for (const root of document.querySelectorAll("[data-viewer]")) {
      const data = root.querySelector("#viewer-data");
      const unable = root.querySelector("noscript");
      if (data) inflate(data).then((match) => new Viewer(root, match), () => (unable.outerHTML = unable.textContent));
    }
  });
})();
