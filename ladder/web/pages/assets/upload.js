// The page Upload: sends the file with the token, and shows each state.  The token stays in the page's memory.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("upload"), answer = document.getElementById("answer");
  const page = document.getElementById("page");
  const ENDED = ["refused", "kept back", "played", "replaced"];
  let newest = 0;
  form.hidden = false;

  async function ask(address, more) {
    const headers = { Authorization: `Bearer ${document.getElementById("token").value.trim()}` };
    const response = await fetch(`api/v1/${address}`, { ...more, headers, cache: "no-store" });
    const told = await response.json();
    if (!response.ok) throw new Error([told.detail, told.hint].filter(Boolean).join(": "));
    return told;
  }

  function show(state) {
    const parts = [state.upload, state.state, state.why, state.until && `until ${state.until}`];
    if (state.place) parts.push(`place ${state.place}`);
    if (state.about_s) parts.push(`about ${state.about_s} s`);
    if (state.bot) parts.push(state.number ? `${state.bot}@${state.number}` : state.bot);
    if (state.match) parts.push(`match ${state.match}`);
    parts.push(`for ${state.age_s} s`);
    answer.textContent = parts.filter(Boolean).join(", ");
    page.textContent = state.page || "";
    page.hidden = !state.page;
    return ENDED.includes(state.state);
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = document.getElementById("file").files[0], name = encodeURIComponent(file.name);
    const mine = ++newest; // another upload ends the look at this one
    try {
      answer.textContent = "on its way";
      page.hidden = true;
      let state = await ask(`bots/${name}`, { method: "PUT", body: file });
      while (mine === newest && !show(state)) {
        await new Promise((resolve) => setTimeout(resolve, 3000));
        state = await ask(`uploads/${name}`);
      }
    } catch (error) {
      if (mine === newest) answer.textContent = error.message;
    }
  });
});
