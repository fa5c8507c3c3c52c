/* What every page needs: the drawings, the light, the sound switch, and words that stay a while. */
"use strict";

(() => {
  const script = document.currentScript;
  const root = document.documentElement;

  // The drawings are one cached file; they must stand in the page itself so that its colours reach them.
  const drawn = fetch(script.dataset.sprite)
    .then((answer) => answer.text())
    .then((text) => {
      const sprite = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      sprite.setAttribute("class", "sprite");
      sprite.setAttribute("aria-hidden", "true");
      document.body.append(document.adoptNode(sprite));
      root.dataset.drawn = "yes";
    })
    .catch(() => { root.dataset.drawn = "no"; });

  /* The address of something in this house, which may stand below the root of its site: `url("me")`. */
  const url = (path) => `${script.dataset.root}/${path}`;

  function keep(name, value) {
    document.cookie = `${name}=${value}; path=${url("")}; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  }

  function kept(name) {
    return document.cookie.split("; ").find((one) => one.startsWith(name + "="))?.slice(name.length + 1) ?? "";
  }

  function isDark() {
    const theme = root.dataset.theme;
    return theme ? theme === "candle" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  // A code that was scanned from the screen of another device stands in its field, and is used when the button is pressed.
  const scanned = /^#code=([a-z2-7-]{1,20})$/.exec(location.hash), typed = document.getElementById("typed");
  if (scanned && typed) {
    typed.value = scanned[1];
    history.replaceState(null, "", location.pathname);
    typed.form.querySelector("button").focus();
  }

  if (navigator.share) root.dataset.shares = "yes"; // else no button for it is shown

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-toggle]")) {
      root.dataset.theme = isDark() ? "day" : "candle";
      keep("sutler_theme", root.dataset.theme);
    }
  });

  /* Words on the page: they stay long enough to be read, longer while pointed at; a click sends them away. */
  function watchToasts(box) {
    const settle = (toast) => {
      const time = toast.dataset.kind === "hint" ? 12000 : 7000;
      const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, 2000) : toast.remove());
      setTimeout(leave, time);
      toast.addEventListener("click", (event) => { if (!event.target.closest("a")) toast.remove(); });
    };
    new MutationObserver((changes) => {
      for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === 1) settle(node);
      while (box.children.length > 4) box.firstElementChild.remove();
    }).observe(box, { childList: true });
  }

  function say(text, kind = "word") {
    const toast = document.createElement("p");
    toast.className = "toast";
    toast.dataset.kind = kind;
    const words = document.createElement("span");
    words.textContent = text;
    toast.append(words);
    document.getElementById("toasts")?.append(toast);
  }

  /* A text in the reader's language; what stands in braces is filled in. English stands in the scripts themselves. */
  function _(text, fields = {}) {
    return (window.sutlerWords?.[text] ?? text).replace(/\{(\w+)\}/g, (all, name) => fields[name] ?? all);
  }

  /* What this browser notes for itself and never sends; one that keeps nothing is told "". */
  function noted(name) {
    try { return localStorage.getItem(name) ?? ""; } catch { return ""; }
  }

  function note(name, value) {
    try { localStorage.setItem(name, value); } catch { /* it keeps nothing, or no more */ }
  }

  /* How much of the talk at a table this browser has shown; `hear` keeps it. */
  const ears = new Map();
  const heard = (table) => ears.get(table) ?? Number(noted(`sutler_heard:${table}`));

  function hear(table, said) {
    if (said <= heard(table)) return;
    ears.set(table, said);
    note(`sutler_heard:${table}`, said);
  }

  function markRows() {
    ears.clear();
    for (const mark of document.querySelectorAll(".unread[data-said]")) mark.hidden = Number(mark.dataset.said) <= heard(mark.dataset.table);
  }

  markRows();
  addEventListener("pageshow", (event) => { if (event.persisted) markRows(); });

  const box = document.getElementById("toasts");
  if (box) watchToasts(box);

  window.sutler = { drawn, url, keep, kept, note, noted, heard, hear, say, _ };
})();
