/* The choice area keeps one height: what does not fit its row is drawn along, lies on the board or in a list; what declines, ends
   or seals stays in reach. And its states: an order that
   is on its way, a line that is lost. */
"use strict";

(() => {
  const { table, _ } = sutler;
  if (!table) return;
  const body = document.body;
  const $ = (id) => document.getElementById(id);

  // --- One row; the rest as a list ------------------------------------------------------------------------

  let listing = false;
  let asked = null;

  function fit() {
    const prompt = $("prompt");
    const box = $("choices");
    if (!prompt || !box) return;
    body.classList.toggle("listing", listing);
    prompt.classList.remove("crowded", "folds", "helped");
    const button = prompt.querySelector("[data-list]");
    button.setAttribute("aria-expanded", String(listing));
    const all = table.choices();
    button.dataset.n = all.length;
    button.querySelector("span").textContent = listing ? _("Back to the board") : _("All as a list ({n})", { n: all.length });
    const spots = new Set([...document.querySelectorAll("#table [data-at], #seats [data-at]")].map((one) => one.dataset.at));
    for (const one of all) one.classList.toggle("spotless", !spots.has(one.dataset.for));   // nothing on the table stands for it
    const aimed = all.some((one) => !one.matches(".spotless") && !one.closest("details"));
    arrange(prompt, box, aimed);
    if (!listing) help(prompt, box);
    if (asked === table.shown().decision) return;
    asked = table.shown().decision;
    box.scrollTop = 0;               // what is new is read from its beginning
    const offered = box.querySelector(".offered");
    if (offered) offered.scrollLeft = 0;
  }

  function arrange(prompt, box, aimed) {
    const onMap = aimed && prompt.classList.contains("on-the-map");
    if (listing) { prompt.classList.add("crowded"); return; }
    if (!onMap && !isOver(box)) return;
    prompt.classList.add("crowded");
    if (aimed) prompt.classList.add("folds");
  }

  /* What the question is about is told where it takes no room from the choices. */
  function help(prompt, box) {
    const head = prompt.querySelector(":scope > div:not(.choices)");
    if (head.querySelector("p")?.offsetParent || box.querySelector("[data-seal]")) return;   // a board may have made room for it
    prompt.classList.add("helped");
    if (isOver(box) || head.scrollHeight > head.clientHeight + 1) prompt.classList.remove("helped");
  }

  const isOver = (box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;

  function list(open) {
    listing = open;
    fit();
    if (open) table.choices()[0]?.focus({ preventScroll: true });
  }

  // before all others that measure after a new picture: so they measure what stays, and nothing is laid out twice
  document.addEventListener("htmx:after:swap", () => { if (!table.choices().length) listing = false; fit(); }, true);
  addEventListener("resize", fit);
  document.fonts.ready.then(fit); // letters of another face take another width
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-list]")) { list(!listing); return; }
    const open = document.querySelector("#choices details.folded[open]");
    if (open && !open.contains(event.target)) open.open = false;
    if (listing && event.target.closest("#choices .choice")) listing = false;
  });
  document.addEventListener("click", (event) => { // in the thumb's sheet what one unfolds is brought into it
    const folded = event.target.closest("#choices .folded > summary")?.parentElement;
    if (folded && matchMedia("(max-width: 40rem)").matches) requestAnimationFrame(() => { fit(); if (folded.open) folded.querySelector(".row").scrollIntoView({ block: "nearest" }); });
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input:not([type=range]), textarea, select")) return;
    if (event.key === ",") { list(!listing); event.preventDefault(); }
    if (event.key === "Escape" && listing) { list(false); event.stopImmediatePropagation(); }
    const open = document.querySelector("#choices details.folded[open]");
    if (event.key === "Escape" && open) { open.open = false; open.querySelector("summary").focus(); event.stopImmediatePropagation(); }
  }, true);

  // --- An order on its way: seen at once, and said when it takes a while ------------------------------------

  let slow = null;

  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.request.method === "GET") return;
    const sent = event.detail.ctx.sourceElement;
    body.classList.add("busy");
    sent?.classList.add("sending");
    clearTimeout(slow);
    slow = setTimeout(() => body.classList.add("slow"), 400);
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (event.detail.ctx.request.method === "GET" || table.isBusy()) return;
    clearTimeout(slow);
    body.classList.remove("busy", "slow");
    for (const one of document.querySelectorAll(".sending")) one.classList.remove("sending");
  });

  // --- A line that is lost --------------------------------------------------------------------------------------

  const lost = $("lost");
  let next = 0;
  let ticking = null;

  function tick() {
    const seconds = Math.max(0, Math.ceil((next - Date.now()) / 1000));
    lost.querySelector("[data-lost-next]").textContent = seconds > 0 ? _("Reconnecting in {n} s.", { n: seconds }) : _("Reconnecting now.");
  }

  /* That the choices stand there again says it to whoever sees; no note is laid over the seats, and what told of the loss goes. */
  function back() {
    for (const told of document.querySelectorAll('#toasts [data-kind="trouble"]')) told.remove();
    $("announced").textContent = _("Connected again.");
  }

  document.addEventListener("sutler:line", ({ detail }) => {
    next = detail.next;
    clearInterval(ticking);
    if (!detail.live && lost.hidden) {
      lost.querySelector("[data-lost-since]").textContent = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    }
    if (detail.live && !lost.hidden) back();
    lost.hidden = detail.live;
    const choices = $("choices");
    if (choices) choices.inert = !detail.live;
    if (!detail.live) { tick(); ticking = setInterval(tick, 1000); }
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-lost-try]")) table.listen(); });

  fit();
})();
