/* The coach of a first game: whenever something is to be decided, the one thing that matters now is fetched and its choice lit. */
"use strict";

(() => {
  const says = document.getElementById("coach-says");
  const base = document.body.dataset.base;
  const slip = document.getElementById("coach");
  const ROW_EDGE = 28;              // pixels at either end of a row of choices, where it fades out
  let asked = "";

  const shown = () => document.getElementById("table").dataset;
  const asks = () => document.querySelector("#choices .choice[data-action]") !== null && shown().moment === "";

  function light() {
    const told = says.querySelector("[data-advised]");
    for (const one of document.querySelectorAll(".advised")) one.classList.remove("advised");
    if (!told || !asks()) return;
    const choice = document.querySelector(`#choices .choice[data-action="${CSS.escape(told.dataset.advised)}"]`);
    choice?.classList.add("advised");
    if (choice) bringIntoRow(choice);
    const at = choice?.dataset.for ?? choice?.dataset.about;   // where it lies it is marked too: the list may be folded
    if (!at) return;
    const pieces = `.land, .card, .hex${at.startsWith("seat:") ? ", .seat" : ""}`;   // a die or a track of a seat is not the seat
    for (const spot of document.querySelectorAll(`[data-at="${CSS.escape(at)}"]`)) {
      (spot.closest(pieces) ?? spot).classList.add("advised");
      bringIntoRow(spot);
    }
  }

  /* Choices and cards stand in rows that are drawn along on a phone: the advised one is drawn into sight, and nothing else moves. */
  function bringIntoRow(one) {
    const row = one.closest(".offered, .hand");
    if (!row || row.scrollWidth <= row.clientWidth) return;
    const box = one.getBoundingClientRect(), room = row.getBoundingClientRect();
    const hidden = room.left + ROW_EDGE - box.left, over = box.right - (room.right - ROW_EDGE);
    if (box.width && (hidden > 0 || over > 0)) row.scrollLeft += hidden > 0 ? -hidden : Math.min(over, -hidden);
  }

  function tell(text) {
    says.innerHTML = `<p class="none">${text}</p>`;
    says.ariaBusy = "false";
  }

  const AGAIN = 4000;               // milliseconds until a coach who was asked too often is asked once more
  const TWICE = 2;                  // as often as a reason is worth hearing where numbers stand beside it
  const taught = new Set();
  const reasons = new Map();
  const TRIES = 3;
  let warned = "", tried = "", tries = 0;

  /* What it warns of is said once, not at each decision of a turn; what it teaches once (the server remembers it, a visit too). */
  function sayOnce() {
    const mind = says.querySelector(".mind"), teaches = says.querySelector(".teaches");
    const because = says.querySelector(".because");
    const advised = says.querySelector("[data-advised]")?.dataset.advised;
    const choice = advised && document.querySelector(`#choices .choice[data-action="${CSS.escape(advised)}"]`);
    if (choice?.matches(".quiet, .commit")) says.querySelector(".at-once")?.remove();   // what comes after nothing is done comes anyway
    if (because) {
      const times = (reasons.get(because.textContent) ?? 0) + 1;
      reasons.set(because.textContent, times);
      if (times > TWICE && says.querySelector(".at-once, .stakes")) because.remove();
    }
    if (mind?.textContent === warned) mind.remove();
    else if (mind) warned = mind.textContent;
    if (taught.has(teaches?.textContent)) teaches.remove();
    else if (teaches) taught.add(teaches.textContent);
  }

  /* A first game that is over leads to the next one. */
  function whatNow(over) {
    slip.querySelector("[data-coach-next]").hidden = !over;
    slip.querySelector("[data-coach-off]").hidden = over;
  }

  /* Where a partner is moving, no advice can be had: it is asked for again, a few times. */
  function later(decision) {
    tries = decision === tried ? tries + 1 : 1;
    tried = decision;
    if (tries > TRIES) { tell(sutler._("No advice just now.")); return; }
    tell(sutler._("The others are moving; advice comes in a moment."));
    setTimeout(() => { if (asked === decision) { asked = ""; look(); } }, AGAIN);
  }

  async function look() {
    if (slip.hidden) return;
    const { decision } = shown();
    if (!asks()) {
      if (shown().moment !== "") return;
      asked = "";
      whatNow(document.getElementById("reckoning") !== null);
      tell(document.getElementById("reckoning")
        ? sutler._("Game over. The table shows the points, the chart who led when.")
        : sutler._("The others decide; watch what they take."));
      return;
    }
    if (asked === decision) { light(); return; }
    asked = decision;
    tell(sutler._("The coach looks at the table."));   // what it said was of the decision before
    says.ariaBusy = "true";
    const answer = await fetch(`${base}/hint?coach=true`);
    if (shown().decision !== decision) return;
    const told = answer.ok ? await answer.text() : "";
    if (told) { says.innerHTML = told; sayOnce(); slip.scrollTop = 0; }
    else if (!answer.ok) {
      tell(sutler._("The coach needs a moment and is asked again soon."));
      setTimeout(() => { if (asked === decision) { asked = ""; look(); } }, AGAIN);
    } else later(decision);
    says.ariaBusy = "false";
    says.scrollTop = 0;
    light();
    document.body.dataset.coached = decision;
  }

  document.querySelector("[data-coach-off]").addEventListener("click", () => { slip.hidden = true; slip.classList.remove("lesson"); });
  document.addEventListener("htmx:after:swap", () => requestAnimationFrame(look));
  look();
})();
