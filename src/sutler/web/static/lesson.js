/* A lesson: frames the one thing that is lit, brings it into view, and repeats in the slip why a click did nothing.
   What is lit and what is waited for is said by the page (#saying); nothing is judged here. */
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const HAND = 30;                  // from the frame to the middle of the hand
  const frame = document.createElement("div");
  frame.className = "lit-frame";
  frame.hidden = true;
  frame.setAttribute("aria-hidden", "true");
  frame.innerHTML = '<svg viewBox="0 0 512 512"><use href="#pointing"/></svg>';
  document.body.append(frame);

  /* A spot as a lesson names it: something on the board, a seat's part, or a part of the page. */
  function ways(spot) {
    const quoted = CSS.escape(spot);
    const seat = /^seat:(\d+)(?:\/([\w-]+))?$/.exec(spot);
    if (seat) return seat[2] ? [`#seat-${seat[1]} .${seat[2]}`, `#seat-${seat[1]} [data-spot="${seat[2]}"]`, `#seat-${seat[1]}`] : [`#seat-${seat[1]}`];
    if (!spot.includes(":")) return [`#${quoted}`, `#table [data-spot="${quoted}"]`, `#table .${quoted}`, `.${quoted}`];
    return [`[data-at="${quoted}"]`, `[data-spot="${quoted}"]`, `[data-piece="${quoted}"]`, `[data-explain="${quoted}"]`, `#table [aria-label^="${CSS.escape(spot.split(":")[1])}"]`];
  }

  /* What only a screen reader is told stands there as a pixel, and is no more to be seen than what is hidden. */
  const SEEN_PX = 4;
  const isDrawn = ({ width, height }) => Math.min(width, height) >= SEEN_PX;
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && isDrawn(element.getBoundingClientRect());
  /* Where something is to be done a thumb can do it there: what a phone only shows, small, is not pointed at. */
  const takes = (element) => seen(element) && (element.ownerSVGElement || getComputedStyle(element).pointerEvents !== "none");

  /* What is meant: on the board rather than among the buttons, where the same name stands on both. */
  function lit() {
    const row = inMenu();
    if (row) return row;
    const found = JSON.parse($("saying").dataset.spots).flatMap(ways)
      .flatMap((way) => [...document.querySelectorAll(way)].filter((one) => !one.closest("#lesson")));
    const spots = [...found.filter((one) => !one.closest("#choices")), ...found.filter((one) => one.closest("#choices"))];
    const fits = $("saying").dataset.wanted ? takes : seen;
    const best = spots.find(fits) ?? brought(spots, fits);
    return best ? best.closest(".land, .card, .choice") ?? best : wanted();
  }

  /* A board that shows one part at a time is asked for the part where it lies. */
  function brought(hidden, fits = seen) {
    hidden[0]?.dispatchEvent(new CustomEvent("bring", { bubbles: true }));
    return hidden.find(fits) ?? hidden.find(seen);
  }

  /* Where one spot offers several things and they are open: the row of what is waited for. */
  function inMenu() {
    const slip = $("slip"), name = $("saying").dataset.wanted;
    if (!name || slip.hidden || slip.dataset.kind !== "menu") return null;
    const button = document.querySelector(`#choices .choice[data-action="${CSS.escape(name)}"]`);
    return button && slip.querySelector(`[data-of="${button.id}"]`);
  }

  /* The button of the choice that is waited for, unfolded if it must be; once it is taken up, the one that seals it. */
  function wanted() {
    const name = $("saying").dataset.wanted;
    if (!name) return null;
    const button = document.querySelector(`#choices .choice[data-action="${CSS.escape(name)}"]`);
    const folded = button?.closest("details:not([open])");
    if (folded) folded.open = true;
    if (button && !seen(button)) brought([button]);
    return document.querySelector(`[data-seal="${button?.id}"]`) ?? button;
  }

  const SPARED = ".choice, .legal, .die, .tool, a, #lesson, h1";
  const WORDS = "h2, h3, h4, p, li, .tell";

  /* Where the hand has room: where it covers neither words nor what can be clicked; else where it covers words, but no title. */
  const sideOf = (...box) => [`${SPARED}, ${WORDS}`, SPARED].flatMap((spared) => ["above", "right", "left", "below"].filter((side) => isFree(spared, side, ...box)))[0] ?? "none";

  function isFree(spared, side, left, top, right, bottom) {
    const x = { above: (left + right) / 2, below: (left + right) / 2, left: left - HAND, right: right + HAND }[side];
    const y = { above: top - HAND, below: bottom + HAND, left: (top + bottom) / 2, right: (top + bottom) / 2 }[side];
    const corners = [[0, 0], [-16, -16], [16, -16], [-16, 16], [16, 16]].map(([dx, dy]) => document.elementFromPoint(x + dx, y + dy));
    return corners.every((one) => one && !one.closest(spared));
  }

  /* What of it is not scrolled away: a frame round the rest would lie over what stands there instead. */
  function visible(element) {
    const whole = element.getBoundingClientRect();
    let { left, top, right, bottom } = whole;
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const edge = around.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    return right - left > 8 && bottom - top > 8 ? { left, top, right, bottom } : whole;
  }

  let target = null, placed = "";
  const said = ({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round).join();

  /* Fonts and late scripts move what is framed, and say nothing. */
  const LOOKED_AFTER = 300;         // milliseconds
  setInterval(() => { if (target?.isConnected && said(visible(target)) !== placed) place(); }, LOOKED_AFTER);

  function place() {
    frame.hidden = !target?.isConnected;
    if (frame.hidden) return;
    const box = visible(target);
    placed = said(box);
    const pad = target.closest("#slip") ? 0 : 4;
    const left = Math.max(8, box.left - pad);
    const top = Math.max(8, box.top - pad);
    const right = Math.min(innerWidth - 8, box.right + pad);
    const bottom = Math.min(innerHeight - 8, box.bottom + pad);
    Object.assign(frame.style, { left: `${left}px`, top: `${top}px`, inlineSize: `${Math.max(0, right - left)}px`, blockSize: `${Math.max(0, bottom - top)}px` });
    frame.classList.toggle("on-slip", Boolean(target.closest("#slip")));
    frame.dataset.side = sideOf(left, top, right, bottom);
  }

  const settled = (motions) => Promise.allSettled(motions.map((one) => one.finished));

  /* What is framed may be on its way: a map that is zoomed glides there. */
  async function placeWhenStill() {
    place();
    await settled(document.getAnimations().filter((one) => one.effect?.target !== frame));
    place();
  }

  let step = "";

  async function point() {
    target = lit();
    document.body.dataset.about = ["hand", "choices"].find((part) => target?.closest(`.${part}`)) ?? "board";
    const now = `${$("saying").dataset.step} ${$("saying").dataset.wanted} ${target?.dataset.seal ?? ""}`;
    if (target && now !== step) target.scrollIntoView({ block: "nearest", inline: "center", behavior: calm.matches ? "auto" : "instant" });
    step = now;
    await placeWhenStill();
    await settled(frame.getAnimations());
    document.body.dataset.lit = target ? "yes" : "no";
  }

  document.addEventListener("htmx:after:swap", () => requestAnimationFrame(point));
  document.addEventListener("bring", ({ target: one }) => { if (one.dataset?.seal) point(); });
  addEventListener("resize", place);
  document.addEventListener("moved", placeWhenStill);
  addEventListener("scroll", place, { capture: true, passive: true });

  // A spot where nothing can be done says why in its own slip; the teacher repeats it. Where it offers several things, one of them is framed.
  let rows = false;
  new MutationObserver(() => {
    const slip = $("slip"), open = !slip.hidden && slip.dataset.kind === "menu";
    if (open || rows) point();
    rows = open;
    if (slip.hidden || slip.dataset.kind !== "why") return;
    const answer = $("answer");
    answer.querySelector("span").textContent = slip.textContent.trim().replace(/\s+/g, " ");
    answer.hidden = false;
  }).observe($("slip"), { childList: true, attributes: true, attributeFilter: ["hidden"] });

  // Enter goes on, wherever nothing else is meant by it.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== document.body) return;
    document.querySelector('#lesson [data-do="on"]')?.click();
  });

  point();
  // The board's own script comes later; once it has laid out its parts, what is lit is found and brought into view anew.
  if (document.readyState !== "complete") addEventListener("load", () => { step = ""; point(); });
})();
