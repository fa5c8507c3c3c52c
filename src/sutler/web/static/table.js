/* The table: clicks and keys reach the choices, the board is morphed, news arrive by themselves. It judges nothing:
   every choice on the board is one of the buttons above it. */
"use strict";

(() => {
  const body = document.body;
  const base = body.dataset.base;
  const $ = (id) => document.getElementById(id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // --- The side: log, rules, talk -------------------------------------------------------------------

  const tabs = [...document.querySelectorAll("[data-tab]")];
  const panels = { log: $("log"), rules: $("rules"), talk: $("talk-panel") };

  function openSide(name, focus = false) {
    for (const tab of tabs) {
      const on = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on && focus) tab.focus();
    }
    for (const [key, panel] of Object.entries(panels)) if (panel) panel.hidden = key !== name;
    listenToTalk();
    if (name === "log") toNewest();
  }

  function sheetOpen(open) {
    body.classList.toggle("side-open", open);
    listenToTalk();
  }

  /* What was said and is not in sight is marked, here and in every list of tables, until it is. */
  function listenToTalk() {
    if (base === undefined) return;
    const inSight = !panels.talk.hidden && getComputedStyle($("side")).visibility === "visible";
    const here = body.dataset.table;
    if (inSight || lastSaid() <= sutler.heard(here)) sutler.hear(here, lastSaid("")); // what comes from somebody muted is not new
    for (const dot of document.querySelectorAll(".unread")) dot.hidden = lastSaid() <= sutler.heard(here);
  }

  /* The number of the last line of the talk that is shown; with `which` "", of the last one. */
  const lastSaid = (which = ":not([hidden])") => Number([...document.querySelectorAll(`#talk li[data-said]${which}`)].at(-1)?.dataset.said ?? 0);

  function toNewest() {
    const log = $("log");
    if (log) log.scrollTop = log.scrollHeight;
  }

  /* Where the newest line is in sight it stays so, though what stands above the log grows, as the coach does when it has thought. */
  function keepNewest(log) {
    let newest = true;
    log.addEventListener("scroll", () => { newest = log.scrollHeight - log.scrollTop - log.clientHeight < 2; }, { passive: true });
    new ResizeObserver(() => { if (newest) toNewest(); }).observe(log);
  }

  function showRule(number) {
    openSide("rules");
    sheetOpen(true);
    const paragraph = document.getElementById(`rule-${number}`);
    if (!paragraph) return;
    search("");
    paragraph.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
    for (const one of document.querySelectorAll(".paragraph.found")) one.classList.remove("found");
    paragraph.classList.add("found");
    paragraph.tabIndex = -1;
    paragraph.focus({ preventScroll: true });
  }

  function search(text) {
    const field = $("find-rule");
    if (field && field.value !== text && text === "") field.value = "";
    const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const paragraph of document.querySelectorAll("#guide .paragraph")) {
      const words = paragraph.textContent.toLocaleLowerCase();
      const fits = wanted.every((word) => words.includes(word));
      paragraph.hidden = !fits;
      if (fits) found += 1;
    }
    for (const heading of document.querySelectorAll("#guide > h3")) heading.hidden = wanted.length > 0;
    const phase = $("phase-rules");
    if (phase) phase.hidden = wanted.length > 0;
    const none = $("no-rule");
    if (none) none.hidden = found > 0;
  }

  $("find-rule")?.addEventListener("input", (event) => search(event.target.value));

  document.addEventListener("click", (event) => {
    const rule = event.target.closest("[data-rule]");
    if (rule && $("guide")) {
      event.preventDefault();
      event.stopPropagation();
      showRule(rule.dataset.rule);
    }
  }, true);

  if (base === undefined) return;   // the guide on a page of its own ends here

  // --- Talking to the house --------------------------------------------------------------------------

  const table = () => $("table");
  const shown = () => ({ ...table().dataset });
  let playing = null;               // the timer of a replay that plays through

  async function fetchParts(moment = null, eyes = shown().eyes, more = {}) {
    const query = new URLSearchParams(more);
    if (eyes !== "") query.set("eyes", eyes);
    if (moment !== null) query.set("moment", moment);
    await htmx.ajax("GET", `${base}/now?${query}`, { target: "#table", swap: "none" });
  }

  let heard = false;                // is it being asked what others did?

  /* What others did after so many decisions, and the picture with it: of the present, or where it is to be followed, of the first of it. */
  async function fetchNews(since, atOnce) {
    $("acts").replaceChildren();
    heard = true;
    try { await fetchParts(null, shown().eyes, atOnce ? { since, at_once: true } : { since }); } finally { heard = false; }
    return $("acts");
  }

  let busy = 0;                     // orders under way: their answers bring the new picture themselves

  let whole = false;                // the next picture is asked for whole

  document.addEventListener("htmx:config:request", (event) => {
    const { headers } = event.detail.ctx.request;
    const told = shown().log ?? body.dataset.log;
    if (told) headers["Sutler-Log"] = told;
    headers["Sutler-News"] = newest;
    if (shown().parts && !whole) headers["Sutler-Parts"] = shown().parts;
  });
  const SLOW = 5000;                // milliseconds after which an order without an answer is told of
  let slow = null;

  function tellOfSlowness() {
    sutler.say(sutler._("The house has not answered yet. Your order is on its way; nothing is lost."), "trouble");
  }

  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.request.method === "GET") return;
    busy += 1;
    clearTimeout(slow);
    slow = setTimeout(tellOfSlowness, SLOW);
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (event.detail.ctx.request.method === "GET") return;
    busy = Math.max(0, busy - 1);
    if (!busy) clearTimeout(slow);
    if (!busy) catchUp();
  });

  let newest = shown().version;     // what the house last said; what is shown may be older while one looks back
  let fetching = false;
  let again = null;

  async function catchUp() {
    if (fetching || busy) return;
    fetching = true;
    try {
      if (newest !== shown().version && await sutler.table.follow?.news()) return;
      while (!busy && newest !== shown().version && shown().moment === "") {
        const asked = newest;
        await fetchParts();
        if (shown().version !== asked && newest === asked) break;   // it could not be had; the next word will bring it
      }
    } finally {
      fetching = false;
    }
    clearTimeout(again);
    if (!busy && newest !== shown().version && shown().moment === "") again = setTimeout(catchUp, 1500);
  }

  // --- The line to the table: told of at once when it is lost, taken up again by itself --------------------

  function line(live, next = 0) {
    if (live && body.dataset.live === "yes") return;
    body.dataset.live = live ? "yes" : "no";
    document.dispatchEvent(new CustomEvent("sutler:line", { detail: { live, next } }));
  }

  function news(version) {
    newest = version;
    line(true);
    if (shown().moment === "" || sutler.table.follow?.following()) catchUp();
    else if (newest !== shown().version && body.classList.contains("looking-back")) sutler.say(sutler._("New moves. “now” takes you to them."));
  }

  const listen = () => sutler.line.listen(base, { news, line });

  addEventListener("pageshow", (event) => { if (event.persisted) fetchParts(); });
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx?.request?.method === "GET") return;
    sutler.say(sutler._("The server did not answer. Nothing was lost; try again."), "trouble");
    if (navigator.onLine === false || !event.detail.ctx?.response) sutler.line.doubt();
  });

  // --- Before and after a new picture ------------------------------------------------------------------

  let places = new Map();
  let shownBefore = null;           // what lay here before the new picture: for what is dealt and rolled
  let lastTurn = null;
  const questionOf = ({ decision, eyes }) => `${decision} ${eyes}`;
  let askedBefore = questionOf(shown()), phaseBefore = document.querySelector(".phases [aria-current]")?.textContent ?? "";
  const title = document.title;

  /* Two answers may overtake one another: an older picture never replaces a newer one. */
  function isOlder(text) {
    const [house, change] = (/data-version="([^"]+)"/.exec(text ?? "")?.[1] ?? "").split(".");
    const [here, shownChange] = shown().version.split(".");
    return house === here && Number(change) < Number(shownChange);
  }

  /* An answer brings what differs from what was shown when it was asked for. If something else is shown by now, all is fetched. */
  function fits({ text, request }) {
    const before = request?.headers["Sutler-Parts"];
    if (before === undefined || before === shown().parts || !text?.includes("data-parts=")) return true;
    whole = true;
    fetchParts(shown().moment === "" ? null : Number(shown().moment)).finally(() => { whole = false; });
    return false;
  }

  /* What the table says of itself comes with every answer, though the table itself may stay as it is. */
  function adopt(text) {
    const said = /<main\b[^>]*\bid="table"[^>]*>/.exec(text ?? "")?.[0];
    if (!said) return;
    const facts = new DOMParser().parseFromString(said, "text/html").getElementById("table").dataset;
    for (const name of Object.keys(shown())) if (!(name in facts)) delete table().dataset[name];
    Object.assign(table().dataset, facts);
  }

  /* A piece of a part that is shown already comes empty: the one that is here stays as it is. */
  function keepStills(text) {
    for (const one of document.querySelectorAll("[data-still]")) {
      one.toggleAttribute("hx-morph-skip", text?.includes(`<g id="${one.id}" data-still></g>`) ?? false);
    }
  }

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    if (isOlder(ctx?.text) || (ctx && !fits(ctx))) { event.preventDefault(); return; }
    shownBefore = calm.matches ? null : lying();
    adopt(ctx?.text);
    keepStills(ctx?.text);
    for (const one of document.querySelectorAll(".peek")) one.classList.remove("peek");
    hideSlip();
    places = new Map();
    if (calm.matches) return;
    for (const piece of document.querySelectorAll("[data-piece]")) places.set(piece.dataset.piece, placeOf(piece));
  });

  /* On a board that scrolls, a new phase is seen from its beginning, and what the new question is about comes into sight; what one scrolls
     to afterwards stays. */
  function showAsked() {
    const now = questionOf(shown());
    if (askedBefore === now) return;
    askedBefore = now;
    const phase = document.querySelector(".phases [aria-current]")?.textContent ?? "";
    if (phase !== phaseBefore) for (const one of [$("plate"), $("plate").firstElementChild]) if (one) one.scrollTop = 0;
    phaseBefore = phase;
    const lit = [...$("plate").querySelectorAll(".legal")].filter((one) => one.getClientRects().length > 0);
    if (!lit.length) return;
    const scroller = lit[0].closest("#plate, #plate > :first-child");
    const pane = [scroller, $("plate")].find((one) => one && one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== "visible");
    if (!pane) return;
    const box = pane.getBoundingClientRect(), top = box.top + (parseFloat(getComputedStyle(pane).scrollPaddingTop) || 0);
    const seen = (one) => { const rect = one.getBoundingClientRect(); return rect.bottom > top && rect.top < box.bottom; };
    if (!lit.some(seen)) lit[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  document.addEventListener("htmx:after:swap", settled);

  /* Whoever asked to take back hears of a refusal; consent is seen, and so is a move that came instead. */
  let waited = "";
  function tellRefusal(now) {
    const waits = document.querySelector("#choices [data-waits]") !== null;
    if (waited === now.decision && !waits && now.moment === "") sutler.say(sutler._("Your request to take back was refused."));
    waited = waits ? now.decision : "";
  }

  function settled() {
    const now = shown();
    tellRefusal(now);
    const follows = (sutler.table.follow?.following() ?? false) || (heard && $("acts").querySelector("[data-followed]") !== null);
    body.classList.toggle("looking-back", now.moment !== "" && !follows);
    if (now.log) body.dataset.log = now.log;
    if (now.since !== undefined) markNews(Number(now.since));
    const scrub = $("scrub");
    scrub.max = now.decision;
    listenToTalk();
    if (follows) { carry(); dealAndRoll(); return; }
    if (!playing || now.moment === "") scrub.value = now.moment === "" ? now.decision : now.moment;
    scrub.setAttribute("aria-valuetext", now.moment === "" ? sutler._("now") : sutler._("decision {n} of {most}", { n: now.moment, most: now.decision }));
    countAlike();
    for (const line of document.querySelectorAll(".line.shown")) line.classList.remove("shown");
    if (now.moment === "") { if (!$("log").matches(":hover, :focus-within")) toNewest(); }
    else showLine(Number(now.moment));
    showAsked();
    carry();
    dealAndRoll();
    showSound();
    const mine = document.querySelector("#choices .choice[data-action]") !== null;
    document.title = (mine ? "● " : "") + title;
    if (mine && lastTurn === false) chime();
    lastTurn = mine;
    document.querySelector(".seat.turn")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const hand = $("hand");
    hand?.querySelector(".legal, .chosen")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    if (matchMedia("(pointer: fine)").matches === false) return;
    if (document.activeElement === body && keyboard) document.querySelector("#choices .choice")?.focus({ preventScroll: true });
  }

  /* The log follows what is shown: the last line told by then is marked and brought into sight. */
  function showLine(moment) {
    let shown = null;
    for (const line of $("lines").querySelectorAll(".line")) {
      if (Number(line.dataset.decision) > moment) break;
      if (!line.hidden) shown = line;
    }
    if (!shown) { $("log").scrollTop = 0; return; }
    for (const line of $("lines").querySelectorAll(`.line[data-decision="${shown.dataset.decision}"]`)) line.classList.add("shown");
    shown.scrollIntoView({ block: "nearest" });
  }

  /* Lines that read alike, one after another, are one line and a number, and those that add up one line with their sum, which the house has
     put into words. Those that were counted already are left as they are. */
  function countAlike() {
    const fresh = [];
    for (let line = $("lines").lastElementChild; line && !("counted" in line.dataset); line = line.previousElementSibling) fresh.unshift(line);
    for (const line of fresh) {
      line.dataset.counted = "";
      let before = line.previousElementSibling;
      while (before?.hidden) before = before.previousElementSibling;
      const sum = line.querySelector(":scope > template");
      if (sum && before?.matches(".line") && Number(line.dataset.run) === Number(before.dataset.run ?? 1) + 1) {
        line.hidden = true;
        before.dataset.run = line.dataset.run;
        const told = before.querySelector(".line-at");
        for (const part of told.querySelectorAll(":scope > span")) part.remove();
        told.append(sum.content.cloneNode(true));
        continue;
      }
      const alike = before?.matches(".line") && line.matches(".line") && !line.querySelector(".more") && !before.querySelector(".more")
        && before.querySelector(".line-at > span").textContent === line.querySelector(".line-at > span").textContent
        && (before.querySelector(".line-at > .sums")?.textContent ?? "") === (line.querySelector(".line-at > .sums")?.textContent ?? "");
      if (!alike) continue;
      line.hidden = true;
      const times = before.querySelector(".alike") ?? before.querySelector(".line-at > span").appendChild(Object.assign(document.createElement("b"), { className: "alike" }));
      times.dataset.n = Number(times.dataset.n ?? 1) + 1;
    }
  }

  /* The mark "since your last move" stands before the first line told after it. */
  function markNews(since) {
    const lines = $("lines");
    let mark = $("since");
    let first = null;
    if (since > 0) {
      for (let line = lines.lastElementChild; line; line = line.previousElementSibling) {
        if (line.dataset.decision === undefined) continue;
        if (Number(line.dataset.decision) <= since) break;
        first = line;
      }
    }
    if (!first) { mark?.remove(); return; }
    if (!mark) {
      mark = document.createElement("li");
      mark.className = "since";
      mark.id = "since";
      mark.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#pointing"/></svg>';
      mark.append(sutler._("since your last move"));
    }
    if (first.previousElementSibling !== mark) first.before(mark);
  }

  /* Where a piece lies: on the screen, and in its own field (board, hand, seats), whatever size that is drawn at. */
  function placeOf(piece) {
    const field = piece.closest("#plate, #hand, #seats, #top");
    const box = piece.getBoundingClientRect();
    const around = field?.getBoundingClientRect() ?? { x: 0, y: 0, width: 1, height: 1 };
    return { box, field: field?.id, x: (box.x - around.x) / around.width, y: (box.y - around.y) / around.height };
  }

  const moved = (from, to) => from.field !== to.field
    || (to.field !== "hand" && (Math.abs(from.x - to.x) > 0.01 || Math.abs(from.y - to.y) > 0.01));

  /* A piece that lies elsewhere in the game than before is carried there; what only the page has shifted stands at once.
     On its way it takes no click that is meant for what lies below. */
  function carry() {
    if (calm.matches || places.size === 0) return;
    for (const piece of document.querySelectorAll("[data-piece]")) {
      const from = places.get(piece.dataset.piece);
      const to = placeOf(piece);
      if (!from || !to.box.width || !from.box.width || !moved(from, to)) continue;
      const scale = piece.getScreenCTM?.().a ?? 1;
      piece.animate(
        [{ transform: `translate(${(from.box.x - to.box.x) / scale}px, ${(from.box.y - to.box.y) / scale}px)${scale === 1 ? ` scale(${from.box.width / to.box.width})` : ""}`, transformOrigin: "0 0", pointerEvents: "none" },
         { transform: "none", transformOrigin: "0 0", pointerEvents: "none" }],
        { duration: 320, easing: "cubic-bezier(.3, .1, .2, 1)" });
    }
  }

  // --- Cards that are dealt, dice that roll: what is new moves, and takes every click on its way --------------

  const cards = () => [...document.querySelectorAll("#hand :is(.card, .advisor)")];
  const nameOf = (card) => card.closest("li[id]")?.id ?? card.dataset.explain ?? card.getAttribute("aria-label") ?? "";
  const dice = () => [...document.querySelectorAll("#plate .die")];
  const faceOf = (die) => `${die.closest("[id]").id} ${die.getAttribute("aria-label")?.split(";")[0]}`;
  const MOST_DEALT = 7;
  const APART = 45;                 // milliseconds from one to the next

  function tally(things, key) {
    const found = new Map();
    for (const one of things) found.set(key(one), (found.get(key(one)) ?? 0) + 1);
    return found;
  }

  /* What lies here before a new picture. */
  function lying() {
    const { decision, moment } = shown();
    return { at: Number(moment || decision), hand: tally(cards(), nameOf), dice: tally(dice(), faceOf), line: $("lines").lastElementChild };
  }

  const fresh = (things, key, before) => things.filter((one) => {
    const left = before.get(key(one)) ?? 0;
    before.set(key(one), left - 1);
    return left <= 0;
  });

  /* Was a die rolled, by the lines told since? */
  function isRolled(last) {
    for (let line = $("lines").lastElementChild; line && line !== last; line = line.previousElementSibling) {
      if (line.querySelector('.line-at use[href$="-die"], .line-at use[href="#die"]')) return true;
    }
    return false;
  }

  function dealAndRoll() {
    const before = shownBefore;
    shownBefore = null;
    if (calm.matches || !before || Number(shown().moment || shown().decision) <= before.at) return;
    const easing = "cubic-bezier(.2, .7, .3, 1)";
    fresh(cards(), nameOf, before.hand).slice(0, MOST_DEALT).forEach((card, i) => card.animate(
      [{ transform: "translateY(-3rem) rotate(-7deg)", opacity: 0 }, { transform: "none", opacity: 1 }],
      { duration: 280, delay: i * APART, fill: "backwards", easing }));
    if (!isRolled(before.line)) return;
    fresh(dice(), faceOf, before.dice).slice(0, MOST_DEALT).forEach((die, i) => die.animate(
      [{ transform: "translateY(-.5rem) rotate(-260deg)" }, { transform: "translateY(.1rem) rotate(15deg)", offset: 0.8 }, { transform: "none" }],
      { duration: 420, delay: i * APART, fill: "backwards", easing }));
  }

  // --- A chime when it is your turn, if sound is wanted ---------------------------------------------------

  let sound = sutler.kept("sutler_sound") === "on";

  function chime() {
    if (!sound) return;
    const audio = new AudioContext();
    for (const [at, pitch] of [[0, 587.33], [0.14, 880]]) {   // a fifth, as on a small bell
      for (const [over, loudness] of [[1, 0.16], [2.76, 0.03]]) {
        const tone = audio.createOscillator();
        const loud = audio.createGain();
        tone.frequency.setValueAtTime(pitch * over, audio.currentTime + at);
        loud.gain.setValueAtTime(0.0001, audio.currentTime + at);
        loud.gain.exponentialRampToValueAtTime(loudness, audio.currentTime + at + 0.008);
        loud.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + at + 0.6 / over);
        tone.connect(loud).connect(audio.destination);
        tone.start(audio.currentTime + at);
        tone.stop(audio.currentTime + at + 0.62);
      }
    }
    setTimeout(() => audio.close(), 1200);
  }

  function showSound() {
    const drawn = sound ? "#speaker" : "#speaker-off";
    for (const button of document.querySelectorAll("[data-sound-toggle]")) {
      button.setAttribute("aria-pressed", String(sound));
      const use = button.querySelector("use");
      if (use.getAttribute("href") !== drawn) use.setAttribute("href", drawn);   // set anew, it would be drawn anew
    }
  }

  // --- Choosing ------------------------------------------------------------------------------------------

  const choices = () => [...document.querySelectorAll("#choices .choice[data-action]")];
  const choicesFor = (at) => choices().filter((choice) => choice.dataset.for === at);

  function pick(at, spot) {
    if (sutler.table.follow?.following()) { sutler.table.follow.finish(); return; }
    if (body.dataset.live === "no") { sutler.say(sutler._("No connection: you cannot move just now."), "trouble"); return; }
    if (shown().moment !== "") {
      sutler.say(sutler._("This is an earlier moment. Go to “now” to move."));
      return;
    }
    const fitting = choicesFor(at);
    const straight = fitting.filter((choice) => !choice.matches(".quiet"));
    if (straight.length === 1) straight[0].click();      // a way round is never in the way
    else if (fitting.length === 1) fitting[0].click();
    else if (fitting.length > 1) menu(spot, fitting);
    else why(at, spot);
  }

  /* Several things can be done here: they lie beside it as a slip, each with the key that does it while the slip is open. */
  function menu(spot, fitting) {
    const list = document.createElement("div");
    list.className = "menu";
    list.setAttribute("role", "group");
    const name = (spot.getAttribute("aria-label") ?? "").split(/[;,]/)[0];
    list.setAttribute("aria-label", sutler._("What to do here: {what}", { what: name }));
    const head = document.createElement("h4");
    head.textContent = name;
    list.append(head);
    fitting.forEach((choice, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "choice slim";
      button.innerHTML = choice.innerHTML;
      button.dataset.of = choice.id;
      button.dataset.key = choice.dataset.amount ?? index + 1;
      const key = button.querySelector("kbd");
      if (key) key.textContent = button.dataset.key;
      const words = button.querySelector("span");
      if (words && name) words.textContent = words.textContent.replace(`${name}: `, "");
      if (words) words.prepend(heading(choice));
      button.addEventListener("click", () => { hideSlip(); choice.click(); });
      list.append(button);
    });
    showSlip(spot, list, "menu");
    list.querySelector("button").focus();
  }

  /* What stands over a choice among the buttons: without it two of them could read alike. */
  function heading(choice) {
    const over = choice.closest("details.folded")?.querySelector("summary > span")?.textContent ?? "";
    return over.replace(/\s*…$/, " ");
  }

  async function why(at, spot) {
    const asked = pictures;
    const answer = await fetch(`${base}/why?at=${encodeURIComponent(at)}`);
    const told = answer.ok ? await answer.text() : "";
    if (told && asked === pictures) showSlip(spot, told, "why");
  }

  // --- The slip: why not, what is this, which of these -----------------------------------------------------

  const slip = $("slip");
  let slipFor = null;

  function showSlip(beside, content, kind) {
    if (!beside.isConnected) return;
    slipFor = beside;
    slip.dataset.kind = kind;
    if (typeof content === "string") slip.innerHTML = content;
    else slip.replaceChildren(content);
    slip.hidden = false;
    const spot = beside.getBoundingClientRect();
    const own = slip.getBoundingClientRect();
    const gap = 10;
    let x = spot.right + gap;
    let side = "right";
    let y = spot.top + Math.min(24, spot.height / 2);
    if (x + own.width > innerWidth - 8 || isOverTeacher(x, y, own)) { x = spot.left - gap - own.width; side = "left"; }
    if (x < 8) {
      side = "under";
      x = Math.max(8, Math.min(innerWidth - own.width - 8, spot.left));
      y = spot.bottom + gap + own.height < innerHeight ? spot.bottom + gap : spot.top - own.height - gap;
    }
    if (beside.closest(".hand") && spot.top - gap - own.height > 8) {   // never on the other cards
      side = "over";
      x = Math.max(8, Math.min(innerWidth - own.width - 8, spot.left + spot.width / 2 - own.width / 2));
      y = spot.top - gap - own.height;
    }
    slip.dataset.at = side;
    slip.style.left = `${x}px`;
    slip.style.top = `${Math.max(8, Math.min(innerHeight - own.height - 8, y))}px`;
    beside.setAttribute("aria-describedby", "slip");
  }

  /* Would a slip of this size lie over what the lesson or the coach says? On a phone they stand below the board, and it lies above them. */
  function isOverTeacher(x, y, { width, height }) {
    const teacher = document.querySelector("#lesson:not([hidden]), #coach:not([hidden])")?.getBoundingClientRect();
    return Boolean(teacher) && x < teacher.right && x + width > teacher.left && y < teacher.bottom && y + height > teacher.top;
  }

  function hideSlip() {
    if (slip.hidden) return;
    slip.hidden = true;
    slipFor?.removeAttribute("aria-describedby");
    slipFor = null;
  }

  const explained = new Map();
  let pause = null;
  let pictures = 0;                  // what is told of an earlier one is not laid over a later one

  function explainSoon(element, wait) {
    clearTimeout(pause);
    pause = setTimeout(() => explain(element), wait);
  }

  /* What comes to lie under a resting pointer is not pointed at: it explains itself when the pointer has moved. */
  let pointer = "";
  let resting = "";
  const placeOn = (event) => `${event.screenX} ${event.screenY}`;
  document.addEventListener("pointermove", (event) => {
    pointer = placeOn(event);
    if (!resting || pointer === resting) return;
    resting = "";
    const thing = event.target.closest?.("[data-explain]");
    if (thing && event.pointerType !== "touch") explainSoon(thing, 550);
  });
  document.addEventListener("pointerdown", (event) => { pointer = placeOn(event); }, true);

  document.addEventListener("htmx:after:swap", () => {
    pictures += 1;
    explained.clear();               // what a thing is may have changed
    clearTimeout(pause);
    resting = pointer;
  });

  async function explain(element) {
    const key = element.dataset.explain;
    if (!key) return;
    const asked = pictures;
    if (!explained.has(key) || key.startsWith("sum:")) {   // a number is another in each position that is looked back at
      const { moment } = shown();
      const answer = await fetch(`${base}/explain?key=${encodeURIComponent(key)}${moment === "" ? "" : `&moment=${moment}`}`);
      const told = answer.ok ? (await answer.text()).trim() : "";
      if (asked !== pictures) return;
      explained.set(key, told);
    }
    const text = explained.get(key);
    if (text && element.isConnected && (slip.hidden || slip.dataset.kind === "explain")) showSlip(element, text, "explain");
  }

  // --- Pointing: a choice and its spot light up together -------------------------------------------------------

  function peek(at, on) {
    for (const spot of document.querySelectorAll(`[data-at="${CSS.escape(at)}"]`)) {
      (spot.closest(".land, .card, .hex, .seat") ?? spot).classList.toggle("peek", on);
    }
    for (const choice of choicesFor(at)) choice.classList.toggle("peek", on);
  }

  /* The spot that something stands for: a choice by what it acts on or is about, a spot by itself. */
  function spotOf(target) {
    const choice = target.closest?.("[data-for], [data-about]");
    return choice?.dataset.for ?? choice?.dataset.about ?? target.closest?.("[data-at]")?.dataset.at;
  }

  for (const [begin, end] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(begin, (event) => {
      const at = spotOf(event.target);
      if (at) peek(at, true);
      const thing = event.target.closest?.("[data-explain]");
      const rests = begin === "pointerover" && resting !== "" && placeOn(event) === resting;
      const byTouch = event.pointerType === "touch" || (begin === "focusin" && !keyboard);
      if (thing && !byTouch && !rests) explainSoon(thing, begin === "focusin" ? 900 : 550);
    });
    document.addEventListener(end, (event) => {
      const at = spotOf(event.target);
      if (at) peek(at, false);
      clearTimeout(pause);
      if (slip.dataset.kind === "explain" && !slip.contains(event.relatedTarget)) hideSlip();
    });
  }

  // A long press explains on a touch screen, and is no click then.
  let pressed = false;
  document.addEventListener("pointerdown", (event) => {
    keyboard = false;
    pressed = false;
    if (!slip.contains(event.target)) hideSlip();
    const thing = event.target.closest?.("[data-explain]");
    if (thing && event.pointerType === "touch") {
      clearTimeout(pause);
      pause = setTimeout(() => { pressed = true; explain(thing); }, 500);
    }
  });
  document.addEventListener("pointerup", () => clearTimeout(pause));
  document.addEventListener("pointercancel", () => clearTimeout(pause));
  document.addEventListener("contextmenu", (event) => { if (pressed) event.preventDefault(); });

  // --- A hint lights the choice it speaks of ------------------------------------------------------------------

  document.addEventListener("htmx:after:swap", () => {
    const told = [...document.querySelectorAll("#toasts [data-hint]")].at(-1);
    if (!told) return;
    const choice = choices().find((one) => one.dataset.action === told.dataset.hint);
    for (const one of document.querySelectorAll(".advised")) one.classList.remove("advised");
    choice?.classList.add("advised");
    const at = choice && spotOf(choice);
    if (at) peek(at, true);
  });

  // --- Clicks ------------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (pressed) { pressed = false; event.preventDefault(); event.stopPropagation(); return; }
    // The second click of a double click would hit whatever has come to lie there.
    if (event.detail > 1 && event.target.closest("[data-at], #choices .choice")) { event.preventDefault(); event.stopPropagation(); }
  }, true);

  document.addEventListener("click", (event) => {
    const target = event.target;
    const sum = target.closest(".sum");
    if (sum) { explain(sum); return; }
    const spot = target.closest("[data-at]");
    if (spot) { pick(spot.dataset.at, spot); return; }
    const thing = target.closest("#table [data-explain], #seats [data-explain]");   // nothing can be done with it: it says what it is
    if (thing && !target.closest("button, a, summary, input") && shown().moment === "") { explain(thing); return; }
    const eyes = target.closest("#choices [data-eyes]");
    if (eyes) { fetchParts(null, eyes.dataset.eyes); return; }
    if (target.closest("[data-now]")) { stop(); toNow(); return; }
    const line = target.closest(".line-at");
    if (line) { stop(); lookAt(Number(line.dataset.moment)); if (body.classList.contains("side-open")) sheetOpen(false); return; }
    const step = target.closest("[data-step]");
    if (step) { stop(); stepBy(Number(step.dataset.step)); return; }
    if (target.closest("[data-play]")) { if (playing) stop(); else playThrough(); return; }
    const tab = target.closest("[data-tab]");
    if (tab) { openSide(tab.dataset.tab); return; }
    const phase = matchMedia("(max-width: 40rem)").matches && target.closest(".phases [aria-current]");   // what has happened in it
    const open = phase ? $("open-log") : target.closest("[data-open-side]");
    if (open) {
      const wasOpen = body.classList.contains("side-open") && !panels[open.dataset.openSide].hidden;
      openSide(open.dataset.openSide);
      sheetOpen(!wasOpen);
      if (!wasOpen) document.querySelector(`[data-tab="${open.dataset.openSide}"]`).focus({ preventScroll: true });
      return;
    }
    if (target.closest("[data-side-close]")) { sheetOpen(false); return; }
    if (target.closest("[data-sound-toggle]")) {
      sound = !sound;
      sutler.keep("sutler_sound", sound ? "on" : "off");
      showSound();
      chime();
      return;
    }
    if (target.closest("[data-toggle-reckoning]")) { body.classList.toggle("show-board"); return; }
    const share = target.closest("[data-share]");
    if (share) {
      const { share: url, title, text } = share.dataset;
      navigator.share({ title, text, url }).catch(() => { /* put away again: nothing was sent */ });
      return;
    }
    const copy = target.closest("[data-copy]");
    if (copy) {
      navigator.clipboard?.writeText(copy.dataset.copy).then(
        () => sutler.say(sutler._("The link is copied: send it to your friend.")),
        () => copy.parentElement.querySelector("input")?.select());
      copy.parentElement.querySelector("input")?.select();
    }
  });

  // --- Looking back ---------------------------------------------------------------------------------------------

  const wait = { timer: null };

  function lookAt(moment, exactly = false) {
    const last = Number(shown().decision);
    if (moment >= last && !exactly) return toNow();
    return fetchParts(Math.max(0, moment));
  }

  function toNow() {
    return fetchParts(null);
  }

  function stepBy(by) {
    const { moment, decision } = shown();
    const from = moment === "" ? Number(decision) : Number(moment);
    return lookAt(from + by);
  }

  async function playThrough() {
    const icon = document.querySelector("[data-play] use");
    icon?.setAttribute("href", "#pause-button");
    if (shown().moment === "") await lookAt(0);
    const forward = async () => {
      if (shown().moment === "") { stop(); return; }
      await stepBy(1);
      if (playing) playing = setTimeout(forward, 700);
    };
    playing = setTimeout(forward, 700);
  }

  function stop() {
    clearTimeout(playing);
    playing = null;
    document.querySelector("[data-play] use")?.setAttribute("href", "#play-button");
  }

  $("scrub").addEventListener("input", (event) => {
    stop();
    clearTimeout(wait.timer);
    const value = Number(event.target.value);
    wait.timer = setTimeout(() => lookAt(value), 60);
  });

  // --- Keys --------------------------------------------------------------------------------------------------------

  let keyboard = false;
  let digits = "";
  let digitTimer = null;

  function press(digit) {
    if (body.dataset.live === "no" || busy) return;
    const row = slip.dataset.kind === "menu" && !slip.hidden ? slip.querySelector(`[data-key="${digit}"]`) : null;
    if (row) { row.click(); return; }
    digits += digit;
    clearTimeout(digitTimer);
    const all = choices();
    const exact = all.find((choice) => choice.dataset.number === digits);
    const longer = all.some(({ dataset: { number } }) => number.length > digits.length && number.startsWith(digits));
    if (exact && !longer) { digits = ""; exact.click(); return; }
    if (!exact && !longer) { digits = ""; return; }
    exact?.focus();
    digitTimer = setTimeout(() => { digits = ""; exact?.click(); }, 700);
  }

  /* From one focusable thing to the next in a direction: the nearest whose middle lies that way. */
  function move(from, dx, dy, among) {
    const a = from.getBoundingClientRect();
    const ax = a.x + a.width / 2;
    const ay = a.y + a.height / 2;
    let best = null;
    let least = Infinity;
    for (const one of among) {
      if (one === from) continue;
      const b = one.getBoundingClientRect();
      if (!b.width) continue;
      const x = b.x + b.width / 2 - ax;
      const y = b.y + b.height / 2 - ay;
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along < 4) continue;
      const cost = along + aside * 2.5;
      if (cost < least) { least = cost; best = one; }
    }
    best?.focus();
    return best !== null;
  }

  document.addEventListener("keydown", (event) => {
    keyboard = true;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input:not([type=range]):not([readonly]), textarea, select");
    if (event.key === "Escape") {
      if (!slip.hidden) { const back = slipFor; hideSlip(); back?.focus?.(); }
      else if (body.classList.contains("side-open")) sheetOpen(false);
      else if (shown().moment !== "") { stop(); toNow(); }
      return;
    }
    if (typing) return;
    const tab = event.target.closest?.("[data-tab]");
    if (tab && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const to = (tabs.indexOf(tab) + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length;
      openSide(tabs[to].dataset.tab, true);
      event.preventDefault();
      return;
    }
    if (/^[0-9]$/.test(event.key)) { press(event.key); event.preventDefault(); return; }
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow && !event.target.matches("input[type=range], #log, #rules")) {
      const group = [...document.querySelectorAll("#table .choice, #table [data-at], #seats [data-at], .menu .choice")].filter((one) => !one.disabled && one.tabIndex >= 0 && one.getBoundingClientRect().width > 2);
      const here = group.includes(document.activeElement) ? document.activeElement : null;
      if (here) { if (move(here, ...arrow, group)) event.preventDefault(); }
      else if (group.length) { group[0].focus(); event.preventDefault(); }
      return;
    }
    const letter = { u: "undo", h: "hint", "?": "open-rules", l: "open-log" }[event.key];
    if (letter) { const button = $(letter); if (button && !button.disabled) button.click(); }
    if (event.key === "e" && document.activeElement?.dataset.explain) explain(document.activeElement);
  });

  // --- What other scripts of the page may use --------------------------------------------------------------------------

  sutler.table = { base, shown, lookAt, toNow, catchUp, fetchParts, fetchNews, openSide, sheetOpen, choices, listen, isBusy: () => busy > 0, follow: null };

  // --- Begin --------------------------------------------------------------------------------------------------------

  showSound();
  toNewest();
  if ($("log")) keepNewest($("log"));
  settled();
  listen();
  body.dataset.ready = "yes";
})();
