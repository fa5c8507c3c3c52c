/* Six Winters: the parts of the table on a phone, and the way a die, a card or a figure travels. It judges nothing. */
"use strict";

(() => {
  const body = document.body;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia("(max-width: 40rem)");

  // --- A phone shows one part of the table at a time ------------------------------------------------------

  function show(pane) {
    body.dataset.pane = pane;
    for (const tab of document.querySelectorAll(".ptabs [data-pane]")) {
      tab.setAttribute("aria-pressed", String(tab.dataset.pane === pane));
    }
  }

  /* Where every choice lies among the staged cards they are shown, and afterwards the part that was seen before. */
  let before = null;

  function turn() {
    const aims = [...document.querySelectorAll("#choices .choice[data-for]")].map((one) => one.dataset.for);
    const pane = body.dataset.pane ?? "here", asksForCards = aims.length > 0 && aims.every((at) => at.startsWith("staged:"));
    if (asksForCards && before === null) {
      before = pane;
      show("cards");
    } else if (!asksForCards && before !== null) {
      show(pane === "cards" ? before : pane);
      before = null;
    } else show(pane);
  }

  document.addEventListener("click", (event) => {
    const tab = event.target.closest(".ptabs [data-pane]");
    if (tab) show(tab.dataset.pane);
    else if (narrow.matches && body.dataset.pane !== "mats" && event.target.closest("#seats .mat")) show("mats");
  });

  /* Somebody asks for a thing that lies in another part: the lesson, for what it points at. */
  document.addEventListener("bring", (event) => {
    const parts = { mats: ".seats", trade: ".trade", winter: ".seasons, [popover]", cards: ".desk" };
    show(Object.keys(parts).find((pane) => event.target.closest(parts[pane])) ?? "here");
  });

  // --- Only what moved in the game moves --------------------------------------------------------------------

  let dice = new Map();     // "technology:2" -> place -> where such dice lay
  let things = new Map();   // "flat:2" -> its place and where it stood

  function look() {
    const lying = new Map();
    for (const die of document.querySelectorAll("#table [data-die][data-place], #seats [data-die][data-place]")) {
      const { width } = die.getBoundingClientRect();
      if (!width) continue;
      const places = lying.get(die.dataset.die) ?? lying.set(die.dataset.die, new Map()).get(die.dataset.die);
      places.set(die.dataset.place, [...(places.get(die.dataset.place) ?? []), die]);
    }
    return lying;
  }

  function remember() {
    dice = new Map();
    things = new Map();
    if (calm.matches) return;
    for (const [kind, places] of look()) {
      dice.set(kind, new Map([...places].map(([place, all]) => [place, all.map((one) => one.getBoundingClientRect())])));
    }
    for (const thing of document.querySelectorAll("#table [data-thing]")) {
      things.set(thing.dataset.thing, { place: thing.dataset.place, at: thing.getBoundingClientRect() });
    }
  }

  function carry(thing, from) {
    const to = thing.getBoundingClientRect();
    if (!to.width || !from.width) return;
    thing.animate(
      [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`, transformOrigin: "0 0", zIndex: 9 },
       { transform: "none", transformOrigin: "0 0", zIndex: 9 }],
      { duration: 320, easing: "cubic-bezier(.3, .1, .2, 1)" });
  }

  /* A die that is gone from one place and one of its kind that is new at another are the same die. */
  function settle() {
    turn();
    if (calm.matches || !dice.size) return;
    for (const [kind, places] of look()) {
      const before = dice.get(kind) ?? new Map();
      const gone = [];
      for (const [place, spots] of before) gone.push(...spots.slice((places.get(place) ?? []).length));
      for (const [place, all] of places) {
        for (const die of all.slice((before.get(place) ?? []).length)) {
          const from = gone.shift();
          if (from) carry(die, from);
        }
      }
    }
    for (const thing of document.querySelectorAll("#table [data-thing]")) {
      const old = things.get(thing.dataset.thing);
      if (old && old.place !== thing.dataset.place) carry(thing, old.at);
    }
  }

  document.addEventListener("htmx:before:swap", remember);
  document.addEventListener("htmx:after:swap", settle);
  turn();
})();
