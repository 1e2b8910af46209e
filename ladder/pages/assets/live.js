// A page whose content is renewed when the server tells that the results have changed.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const live = document.getElementById("live");
  if (!live?.dataset.live) return;
  const news = new EventSource(live.dataset.live);
  let renewing = false;
  let again = false;

  async function renew() {
    if (renewing) {
      again = true;
      return;
    }
    renewing = true;
    try {
      do {
        again = false;
        const answer = await fetch(location.href);
        if (!answer.ok) break;
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
        if (fresh) live.replaceChildren(...fresh.childNodes);
      } while (again);
    } catch {
      // the server is gone: the stream of events notices when it is back
    } finally {
      renewing = false;
    }
  }

  news.addEventListener("message", renew);
});
