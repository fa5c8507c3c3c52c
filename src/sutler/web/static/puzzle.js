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
    for (const one of document.querySelectorAll("[data-solved-of]")) {
      const n = [...all].filter((key) => key.startsWith(`${one.dataset.solvedOf}:`)).length;
      one.hidden = n === 0;
      one.textContent = one.dataset.words.replace("{n}", n);
    }
  }

  document.addEventListener("htmx:after:swap", look);
  addEventListener("pageshow", look);
  look();
})();
