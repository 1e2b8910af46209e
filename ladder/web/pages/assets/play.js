// A match in play: the server sends the state as it changes; moves are sent without leaving the page.
// Without this script the forms work, too.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("table");
  const trouble = document.getElementById("trouble");
  if (!table) return;

  function report(text) {
    trouble.textContent = text;
    trouble.hidden = !text;
  }

  // --- the state

  function show(html) {
    const inside = table.contains(document.activeElement);
    const scrolled = document.querySelector(".options")?.scrollTop ?? 0;
    table.innerHTML = html; // from our server, which escapes what bots say; the policy allows no script in it
    prepare();
    const options = table.querySelector(".options");
    if (options) options.scrollTop = scrolled;
    if (inside) table.querySelector(".status").focus({ preventScroll: true });
  }

  let over = false;
  const news = new EventSource(table.dataset.news);
  news.addEventListener("message", (event) => {
    const state = JSON.parse(event.data);
    report("");
    show(state.html);
    over = state.over;
    if (over) news.close();
  });
  news.addEventListener("error", () => {
    if (!over) report("The server does not answer. If it was stopped, this match has ended.");
  });

  // --- moves

  async function send(form, submitter) {
    const fields = new URLSearchParams(new FormData(form, submitter));
    for (const control of form.querySelectorAll("button, input")) control.disabled = true;
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: fields,
        headers: { Accept: "application/json" },
      });
      const said = await answer.json();
      report(said.problem ? `${said.problem}.` : "");
      if (said.problem) for (const control of form.querySelectorAll("button, input")) control.disabled = false;
    } catch {
      report("The move could not be sent.");
      for (const control of form.querySelectorAll("button, input")) control.disabled = false;
    }
  }

  table.addEventListener("submit", (event) => {
    if (!event.target.classList.contains("moves")) return;
    event.preventDefault();
    send(event.target, event.submitter);
  });

  // --- clicks on the board

  const controlsOf = (key) =>
    [...table.querySelectorAll(".options [data-part]")].filter((control) => control.dataset.part === key);
  const partOf = (key) => table.querySelector(`.part[data-key="${CSS.escape(key)}"]`);

  function narrow(keys) {
    for (const control of table.querySelector(".options").children) {
      control.hidden = keys !== null && control.dataset.part !== keys;
    }
    const back = table.querySelector(".narrowed");
    if (back) back.hidden = keys === null;
  }

  function count(form) {
    const chosen = form.querySelectorAll("input[type=checkbox]:checked");
    const { low, high } = form.dataset;
    form.querySelector(".count").textContent = `${chosen.length} chosen`;
    form.querySelector(".primary").disabled = chosen.length < Number(low) || chosen.length > Number(high);
    for (const part of table.querySelectorAll(".part.chosen")) part.classList.remove("chosen");
    for (const box of chosen) partOf(box.closest("[data-part]")?.dataset.part ?? "")?.classList.add("chosen");
  }

  function prepare() {
    const form = table.querySelector(".moves");
    if (!form) return;
    for (const control of form.querySelectorAll(".options [data-part]")) {
      const part = partOf(control.dataset.part);
      part?.classList.add("clickable");
      control.addEventListener("pointerenter", () => part?.classList.add("chosen"));
      control.addEventListener("pointerleave", () => {
        if (form.dataset.kind === "one") part?.classList.remove("chosen");
      });
    }
    form.querySelector(".all-moves").addEventListener("click", () => narrow(null));
    if (form.dataset.kind === "some") {
      form.addEventListener("change", () => count(form));
      count(form);
    }
  }

  table.addEventListener("click", (event) => {
    const part = event.target.closest(".play-board .part.clickable");
    if (!part) return;
    const controls = controlsOf(part.dataset.key);
    if (controls.length === 1) (controls[0].querySelector("input") ?? controls[0]).click();
    else if (controls.length) narrow(part.dataset.key);
  });

  prepare();
});
