// The page without waiting: the same addresses are fetched as filters change. All of it works
// without this file, through the form and the links.
"use strict";

(() => {
  const PATIENCE = 150;
  const SETTLED = 1000;
  const LIVE = "live";
  // Held while a visitor's hand is on it: replacing it would take it away.
  const PARTS = ["why", "outcome", "matters"];
  const WIDE = { filters: 900, explained: 900, weights: 1250, talking: 1250 };
  const SCROLLED = ["filters", "beside"];
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
  function asked({ words = false, button = null } = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of new FormData(form(), button)) {
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
    return parsed(answer, address);
  }

  // A part of the page, and the address that it stands for where the server gave another.
  async function parsed(answer, address) {
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { fresh, address: answer.redirected ? new URL(answer.url).search || "?" : address };
  }

  // Which panels are open is the visitor's business, not the server's.
  function keepOpen(fresh, ...panels) {
    for (const id of panels) {
      const before = document.getElementById(id);
      const after = fresh.getElementById(id);
      if (before && after) after.open = before.open || (id === "explained" && after.open);
    }
  }

  // Where there is room, the style shows these whatever they say; so they had better say it, too.
  function widen() {
    for (const [id, width] of Object.entries(WIDE)) {
      const panel = document.getElementById(id);
      if (panel && matchMedia(`(min-width: ${width}px)`).matches) panel.open = true;
    }
  }

  function tell() {
    widen();
    const { summary, title } = result().dataset;
    if (status.textContent !== summary) status.textContent = summary;
    document.title = title;
    see();
  }

  function replaceParts(fresh) {
    const touched = document.getElementById("matters").contains(document.activeElement);
    const next = fresh.getElementById("result");
    keepOpen(fresh, "weights", "explained");
    for (const id of PARTS) {
      if (id === "matters" && touched) continue;
      document.getElementById(id).replaceWith(fresh.getElementById(id));
    }
    delete result().dataset.seen;
    Object.assign(result().dataset, { ...next.dataset });
    tell();
  }

  function replaceAll(fresh, ...panels) {
    keepOpen(fresh, "filters", "more-filters", "weights", "explained", ...panels);
    const scrolled = SCROLLED.map((id) => document.getElementById(id).scrollTop);
    document.getElementById("app").replaceWith(fresh.getElementById("app"));
    SCROLLED.forEach((id, at) => { document.getElementById(id).scrollTop = scrolled[at]; });
    tell();
  }

  // The keyboard stays where it was, or goes to the result if that place is gone.
  function restoreFocus(id) {
    const again = document.querySelector("#fix [autofocus]")
      ?? (id ? document.getElementById(id) : null);
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
      replaceParts((await fetched("result", address)).fresh);
      // What is said next is said beside this search.
      for (const input of document.getElementsByName("beside")) input.value = address;
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
      const answer = await fetched("app", address);
      replaceAll(answer.fresh, "talking");
      if (keep) history.pushState(null, "", answer.address);
      shown = location.search;
      restoreFocus(focus);
    }, address);
  }

  // A step of the conversation: the filters follow it, and the answer is read aloud.
  function say(step, button) {
    edited = "";
    clearTimeout(timer);
    const body = new URLSearchParams(new FormData(step, button));
    return busy(async () => {
      running?.abort();
      running = null;
      const answer = await parsed(await fetch(step.getAttribute("action"), {
        method: "POST",
        body,
        headers: { Accept: "text/html" },
      }));
      if (!answer.fresh.getElementById("app")) throw new Error("no such page");
      replaceAll(answer.fresh);
      history.pushState(null, "", answer.address);
      shown = location.search;
      restoreFocus("talk-text");
      status.textContent = [...document.querySelectorAll("#chat .theirs")].at(-1).textContent;
    }, location.href);
  }

  function isField(target) {
    return target.form === form() && target.name !== "" && target.name !== "say";
  }

  // A picture that is not there takes no room.
  function hide(picture) {
    picture.classList.add("missing");
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

  document.addEventListener("change", (event) => {
    // Another column has other values to suggest.
    if (event.target.name !== "fix.column") return;
    const address = new URLSearchParams(location.search);
    address.set("edit.column", event.target.value);
    go(`?${address}`, { keep: false, focus: null });
  });

  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (![form()?.id, "fix", "talk-say", "talk-steps"].includes(target.id)) return;
    event.preventDefault();
    clearTimeout(timer);
    if (target.id.startsWith("talk-")) {
      say(target, submitter);
    } else if (target.id === "fix") {
      go(`?${new URLSearchParams(new FormData(target))}`, { keep: true, focus: "undo" });
    } else {
      go(asked({ words: true, button: submitter }), { keep: true, focus: null })
        .then(() => result().scrollIntoView({ block: "nearest" }));
    }
  });

  // Enter sends a wish, as in any other field; with Shift it begins a line.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (event.target.name !== "say") return;
    event.preventDefault();
    form().requestSubmit();
  });

  document.addEventListener("error", (event) => {
    if (event.target.matches?.("img.picture")) hide(event.target);
  }, true);

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
  for (const picture of document.querySelectorAll("img.picture")) {
    if (picture.complete && !picture.naturalWidth) hide(picture);
  }
  see();
  widen();

  document.documentElement.classList.add(LIVE);
})();
