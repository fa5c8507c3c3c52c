/* The coach of a first game: whenever something is to be decided, the one thing that matters now is fetched and its choice lit. */
"use strict";

(() => {
  const says = document.getElementById("coach-says");
  const base = document.body.dataset.base;
  const slip = document.getElementById("coach");
  let asked = "";

  const shown = () => document.getElementById("table").dataset;
  const asks = () => document.querySelector("#choices .choice[data-action]") !== null && shown().moment === "";

  function light() {
    const told = says.querySelector("[data-advised]");
    for (const one of document.querySelectorAll(".choice.advised")) one.classList.remove("advised");
    if (told && asks()) document.querySelector(`#choices .choice[data-action="${CSS.escape(told.dataset.advised)}"]`)?.classList.add("advised");
  }

  function tell(text) {
    says.innerHTML = `<p class="none">${text}</p>`;
    says.ariaBusy = "false";
  }

  async function look() {
    if (slip.hidden) return;
    const { decision } = shown();
    if (!asks()) {
      if (shown().moment !== "") return;
      asked = "";
      tell(document.getElementById("reckoning")
        ? sutler._("It is over. The reckoning says what counted; its curve, where the lead changed hands.")
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
    if (told) says.innerHTML = told;
    else tell(sutler._("The coach has nothing to say to this."));
    says.ariaBusy = "false";
    light();
    document.body.dataset.coached = decision;
  }

  document.querySelector("[data-coach-off]").addEventListener("click", () => { slip.hidden = true; slip.classList.remove("lesson"); });
  document.addEventListener("htmx:after:swap", () => requestAnimationFrame(look));
  look();
})();
