/* The numbers of a figure's notes, set on the parts of the picture that they are about (`data-on`: a selector within the figure). */
"use strict";

(() => {
  const NARROW_PX = 60, LINE_PX = 24;

  function mark(figure) {
    const frame = figure.getBoundingClientRect();
    for (const old of figure.querySelectorAll(".mark")) old.remove();
    [...figure.querySelectorAll(".notes > [data-on]")].forEach((note, index) => {
      const part = [...figure.querySelectorAll(note.dataset.on)].find((one) => !one.closest(".notes") && one.getClientRects().length);
      if (!part) return;
      const box = part.getBoundingClientRect(), number = document.createElement("b");
      number.className = "mark";
      number.setAttribute("aria-hidden", "true");
      number.textContent = index + 1;
      // Beside a narrow part there is another one; over a head and under what follows it there is room.
      const side = box.width >= NARROW_PX ? "left" : part.closest("header") ? "above" : "below";
      number.dataset.side = side;
      number.style.left = `${(side === "left" ? box.left : box.left + box.width / 2) - frame.left}px`;
      number.style.top = `${{ left: box.top + Math.min(box.height, LINE_PX) / 2, above: box.top, below: box.bottom }[side] - frame.top}px`;
      figure.append(number);
    });
  }

  const all = () => { for (const figure of document.querySelectorAll(".pl:has(.notes > [data-on])")) mark(figure); };
  document.fonts.ready.then(all);
  addEventListener("load", all);
  addEventListener("resize", all);
})();
