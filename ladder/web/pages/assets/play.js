// A match in play: the server sends the state as it changes; moves are sent without leaving the page.
// A move is made of its parts on the board, in any order.  Without this script the forms work, too.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("table");
  const trouble = document.getElementById("trouble");
  if (!table) return;

  function report(text) {
    if (trouble.textContent !== text) trouble.textContent = text; // else a screen reader says it again
    trouble.hidden = !text;
  }

  // --- the state

  function show(html) {
    const focus = whereFocusIs();
    const open = table.querySelector(".every")?.open;
    const leaving = table.querySelector(".leave")?.open;
    const scrolled = table.querySelector(".options")?.scrollTop ?? 0;
    const step = stepAsked();
    const [chosen, waiting] = [selected, doubted?.value];
    const before = new Map([...board().querySelectorAll(".part")].map((part) => [part.dataset.key, boards.placeOf(part)]));
    explain(null);
    table.innerHTML = html; // from our server, which escapes what bots say; the policy allows no script in it
    document.title = table.querySelector(".table-title").dataset.title;
    prepare();
    const isSame = step !== undefined && step === stepAsked(); // others moved
    if (isSame) chooseAgain(chosen);
    showChanges(before);
    const every = table.querySelector(".every");
    if (every && open) every.open = true;
    const leave = table.querySelector(".leave");
    if (leave && leaving) leave.open = true;
    const options = table.querySelector(".options");
    if (options) options.scrollTop = scrolled;
    focusAgain(focus);
    const again = isSame && waiting && moves.find(({ control }) => control.value === waiting);
    if (again) ask(again.control, again.control.dataset.cost);
  }

  const RETRY_MS = 3000;
  let over = false;
  let shown = table.dataset.version; // what comes again, such as to a new connection, is not shown again
  let news = null;
  let retry = 0;

  // Hear of the match from now on.  The first that the server sends is the whole state.
  function listen() {
    clearTimeout(retry);
    news?.close();
    if (over) return;
    news = new EventSource(table.dataset.news);
    news.addEventListener("message", (event) => {
      const state = JSON.parse(event.data);
      report("");
      if (state.version !== shown) show(state.html);
      shown = state.version;
      over = state.over;
      if (over) news.close();
    });
    news.addEventListener("ending", () => finish("The server has ended, and this match with it."));
    news.addEventListener("error", () => {
      tellLost();
      // the browser tries again by itself, but not after an answer that is an error, such as a proxy's
      if (news.readyState === EventSource.CLOSED) lookForTable();
    });
  }

  // After such an answer the table may be gone: a server that is started again knows none from before.
  async function lookForTable() {
    clearTimeout(retry);
    retry = setTimeout(listen, RETRY_MS);
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 404) finish("This match is gone.");
  }

  // Say why no more will happen, and offer nothing to press.
  function finish(text) {
    over = true;
    clearTimeout(retry);
    news.close();
    report("");
    const status = table.querySelector(".status");
    status.textContent = text;
    status.classList.remove("yours");
    for (const each of table.querySelectorAll(".moves, .send, .now, .leave")) each.remove();
    prepare();
  }

  function tellLost() {
    if (over) return;
    report(
      navigator.onLine
        ? "The server does not answer. This page tries again by itself; if the server was stopped, this match has ended."
        : "There is no connection. The match waits for you, and this page goes on by itself.",
    );
  }

  listen();
  window.addEventListener("offline", tellLost);
  window.addEventListener("online", listen);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) listen(); // back from another page: the browser had closed the connection
  });

  // --- where the focus is, which the state that replaces this one takes over

  function whereFocusIs() {
    const at = document.activeElement;
    if (!at || !table.contains(at)) return null;
    const part = at.closest(".play-board .part");
    return { part: part?.dataset.key, at: part && middleOf(part), log: Boolean(at.closest(".log")) };
  }

  let lastAt = null; // where the focus was on the board

  // The clickable part nearest to a place: not the first one, which may be another kind of move.
  function nearestTo(place) {
    if (!place) return board().querySelector(".part[tabindex='0']");
    const far = (part) => Math.hypot(...middleOf(part).map((at, axis) => at - place[axis]));
    return [...board().querySelectorAll(".part.clickable")].sort((a, b) => far(a) - far(b))[0] ?? null;
  }

  function focusAgain(focus) {
    if (!focus) return;
    const part = focus.part === undefined ? null : partOf(focus.part);
    const again = focus.log
      ? table.querySelector(".log")
      : part?.classList.contains("clickable")
        ? part
        : nearestTo(focus.at ?? lastAt) ?? table.querySelector(".now button") ?? (over ? table.querySelector(".status") : board());
    if (again.classList.contains("part")) makeCurrent(again);
    again.focus({ preventScroll: true });
  }

  // --- sending

  async function send(form, submitter) {
    const fields = new URLSearchParams(new FormData(form, submitter));
    form.classList.add("sent"); // controls are not disabled: the one with the focus would lose it
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: fields,
        headers: { Accept: "application/json" },
      });
      const said = await answer.json();
      report(said.problem ? `${said.problem}.` : "");
      if (said.problem) form.classList.remove("sent");
    } catch {
      report("The move could not be sent. Make it again when there is a connection.");
      form.classList.remove("sent");
    }
  }

  table.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.classList.contains("moves")) return;
    event.preventDefault();
    if (form.classList.contains("sent")) return;
    const paying = kind === "one" ? [submitter] : [...form.querySelectorAll(".toggle:has(:checked)")];
    const cost = paying.map((control) => control.dataset.cost).filter(Boolean).join("; ");
    if (submitter.name === "sure") send(form, doubted ?? submitter);
    else if (cost || (kind === "one" && eachAsks())) ask(submitter, cost);
    else send(form, submitter);
  });

  // --- what is asked before a move is sent

  const EACH = "ladder-confirm-each-move";
  let doubted = null; // the control whose move waits for a word
  let asker = null; // where the focus was before

  const eachAsks = () => table.querySelector(".each input").checked;

  function ask(control, cost) {
    doubted = control;
    asker = document.activeElement;
    const sure = table.querySelector(".sure");
    sure.hidden = false;
    sure.querySelector("b").textContent = control.textContent.trim();
    sure.querySelector(".price").textContent = cost;
    explain(null);
    sure.querySelector(".primary").focus({ preventScroll: true });
  }

  table.addEventListener("change", (event) => {
    if (event.target.name === "each") remember(event.target.checked);
  });

  // A browser may forbid to keep anything: then the switch holds until the page is left.
  function remember(asks) {
    isAsking = asks;
    try {
      localStorage.setItem(EACH, asks ? "yes" : "");
    } catch {}
  }

  let isAsking = false;
  try {
    isAsking = Boolean(localStorage.getItem(EACH));
  } catch {}

  // --- what has changed since the last move, one step after another

  const STEP_MS = 350;
  let lastStep = 0; // the last one that this page has shown

  const MOVE_MS = 250;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // What has the key that it had *before* moves from there.
  function showChanges(before) {
    const steps = JSON.parse(board().dataset.changes);
    const fresh = [...new Set(Object.values(steps))].filter((step) => step > lastStep).sort((a, b) => a - b);
    for (const [key, step] of Object.entries(steps)) {
      const at = fresh.indexOf(step);
      const part = at < 0 ? null : partOf(key);
      if (!part?.classList.contains("changed")) continue;
      part.classList.add("fresh");
      part.style.setProperty("--delay", `${at * STEP_MS}ms`);
      const [from, to] = [before.get(key), boards.placeOf(part)];
      if (still.matches || !from || from === to) continue;
      part.animate([{ transform: from }, { transform: to }], { duration: MOVE_MS, delay: at * STEP_MS, fill: "backwards" });
    }
    lastStep = Math.max(lastStep, ...fresh);
  }

  // --- moves by their parts

  let moves = []; // what is offered: its control, and its parts, each a name and the keys that stand for it
  let names = new Map(); // the name of each key
  let selected = []; // the keys that are selected
  let kind = "one";
  let held = new Set(); // the keys of the things that moves begin with, such as a hand, also of those that may not be chosen

  const board = () => table.querySelector(".play-board");
  const partOf = (key) => board().querySelector(`.part[data-key="${CSS.escape(key)}"]`);

  // Whether each of *keys* stands for a part of *move*, and no two for the same.
  function fits(move, keys) {
    const free = [...move.parts];
    return keys.every((key) => {
      const at = free.findIndex((part) => part.keys.includes(key));
      if (at >= 0) free.splice(at, 1);
      return at >= 0;
    });
  }

  const stepAsked = () => table.querySelector(".moves input[name=step]")?.value;

  const canSelect = (keys) => moves.some((move) => fits(move, keys));

  // The part that *key* may join what is selected.  Of things of which some are chosen, all that are left.
  const isPossible = (key) =>
    !selected.includes(key) && (kind === "some" ? names.has(key) : canSelect([...selected, key]));

  // Whether *keys* leave nothing to choose in *move*: its other parts are parts of every move.
  function decides(move, keys) {
    const open = move.parts.filter((part) => !part.keys.some((key) => keys.includes(key)));
    const isShared = (part) => moves.every((each) => each.parts.some((other) => other.keys[0] === part.keys[0]));
    return open.every(isShared);
  }

  // What is selected after a press on *key*, which is not: it joins what it can.
  function join(key) {
    if (canSelect([...selected, key])) return [...selected, key];
    return canSelect([key]) ? [...selected.filter((each) => canSelect([each, key])), key] : null;
  }

  // The move that *keys* decide, if they do.
  function decided(keys) {
    const possible = moves.filter((move) => fits(move, keys));
    return possible.length === 1 && decides(possible[0], keys) ? possible[0] : null;
  }

  // What a press on *key* does, in words.
  function does(key) {
    if (selected.includes(key)) return `Take back ${names.get(key)}`;
    const move = kind === "one" && decided(join(key) ?? []);
    return move ? move.control.textContent.trim() : `Choose ${names.get(key)}`;
  }

  function press(key) {
    if (table.querySelector(".moves.sent")) return; // the server has the move: what is shown is over
    if (kind === "some") {
      const move = moves.find((each) => fits(each, [key]));
      if (move) move.control.querySelector("input").click();
      return;
    }
    if (doubted && takeBack()) return;
    if (selected.includes(key)) {
      selected = selected.filter((each) => each !== key);
      display(); // what is taken back plays nothing, also if only one move is left
      return;
    }
    selected = join(key) ?? selected;
    const move = decided(selected);
    if (move) return move.control.click();
    display();
    if (byKey) table.querySelector(".now button:not(.back)")?.focus({ preventScroll: true });
  }

  function takeBack() {
    if (!doubted && (kind === "some" || !selected.length)) return false;
    const at = doubted ? asker : partOf(selected[0]);
    doubted = null;
    table.querySelector(".sure").hidden = true;
    if (kind === "one") selected = [];
    display();
    at?.focus({ preventScroll: true });
    return true;
  }

  const FINGER = 32; // pixels: the least width of what is touched

  // Let a touch or a click miss a small round part a little.
  function widen(part) {
    const outline = part.querySelector("circle.outline");
    if (!outline || part.querySelector(".reach")) return;
    const radius = FINGER / 2 / outline.getScreenCTM().a;
    if (outline.r.baseVal.value >= radius) return;
    const reach = outline.cloneNode();
    reach.setAttribute("class", "reach");
    reach.setAttribute("r", radius);
    part.prepend(reach);
  }

  // Mark what is selected and what can be, and offer in words what the board cannot tell apart.
  function display() {
    const possible = moves.filter((move) => fits(move, selected));
    for (const part of board().querySelectorAll(".part")) {
      const { key } = part.dataset;
      const name = names.get(key);
      const isSelected = selected.includes(key);
      part.classList.toggle("clickable", names.has(key));
      part.classList.toggle("possible", names.has(key) && isPossible(key));
      part.classList.toggle("selected", isSelected);
      if (!names.has(key)) continue;
      table.querySelector(`.captions [data-key="${CSS.escape(key)}"]`)?.classList.toggle("marked", isSelected);
      part.setAttribute("role", "button");
      widen(part);
      const drawn = [...part.querySelectorAll("text")].map((text) => text.textContent).join(" ");
      part.setAttribute("aria-label", drawn && !name.includes(drawn) ? `${name}, ${drawn}` : name);
      part.setAttribute("aria-description", does(key));
      part.setAttribute("aria-pressed", String(isSelected));
      if (!part.hasAttribute("tabindex")) part.setAttribute("tabindex", "-1");
    }
    if (!board().querySelector(".part[tabindex='0']")) {
      const first = board().querySelector(".part.possible");
      if (first) makeCurrent(first);
    }
    offer(possible);
    boards.copyHand(board(), held);
  }

  // Show buttons for moves that are fully selected but not told apart, and for those without parts.
  function offer(possible) {
    const now = table.querySelector(".now");
    if (!now) return;
    const complete = kind === "one" ? possible.filter((move) => move.parts.length === selected.length) : [];
    const few = complete.length <= 12 ? complete : [];
    const buttons = few.map((move) => {
      const button = make("button", { type: "button" }, move.control.textContent.trim());
      button.addEventListener("click", () => move.control.click());
      return button;
    });
    const told = selected.map((key) => names.get(key));
    if (told.length && kind === "one") {
      const back = make("button", { type: "button", class: "back" }, "Take back");
      back.addEventListener("click", takeBack);
      buttons.unshift(make("span", {}, `Selected: ${told.join(", ")}`));
      buttons.push(back);
    }
    now.replaceChildren(...buttons);
    now.hidden = !buttons.length;
  }

  function count(form) {
    const chosen = form.querySelectorAll("input[type=checkbox]:checked");
    const { low, high } = form.dataset;
    table.querySelector(".count").textContent = `${chosen.length} chosen`;
    table.querySelector(".send .primary").disabled = chosen.length < Number(low) || chosen.length > Number(high);
    selected = moves
      .filter((move) => move.control.querySelector("input").checked)
      .flatMap((move) => move.parts.map((part) => part.keys[0]));
    display();
  }

  function prepare() {
    const form = table.querySelector(".moves");
    moves = [];
    selected = [];
    doubted = null;
    names = new Map();
    const each = table.querySelector(".each input");
    if (each) each.checked = isAsking;
    held = new Set();
    boards.fit();
    if (!form) return display();
    kind = form.dataset.kind;
    moves = [...form.querySelectorAll(".options [data-parts]")].map((control) => ({
      control,
      parts: JSON.parse(control.dataset.parts),
    }));
    names = new Map(moves.flatMap((move) => move.parts.flatMap((part) => part.keys.map((key) => [key, part.name]))));
    const candidates = names.size ? JSON.parse(form.dataset.candidates) : [];
    for (const keys of candidates) {
      if (!keys.some((key) => names.has(key))) for (const key of keys) partOf(key)?.classList.add("barred");
    }
    const first = moves.flatMap((move) => move.parts[0]?.keys ?? []);
    held = new Set(candidates.flat().some((key) => first.includes(key)) ? [...first, ...candidates.flat()] : first);
    for (const { control, parts } of moves) {
      const light = (on) => {
        for (const part of parts) partOf(part.keys[0])?.classList.toggle("pointed", on);
      };
      control.addEventListener("pointerenter", () => light(true));
      control.addEventListener("pointerleave", () => light(false));
    }
    for (const line of table.querySelectorAll(".captions li")) {
      const { key } = line.dataset;
      line.classList.toggle("clickable", names.has(key)); // with the mouse; keys work on the board
      line.addEventListener("pointerenter", () => partOf(key)?.classList.add("pointed"));
      line.addEventListener("pointerleave", () => partOf(key)?.classList.remove("pointed"));
    }
    if (kind === "some") {
      form.addEventListener("change", () => count(form));
      count(form);
    } else {
      display();
    }
    if (!moves.some((move) => move.parts.length)) return;
    form.querySelector(".every").open = false;
    board().querySelector("svg").setAttribute("role", "group"); // no longer one image: it has parts to press
  }

  // Select *keys* as they were before the same question was shown again.
  function chooseAgain(keys) {
    if (kind === "one") {
      selected = keys;
      display();
      return;
    }
    for (const { control, parts } of moves) {
      control.querySelector("input").checked = parts.some((part) => keys.includes(part.keys[0]));
    }
    count(table.querySelector(".moves"));
  }

  // --- the mouse and the keys on the board: one part is in the order of the tabulator, arrows go to others

  const PARTS = ".play-board .part:is(.possible, .selected)";
  const BUTTONS = ".turn :is(button, .back)"; // they are above the board, for arrows as well

  function makeCurrent(part) {
    for (const other of board().querySelectorAll(".part[tabindex='0']")) other.setAttribute("tabindex", "-1");
    part.setAttribute("tabindex", "0");
  }

  function middleOf(part) {
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  // Return the nearest part or button in a direction; what lies aside counts as farther away.
  function neighbour(part, [right, down]) {
    const [x, y] = middleOf(part);
    let nearest = null;
    let least = Infinity;
    const isButton = part.matches(BUTTONS);
    const within = isButton ? (down > 0 ? PARTS : BUTTONS) : down < 0 ? `${PARTS}, ${BUTTONS}` : PARTS;
    for (const other of table.querySelectorAll(within)) {
      if (other.disabled || !other.checkVisibility()) continue;
      const [otherX, otherY] = middleOf(other);
      const ahead = (otherX - x) * right + (otherY - y) * down;
      const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
      const distance = ahead + 2 * aside;
      if (other !== part && ahead > 1 && distance < least) [nearest, least] = [other, distance];
    }
    return nearest;
  }

  table.addEventListener("click", (event) => {
    const hit = event.target.closest(".captions .clickable, .play-board .part.clickable, .hand .part");
    if (!hit) return;
    const part = partOf(hit.dataset.key ?? hit.dataset.of);
    makeCurrent(part);
    part.focus({ preventScroll: true });
    press(part.dataset.key);
  });

  let byKey = false; // whether keys were used last: then it is told what the part with the focus does
  document.addEventListener("keydown", () => (byKey = true), true);
  document.addEventListener("pointerdown", () => (byKey = false), true);

  // Show beside *part* what a press on it does.
  function explain(part) {
    const hint = document.getElementById("hint");
    hint.hidden = !part || Boolean(doubted);
    if (hint.hidden) return;
    hint.setAttribute("aria-hidden", "true"); // a screen reader has it as the description of the part
    hint.textContent = does(part.dataset.key);
    const { left, top, bottom } = part.getBoundingClientRect();
    const { width, height } = hint.getBoundingClientRect();
    hint.style.left = `${Math.max(4, Math.min(left, document.documentElement.clientWidth - width - 4))}px`;
    hint.style.top = `${bottom + height + 8 < innerHeight ? bottom + 6 : top - height - 6}px`;
  }

  table.addEventListener("click", (event) => {
    if (!event.target.closest(".sure .back")) return;
    event.preventDefault();
    takeBack();
  });

  // The part that the pointer or the focus is on: its caption is marked.
  for (const [what, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    table.addEventListener(what, (event) => {
      const part = event.target.closest?.(".play-board .part");
      const key = part?.dataset.key;
      if (what === "focusin" && part) lastAt = middleOf(part);
      const isTold = what === "focusin" ? byKey : event.pointerType === "mouse";
      explain(on && isTold && part?.classList.contains("clickable") ? part : null);
      const line = key && table.querySelector(`.captions [data-key="${CSS.escape(key)}"]`);
      if (line) line.classList.toggle("pointed", on);
    });
  }

  table.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      if (takeBack()) event.preventDefault();
      return;
    }
    const at = event.target.closest?.(`.part.clickable, .play-board, ${BUTTONS}`);
    if (!at) return;
    const isPart = at.classList.contains("part");
    if (event.key === "Enter" || event.key === " ") {
      if (isPart || event.repeat) event.preventDefault(); // a key that is held down confirms nothing
      if (isPart && !event.repeat) press(at.dataset.key);
    } else if (event.key in DIRECTIONS) {
      const other = neighbour(at, DIRECTIONS[event.key]);
      if (other || isPart) event.preventDefault();
      if (!other) return;
      if (other.classList.contains("part")) makeCurrent(other);
      other.focus();
    }
  });

  boards.PHONE.addEventListener("change", display);
  prepare();
  if (document.activeElement === document.body) focusAgain({});
});
