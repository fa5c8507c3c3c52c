/* One line to the house for all tabs of a browser: the tab in front listens for all of them and tells them. A browser keeps six
   lines to one house (HTTP/1.1); if every tab held one, the sixth would leave none for orders. No lock is needed, and none is to be
   had without https: whoever comes to the front listens from then on, and the others let go. */
"use strict";

(() => {
  const LONGEST = 15;               // seconds between two attempts
  const PULSE = 15_000;             // the listening tab says that it is there
  const QUIET = 40_000;             // after so long without a word of it, a tab that is seen listens itself
  const me = `${Date.now()}-${Math.random()}`;
  const channel = new BroadcastChannel("sutler");
  const wanted = new Map();         // tab: the table that it shows
  let told = null;                  // what this tab wants to hear
  let at = null;                    // its table
  let source = null;                // the line, where it is this tab's
  let asked = "";                   // the tables it was opened for
  let attempts = 0;
  let retry = null;
  let leads = false;
  let heard = 0;                    // when the listening tab was last heard of

  const post = (kind, more = {}) => channel.postMessage({ kind, tab: me, ...more });

  /* For this tab, and for all others. */
  function pass(kind, more) {
    post(kind, more);
    take(kind, more);
  }

  function take(kind, more) {
    if (!told) return;
    if (kind === "news" && more.at === at) told.news(more.version);
    if (kind === "gone" && more.at === at) told.line(false, 0);
    if (kind === "line") told.line(more.live, more.next);
  }

  // --- Listening for all ------------------------------------------------------------------------------------

  function lead() {
    if (!told) return;
    leads = true;
    attempts = 0;
    wanted.clear();
    wanted.set(me, at);
    post("lead");
    open();
  }

  function yieldLine() {
    leads = false;
    close();
  }

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
    asked = "";
  }

  function open() {
    close();
    const tables = [...new Set(wanted.values())].sort();
    asked = tables.join(" ");
    source = new EventSource(sutler.url(`events?${new URLSearchParams(tables.map((one) => ["at", one]))}`));
    source.addEventListener("table", ({ data }) => {
      const [table, version] = data.split(" ");
      attempts = 0;
      pass("news", { at: table, version });
    });
    source.addEventListener("gone", ({ data }) => pass("gone", { at: data }));
    source.addEventListener("open", () => { attempts = 0; pass("line", { live: true, next: 0 }); });
    source.addEventListener("error", () => lost(navigator.onLine === false));
  }

  /* A line that breaks once is taken up at once and in silence; what stays broken is told, and tried again and again. */
  function lost(loudly) {
    close();
    const wait = attempts === 0 && !loudly ? 0.2 : Math.min(LONGEST, 2 ** attempts);
    attempts += 1;
    retry = setTimeout(open, wait * 1000);
    if (loudly || attempts > 1) pass("line", { live: false, next: Date.now() + wait * 1000 });
  }

  let gathering = null;

  /* Tables that came or went; several at once are one change. */
  function gather() {
    clearTimeout(gathering);
    gathering = setTimeout(() => {
      if (leads && asked !== [...new Set(wanted.values())].sort().join(" ") && source) open();
      else if (leads && source?.readyState === EventSource.OPEN) post("line", { live: true, next: 0 });
    }, 100);
  }

  // --- Hearing from the one that listens -----------------------------------------------------------------------

  channel.addEventListener("message", ({ data: { kind, tab, ...more } }) => {
    if (kind === "want" && leads) { wanted.set(tab, more.at); gather(); }
    if (kind === "bye" && leads && wanted.delete(tab)) gather();
    if (kind === "bye" && more.led && told) setTimeout(claim, document.hidden ? 300 + 500 * Math.random() : 100 * Math.random());
    if (kind === "lead") {
      heard = Date.now();
      if (leads) yieldLine();
      if (told) post("want", { at });
    }
    if (["news", "gone", "line", "pulse"].includes(kind)) { heard = Date.now(); if (!leads) take(kind, more); }
  });

  /* Listen, unless another does by now. */
  function claim() {
    if (told && !leads && Date.now() - heard > 90) lead();
  }

  setInterval(() => {
    if (leads) post("pulse");
    else if (!document.hidden && Date.now() - heard > QUIET) lead();
  }, PULSE);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !leads) lead(); });
  addEventListener("online", () => lead());
  addEventListener("offline", () => { if (leads) lost(true); else told?.line(false, Date.now() + 1000 * LONGEST); });
  addEventListener("pagehide", () => { post("bye", { led: leads }); yieldLine(); });
  addEventListener("pageshow", (event) => { if (event.persisted) lead(); });

  sutler.line = {
    /* Hear of a table from now on: `news(version)` of every change, `line(live, next)` of the line itself. */
    listen(table, handlers) {
      at = table;
      told = handlers;
      if (!document.hidden) return lead();
      post("want", { at });            // opened in the background: whoever listens is asked to do so for this tab, too
      setTimeout(() => { if (!heard) lead(); }, 1000);
    },
    /* The house did not answer: try the line again. */
    doubt() { if (leads) lost(true); else lead(); },
    get leads() { return leads; },
  };
})();
