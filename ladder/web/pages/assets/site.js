// The theme, tables that sort and filter, and the search for a bot.  Pages work without it.
"use strict";

// Return an element.  Attributes that are null or false are left out; text is always text.
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

(() => {
  const THEMES = ["auto", "light", "dark"];

  // --- theme: remembered; a browser may forbid to remember, and then it is the system's

  function storedTheme() {
    try {
      const theme = localStorage.getItem("theme");
      return THEMES.includes(theme) ? theme : "auto";
    } catch {
      return "auto";
    }
  }

  const applyTheme = (theme) => (document.documentElement.dataset.theme = theme);

  function offerThemes() {
    const button = document.getElementById("theme");
    if (!button) return;
    let theme = storedTheme();
    const label = () => (button.textContent = `Theme: ${theme}`);
    label();
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // it holds for this page
      }
      applyTheme(theme);
      label();
    });
  }

  // --- sorting: a cell sorts by data-sort if it has one, else by its text; what is unknown stands last

  function keyOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.sort ?? cell.textContent.trim();
    if (text === "" || text === "-") return null;
    const number = Number(text.replaceAll(",", ""));
    return Number.isNaN(number) ? text.toLowerCase() : number;
  }

  function compare(a, b) {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  }

  function sortBy(table, heading, descending) {
    const column = heading.cellIndex;
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
      rows.sort(([a], [b]) => (a === null) - (b === null) || (descending ? compare(b, a) : compare(a, b)));
      body.append(...rows.map(([, row]) => row));
    }
    for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    table.classList.add("resorted");
  }

  function makeSortable(table) {
    for (const heading of table.tHead.rows[0].cells) {
      const text = heading.textContent.trim();
      if (!text || heading.dataset.sort === "no") continue;
      const button = make("button", { type: "button" }, ...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const now = heading.getAttribute("aria-sort");
        const first = heading.classList.contains("number") && heading.dataset.sort !== "up";
        sortBy(table, heading, now === null ? first : now === "ascending");
      });
    }
  }

  // --- a row that is pointed at, or has the focus, marks those that cannot be told apart from it

  function markAlike(table) {
    const rows = [...table.querySelectorAll("[data-alike]")];
    const mark = (row) => {
      const alike = BigInt(`0x${row?.dataset.alike ?? 0}`);
      rows.forEach((each, at) => each.classList.toggle("alike", (alike >> BigInt(at)) % 2n === 1n));
    };
    for (const type of ["pointerover", "focusin"]) table.addEventListener(type, ({ target }) => mark(target.closest("tbody tr")));
    for (const type of ["pointerleave", "focusout"]) table.addEventListener(type, () => mark(null));
  }

  // --- filtering: rows that hold every word

  function filterRows(table, typed) {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...table.querySelectorAll("tbody tr")];
    for (const row of rows) {
      const handles = [...row.querySelectorAll("bdi[title]")].map((name) => name.title);
      const text = [row.textContent, ...handles].join(" ").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    return rows.filter((row) => !row.hidden).length;
  }

  function makeFilterable(table, typed) {
    const input = make("input", { type: "search", value: typed });
    const count = make("span", { class: "muted", role: "status" });
    const box = make("div", { class: "filter" }, make("label", {}, "Filter ", input), " ", count);
    (table.closest(".scroll") ?? table).before(box);
    const apply = () => {
      const left = filterRows(table, input.value);
      count.textContent = input.value.trim() ? `${left} shown` : "";
    };
    input.addEventListener("input", apply);
    if (typed) apply();
  }

  function prepareTables(wanted) {
    for (const table of document.querySelectorAll("table[data-sortable]")) makeSortable(table);
    for (const table of document.querySelectorAll("table:has([data-alike])")) markAlike(table);
    for (const table of document.querySelectorAll("table[data-filter]")) {
      makeFilterable(table, table.dataset.filter === "search" ? wanted : "");
    }
  }

  for (const kind of ["click", "keydown"]) {
    document.addEventListener(kind, (event) => { // the list of games closes like a menu
      const menu = document.querySelector(".tabs [open]");
      const isLeft = kind === "click" && !menu?.contains(event.target);
      if (menu && (isLeft || event.key === "Escape")) menu.open = false;
    });
  }

  // --- forms that change something: a second click, before the server has answered, sends nothing

  const PATIENCE_MS = 10_000;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return; // another script sends it, or nothing changes
    if (form.classList.contains("sent")) event.preventDefault();
    form.classList.add("sent");
    setTimeout(() => form.classList.remove("sent"), PATIENCE_MS); // perhaps the visitor has stopped it
  });
  window.addEventListener("pageshow", () => { // back from the answer
    for (const form of document.querySelectorAll("form.sent")) form.classList.remove("sent");
  });

  // --- an entrant of a bracket under the pointer or with the focus: its way is marked

  for (const [what, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(what, ({ target }) => {
      const of = target.closest?.(".bracket .name, .bracket a")?.outerHTML.match(/of-\d+/)?.[0];
      for (const each of of ? document.querySelectorAll(`.bracket .${of}`) : []) each.classList.toggle("path", on);
    });
  }

  applyTheme(storedTheme());
  document.addEventListener("DOMContentLoaded", () => {
    offerThemes();
    const wanted = new URLSearchParams(location.search).get("bot") ?? "";
    const find = document.getElementById("find");
    if (find && wanted) find.value = wanted;
    prepareTables(wanted);
  });
  document.addEventListener("renewed", () => prepareTables("")); // live.js has replaced the content
})();
