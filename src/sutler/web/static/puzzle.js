/* Puzzles: notes in this browser which ones are solved, and marks them wherever they are listed. Nothing of it is sent. */
"use strict";

(() => {
  const NAME = "sutler_solved";
  const solved = () => new Set(sutler.noted(NAME).split(" ").filter(Boolean));

  function look() {
    const says = document.querySelector("#puzzle-says[data-solved]");
    if (says) sutler.note(NAME, [...solved().add(says.dataset.puzzle)].join(" "));
    const all = solved();
    for (const one of document.querySelectorAll("[data-puzzle]")) {
      for (const mark of one.querySelectorAll(".solved")) mark.hidden = !all.has(one.dataset.puzzle);
    }
  }

  document.addEventListener("htmx:after:swap", look);
  addEventListener("pageshow", look);
  look();
})();
