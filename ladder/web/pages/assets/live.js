// A page of `ladder serve` whose content is renewed when the server tells that the results have changed.
// What a visitor has sorted, filtered or typed into stays as it is until they ask for the new results.
"use strict";

const LIVE = new URL("live", document.currentScript.src); // beside this script, wherever a proxy shows it

document.addEventListener("DOMContentLoaded", () => {
  const main = document.getElementById("content");
  if (!main) return;
  const tell = (...what) => make("p", { class: "renew", role: "status", hidden: true }, ...what);
  const button = make("button", { type: "button" }, "Show the new results");
  const offer = tell(button);
  const ended = tell("The server has ended. These are the last results that it showed.");
  main.before(offer, ended);

  const isInUse = () =>
    main.contains(document.activeElement) ||
    main.querySelector(".resorted") !== null ||
    [...main.querySelectorAll("input[type=search]")].some((input) => input.value);

  let renewing = false;
  let again = false;

  async function renew() {
    offer.hidden = true;
    if (renewing) {
      again = true;
      return;
    }
    renewing = true;
    try {
      do {
        again = false;
        const answer = await fetch(location.href);
        if (!answer.ok) {
          offer.hidden = false;
          break;
        }
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        const content = fresh.getElementById("content");
        if (!content) break;
        main.replaceChildren(...content.childNodes);
        const bottom = fresh.querySelector(".bottom");
        if (bottom) document.querySelector(".bottom")?.replaceChildren(...bottom.childNodes);
        const top = scrollY;
        if (location.hash) location.replace(location.hash); // the new content has what it names, too
        scrollTo({ top, behavior: "instant" });
        document.dispatchEvent(new Event("renewed"));
      } while (again);
    } catch {
      // the server is gone: the stream of events notices when it is back
    } finally {
      renewing = false;
    }
  }

  button.addEventListener("click", renew);
  LIVE.searchParams.set("edition", main.dataset.edition || "");

  const RETRY_MS = 10_000;
  let news = null;
  let retry = 0;

  function listen() {
    clearTimeout(retry);
    news?.close();
    news = new EventSource(LIVE);
    news.addEventListener("message", () => {
      if (isInUse()) offer.hidden = false;
      else renew();
    });
    news.addEventListener("ending", () => (ended.hidden = false));
    news.addEventListener("open", () => (ended.hidden = true));
    news.addEventListener("error", () => {
      // the browser tries again by itself, but not after an answer that is an error, such as a proxy's
      if (news.readyState === EventSource.CLOSED) retry = setTimeout(listen, RETRY_MS);
    });
  }

  listen();
  window.addEventListener("online", listen);
});
