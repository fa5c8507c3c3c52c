/* The lobby: seats come and go in the form for a new table. */
"use strict";

(() => {
  const { _ } = sutler;
  const places = () => [...document.querySelectorAll(".place[id]")];
  const add = document.querySelector("[data-add-seat]");

  function refresh() {
    const shut = places().some((place) => place.hidden);
    if (add) add.closest("p").hidden = !shut;
    for (const place of places()) {
      const kind = place.querySelector("input:checked")?.value;
      place.dataset.kind = kind;
      const note = place.querySelector("small");
      note.textContent = { me: _("this browser"), link: _("opens the link") }[kind] ?? (kind === "none" ? "" : _("bot"));
    }
  }

  add?.addEventListener("click", () => {
    const place = places().find((one) => one.hidden);
    if (place) {
      place.hidden = false;
      place.querySelector("input[value=normal]").checked = true;
      place.querySelector("input[type=radio]:checked").focus();
    }
    refresh();
  });

  document.addEventListener("change", (event) => {
    const called = event.target.type === "file" && event.target.parentElement.querySelector(".called");
    if (called) called.textContent = event.target.files[0]?.name ?? called.dataset.none;
    const place = event.target.closest(".place[id]");
    if (!place) return;
    if (event.target.value === "none") {
      place.hidden = true;
      add?.focus();
    }
    refresh();
  });

  // The chosen cover is the first to be seen where the covers stand in a row that scrolls.
  const row = document.querySelector(".covers");
  const chosen = row?.querySelector(".chosen");
  if (chosen && row.scrollWidth > row.clientWidth) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;

  // Where they do, a line below says how many there are, which are in sight, and leads on.
  const along = document.querySelector(".along");

  function sayHowFarAlong() {
    const [seen, before, after] = [row.getBoundingClientRect(), row.scrollLeft > 1, row.scrollLeft + row.clientWidth < row.scrollWidth - 1];
    along.hidden = !before && !after;
    row.dataset.more = `${before ? "before" : ""} ${after ? "after" : ""}`;
    along.querySelector("[data-along='-1']").disabled = !before;
    along.querySelector("[data-along='1']").disabled = !after;
    const marks = along.querySelectorAll("i");
    [...row.children].forEach((cover, i) => {
      const box = cover.getBoundingClientRect();
      const whole = box.left > seen.left - 2 && box.right < seen.right + 2;
      marks[i].classList.toggle("seen", whole);
    });
  }

  if (along) {
    row.addEventListener("scroll", sayHowFarAlong, { passive: true });
    new ResizeObserver(sayHowFarAlong).observe(row);
    along.addEventListener("click", (event) => {
      const way = Number(event.target.closest("[data-along]")?.dataset.along ?? 0);
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (way) row.scrollBy({ left: way * row.firstElementChild.offsetWidth, behavior: calm ? "instant" : "smooth" });
    });
  }

  // Bots that play what came before take seconds: that something goes on is seen, and a second touch opens no second table.
  const open = document.querySelector("form.setup .go .commit");
  const words = open?.textContent;

  function opening(yes) {
    open.disabled = yes;
    open.textContent = yes ? _("The table is being set …") : words;
  }

  open?.form.addEventListener("submit", () => opening(true));
  addEventListener("pageshow", (event) => { if (event.persisted && open) opening(false); });

  refresh();
})();
