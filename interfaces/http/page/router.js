// The page without waiting: the same addresses are fetched as filters change. All of it works
// without this file, through the form and the links.
"use strict";

(() => {
  const PATIENCE = 150;
  const SETTLED = 1000;
  const LIVE = "live";
  // Held while a visitor's hand is on it: replacing it would take it away.
  const PARTS = ["why", "outcome", "matters"];
  const status = document.getElementById("status");
  let timer = 0;
  let running = null;
  let leaving = false;
  let shown = location.search;
  // The field being changed: all its changes together are one step of the history.
  let edited = "";

  const form = () => document.getElementById("search");
  const result = () => document.getElementById("result");

  // What the form says, without what is empty or as usual, so that addresses stay short. Words
  // are left out until they are sent: half a sentence means something else.
  function asked({ words = false } = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of new FormData(form())) {
      const usual = (name === "say" && !words)
        || (name.startsWith("weight.") && value === "50")
        || (name === "policy" && value === "least-weight");
      if (value.trim() !== "" && !usual) parameters.append(name, value.trim());
    }
    return `?${parameters}`;
  }

  // What somebody named in the address is shown, opens and puts back goes to their log; of anybody
  // else nothing does. A list counts once it has stood for a while, or something is done in it.
  let list = null;

  function send(list, done) {
    clearTimeout(list.timer);
    list.events += 1;
    const event = { ...list.record, ...done, id: `${list.id}-${list.events}`, time: Date.now() / 1000 };
    // Whether it arrives is not the visitor's concern.
    fetch("v1/events", {
      method: "POST",
      keepalive: true,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(event),
    }).catch(() => {});
  }

  function settle() {
    if (list && !list.events) send(list, {});
  }

  function see() {
    const { seen } = result().dataset;
    if (list?.seen === seen) return;
    clearTimeout(list?.timer);
    if (!seen) {
      list = null;
      return;
    }
    const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
    list = { seen, record: JSON.parse(seen), id, events: 0, opened: new Set() };
    list.timer = setTimeout(settle, SETTLED);
  }

  function did(target) {
    const key = target.closest("[data-key] :is(a, summary)")?.closest("[data-key]").dataset.key;
    const position = target.closest("[data-position]")?.dataset.position;
    if (!list || (key === undefined && position === undefined)) return;
    if (position !== undefined) send(list, { put_back: [Number(position)] });
    if (key === undefined || list.opened.has(key)) return;
    list.opened.add(key);
    send(list, { clicked: [key] });
  }

  async function fetched(part, address) {
    running?.abort();
    running = new AbortController();
    const answer = await fetch(`page/${part}${address}`, {
      signal: running.signal,
      headers: { Accept: "text/html" },
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  // Which panels are open is the visitor's business, not the server's.
  function keepOpen(before, after) {
    if (before && after && before.id === after.id) after.open = before.open;
  }

  function tell() {
    const { summary, title } = result().dataset;
    if (status.textContent !== summary) status.textContent = summary;
    document.title = title;
    see();
  }

  function replaceParts(fresh) {
    const touched = document.getElementById("matters").contains(document.activeElement);
    const next = fresh.getElementById("result");
    for (const id of PARTS) {
      if (id === "matters" && touched) continue;
      if (id === "matters") {
        keepOpen(document.getElementById("weights"), fresh.getElementById("weights"));
      }
      document.getElementById(id).replaceWith(fresh.getElementById(id));
    }
    delete result().dataset.seen;
    Object.assign(result().dataset, { ...next.dataset });
    tell();
  }

  function replaceAll(fresh) {
    for (const id of ["filters", "more-filters", "weights"]) {
      keepOpen(document.getElementById(id), fresh.getElementById(id));
    }
    const scrolled = form().scrollTop;
    document.getElementById("app").replaceWith(fresh.getElementById("app"));
    form().scrollTop = scrolled;
    tell();
  }

  // The keyboard stays where it was, or goes to the result if that place is gone.
  function restoreFocus(id) {
    const again = id ? document.getElementById(id) : null;
    (again ?? result()).focus({ preventScroll: again !== null });
  }

  async function busy(work, address) {
    result().setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      if (error.name === "AbortError" || leaving) return;
      // The server says what is wrong on a page of its own.
      location.assign(address);
      return;
    }
    result().removeAttribute("aria-busy");
  }

  // A filter has changed: the form stays as it is under the visitor's hands.
  function update({ keep }) {
    const address = asked();
    return busy(async () => {
      replaceParts(await fetched("result", address));
      if (address !== (location.search || "?")) {
        history[keep ? "pushState" : "replaceState"](null, "", address);
      }
      shown = location.search;
    }, address);
  }

  function step(name) {
    update({ keep: edited !== name });
    edited = name;
  }

  // A link has been followed: the form may say something else now.
  function go(address, { keep, focus }) {
    edited = "";
    return busy(async () => {
      replaceAll(await fetched("app", address));
      if (keep) history.pushState(null, "", address);
      shown = location.search;
      restoreFocus(focus);
    }, address);
  }

  function isField(target) {
    return target.form === form() && target.name !== "" && target.name !== "say";
  }

  document.addEventListener("input", (event) => {
    if (!isField(event.target)) return;
    clearTimeout(timer);
    timer = setTimeout(() => step(event.target.name), PATIENCE);
  });

  document.addEventListener("change", (event) => {
    if (!isField(event.target)) return;
    clearTimeout(timer);
    // A menu may bring another one ("or also"); a text field may be left for the next by now.
    if (event.target.matches("select")) {
      go(asked(), { keep: true, focus: event.target.id });
    } else {
      step(event.target.name);
      edited = "";
    }
  });

  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    clearTimeout(timer);
    go(asked({ words: true }), { keep: true, focus: null }).then(() => result().scrollIntoView());
  });

  document.addEventListener("click", (event) => {
    did(event.target);
    const link = event.target.closest("#app a[href^='?']");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !plain) return;
    event.preventDefault();
    clearTimeout(timer);
    go(link.getAttribute("href"), { keep: true, focus: link.id });
  });

  addEventListener("popstate", () => {
    // A jump inside the page is no other result.
    if (location.search === shown) return;
    clearTimeout(timer);
    go(location.search || "?", { keep: false, focus: document.activeElement?.id });
  });

  addEventListener("beforeunload", () => { leaving = true; });
  addEventListener("pagehide", settle);
  see();

  document.documentElement.classList.add(LIVE);
})();
