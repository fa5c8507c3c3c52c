// The campaign map: pan and zoom, ranges and reaches on pointing, strength that is sealed. It draws and points; it judges nothing.
(() => {
  "use strict";
  const root = document.documentElement;
  const lens = { x: 0, y: 0, k: 1 };
  const HEX = 60;                   // about a hex, in units of the drawing
  const map = () => document.querySelector(".map");

  // --- Pan and zoom: kept on the root element, so that a new board keeps the view ------------------------------

  const AFAR = 0.7;                 // below this scale names of areas and tokens would be specks
  const isNarrow = () => innerWidth <= 640;

  function show() {
    root.style.setProperty("--map-x", `${lens.x}px`);
    root.style.setProperty("--map-y", `${lens.y}px`);
    root.style.setProperty("--map-k", lens.k);
    const scale = drawn() * lens.k;
    root.style.setProperty("--map-unit", scale > 0 ? 1 / scale : 1);
    root.classList.toggle("map-afar", scale > 0 && scale < AFAR);
    frameSeen();
    map()?.dispatchEvent(new CustomEvent("moved", { bubbles: true }));   // who points at something on it points anew
  }

  // --- The small map of a phone: where one is, what is lit, who stands where; a touch goes there -----------------

  const tiny = () => document.querySelector(".tiny");

  /* The part of the world that the plate shows. */
  function frameSeen() {
    const seen = tiny()?.querySelector("[data-tiny-seen]"), box = map()?.getBoundingClientRect(), unit = drawn();
    if (!seen || !unit) return;
    const at = middle(), wide = box.width / unit / lens.k, high = box.height / unit / lens.k;
    const values = { x: (at.x - lens.x) / lens.k - wide / 2, y: (at.y - lens.y) / lens.k - high / 2, width: wide, height: high };
    for (const [key, value] of Object.entries(values)) seen.setAttribute(key, value);
  }

  /* What is lit and the leaders, as dots. */
  function dot() {
    const group = tiny()?.querySelector("[data-tiny-lit]");
    if (!group) return;
    group.replaceChildren(...[...map().querySelectorAll(".reach .hex.legal, .leaders .leader")].map((one) => {
      const box = one.getBBox(), spot = draw("circle", { cx: box.x + box.width / 2, cy: box.y + box.height / 2, r: 22 });
      spot.setAttribute("class", one.classList.contains("leader") ? `tin ${[...one.classList].find((name) => /^s\d$/.test(name))}` : "may");
      return spot;
    }));
  }

  document.addEventListener("click", (event) => {
    const small = event.target.closest?.("[data-tiny]");
    if (!small) return;
    const matrix = small.querySelector("svg").getScreenCTM(), at = middle();
    const there = event.detail ? { x: (event.clientX - matrix.e) / matrix.a, y: (event.clientY - matrix.f) / matrix.d } : at;
    lens.k = Math.max(lens.k, 1 / drawn());
    lens.x = at.x - lens.k * there.x;
    lens.y = at.y - lens.k * there.y;
    byHand = true;
    hold();
    show();
  });

  /* Pixels a unit of the drawing takes before it is zoomed. */
  function drawn() {
    const box = map()?.getBoundingClientRect();
    if (!box?.width) return 0;
    const size = map().viewBox.baseVal;
    return Math.min(box.width / size.width, box.height / size.height);
  }

  /* On a narrow screen the map opens on what is lit, who moves and who fights, one hex around, and never so small that it cannot be read;
     what lies over its upper edge, a battle's sums, leaves them in sight. */
  let opened = null;
  let byHand = false;

  function open(again = false) {
    const table = document.getElementById("table")?.dataset;
    const decision = `${table?.decision} ${table?.moment}`;   // whoever has followed the others comes back to the same decision
    if (!map() || !isNarrow() || (!again && decision === opened)) return;
    const lit = [...map().querySelectorAll(".reach .hex.legal, .leader.chosen, .leader.legal, .leader.fights")];
    if (!lit.length && opened !== null && !again) return;
    const some = lit.length ? lit : [...map().querySelectorAll(".leader")];
    opened = decision;
    const boxes = some.map((one) => one.getBBox());
    const left = Math.min(...boxes.map((one) => one.x)) - HEX, top = Math.min(...boxes.map((one) => one.y)) - HEX;
    const wide = Math.max(...boxes.map((one) => one.x + one.width)) + HEX - left;
    const high = Math.max(...boxes.map((one) => one.y + one.height)) + HEX - top;
    const size = map().viewBox.baseVal, box = map().getBoundingClientRect(), unit = drawn();
    if (!unit) return;
    const under = Math.max(0, (document.getElementById("battle")?.getBoundingClientRect().bottom ?? box.top) - box.top);
    byHand = false;
    lens.k = Math.min(1.4 / unit, Math.max(1 / unit, Math.min(box.width / wide, (box.height - under) / high) / unit));
    const seen = { wide: box.width / unit / lens.k, high: (box.height - under) / unit / lens.k };
    const centre = wide <= seen.wide && high <= seen.high ? { x: left + wide / 2, y: top + high / 2 } : busiest(boxes, seen);
    lens.x = size.x + size.width / 2 - lens.k * centre.x;
    lens.y = size.y + size.height / 2 - lens.k * centre.y + under / 2 / unit;
    show();
  }

  /* Where most of these boxes are in sight: between two armies far apart there is nothing to be seen. */
  function busiest(boxes, seen) {
    const all = boxes.map((one) => ({ x: one.x + one.width / 2, y: one.y + one.height / 2, wide: one.width, high: one.height }));
    const around = (at) => all.filter((one) => Math.abs(one.x - at.x) * 2 + one.wide <= seen.wide && Math.abs(one.y - at.y) * 2 + one.high <= seen.high);
    const best = all.map(around).reduce((most, some) => (some.length > most.length ? some : most), [all[0]]);
    const edge = (side, of) => side(...best.map(of));
    return {
      x: (edge(Math.min, (one) => one.x - one.wide / 2) + edge(Math.max, (one) => one.x + one.wide / 2)) / 2,
      y: (edge(Math.min, (one) => one.y - one.high / 2) + edge(Math.max, (one) => one.y + one.high / 2)) / 2,
    };
  }

  /* Choices and words may take of the map's room after it was opened: then it is opened anew, unless somebody has moved it. */
  const room = new ResizeObserver(() => { show(); if (!byHand) open(true); });
  let watched = null;

  function watch() {
    if (map() === watched) return;
    room.disconnect();
    watched = map();
    if (watched) room.observe(watched);
  }

  function unit(event) {
    const box = map().getScreenCTM();
    return { x: (event.clientX - box.e) / box.a, y: (event.clientY - box.f) / box.d, scale: box.a };
  }

  function hold() {
    const size = map().viewBox.baseVal;
    const roomX = size.width * (lens.k - 1), roomY = size.height * (lens.k - 1);
    lens.x = Math.min(60, Math.max(-roomX - 60, lens.x));
    lens.y = Math.min(60, Math.max(-roomY - 60, lens.y));
    if (lens.k === 1) { lens.x = 0; lens.y = 0; }
  }

  function zoom(factor, at) {
    byHand = true;
    const k = Math.min(6, Math.max(1, lens.k * factor));
    lens.x = at.x - (at.x - lens.x) * (k / lens.k);
    lens.y = at.y - (at.y - lens.y) * (k / lens.k);
    lens.k = k;
    hold();
    show();
  }

  function middle() {
    const size = map().viewBox.baseVal;
    return { x: size.x + size.width / 2, y: size.y + size.height / 2 };
  }

  document.addEventListener("wheel", (event) => {
    if (!event.target.closest?.(".map")) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), unit(event));
  }, { passive: false });

  const fingers = new Map();
  let moved = 0;
  let spread = 0;
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest?.(".map")) return;
    if (!fingers.size) moved = 0;
    fingers.set(event.pointerId, event);
    spread = 0;
  });
  document.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last || !map()) return;
    const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    if (others.length) {
      const wide = Math.hypot(event.clientX - others[0].clientX, event.clientY - others[0].clientY);
      if (spread) zoom(wide / spread, unit({ clientX: (event.clientX + others[0].clientX) / 2, clientY: (event.clientY + others[0].clientY) / 2 }));
      spread = wide;
      moved = 99;
    } else {
      moved += Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
      if (moved > 6) {
        map().classList.add("dragged");
        byHand = true;
        const scale = unit(event).scale;
        lens.x += (event.clientX - last.clientX) / scale;
        lens.y += (event.clientY - last.clientY) / scale;
        hold();
        show();
      }
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => {
    fingers.delete(event.pointerId);
    spread = 0;
    map()?.classList.remove("dragged");
  });
  // The click at the end of a drag is none.
  window.addEventListener("click", (event) => {
    if (moved > 6 && event.target.closest?.(".map")) { event.preventDefault(); event.stopPropagation(); }
    moved = 0;
  }, true);

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-lens]");
    if (!button) return;
    if (button.dataset.lens === "all" && isNarrow() && lens.k === 1) open(true);
    else if (button.dataset.lens === "all") { Object.assign(lens, { x: 0, y: 0, k: 1 }); byHand = true; show(); }
    else zoom(button.dataset.lens === "in" ? 1.4 : 1 / 1.4, middle());
  });

  document.addEventListener("keydown", (event) => {
    const hex = event.target.closest?.(".map .hex");
    if (hex && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      hex.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    } else if (event.target.closest?.(".map") && (event.key === "+" || event.key === "-")) {
      zoom(event.key === "+" ? 1.4 : 1 / 1.4, middle());
    }
  });

  // --- Supply range of a power, reach of a leader ---------------------------------------------------------------

  function mark(codes) {
    for (const hex of document.querySelectorAll(".map .hex[data-hex]")) hex.classList.toggle("ranged", codes.includes(hex.dataset.hex));
  }

  function pointed(target) {
    const sheet = document.querySelector(".sheet");
    const leader = target?.closest?.("[data-reach]");
    const power = target?.closest?.("[data-range]");
    if (!sheet) return;
    if (leader) mark(JSON.parse(sheet.dataset.reaches)[leader.dataset.reach] ?? []);
    else if (power) mark(JSON.parse(sheet.dataset.ranges)[power.dataset.range] ?? []);
    else if (document.querySelector(".hex.ranged")) mark([]);
  }
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => pointed(event.target));

  // --- What comes of it: the way, and a slip beside the area pointed at ----------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  let armed = null;                 // the area that was touched once

  function draw(name, values, text) {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(values)) one.setAttribute(key, value);
    if (text !== undefined) one.textContent = text;
    return one;
  }

  function middleOf(code) {
    const box = document.getElementById(`h${code}`)?.getBBox();
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  }

  const choicesFor = (at) => [...document.querySelectorAll("#choices .choice[data-action]")].filter((one) => one.dataset.for === at);

  function marchTo(code) {
    const all = JSON.parse(document.querySelector(".sheet").dataset.marches || "{}");
    return all[code] ?? Object.entries(all).find(([key]) => key.endsWith(`:${code}`))?.[1] ?? null;
  }

  function forget() {
    armed = null;
    document.querySelector(".map .way")?.replaceChildren();
    const beside = document.getElementById("beside");
    if (beside) beside.hidden = true;
    document.body.classList.remove("armed");
  }

  function tellOf(hex, firm) {
    const code = hex.dataset.hex;
    const fitting = choicesFor(hex.dataset.at);
    const march = marchTo(code);
    if (!fitting.length || (fitting.length > 1 && !march)) { forget(); return false; }
    const way = document.querySelector(".map .way");
    const beside = document.getElementById("beside");
    const points = (march?.path ?? []).map(middleOf).filter(Boolean);
    way.replaceChildren();
    if (points.length > 1) way.append(draw("path", { class: "road", d: `M${points.map((one) => one.join(" ")).join("L")}` }));
    points.slice(1).forEach(([x, y], i) => way.append(
      draw("circle", { class: "step", cx: x - 17, cy: y - 14, r: 9 }), draw("text", { class: "stepno", x: x - 17, y: y - 9.6 }, i + 1)));
    const name = hex.getAttribute("aria-label").split(/[;,]/)[0];
    beside.replaceChildren();
    const head = document.createElement("h4");
    head.textContent = name;
    const small = document.createElement("small");
    small.textContent = march?.title ?? "";
    head.append(small);
    beside.append(head);
    const list = document.createElement("ul");
    const effect = fitting[0].querySelector(".gain")?.textContent;
    const told = march?.told.length ? march.told : [["mounted-knight", effect || (march ? sutler._("Nothing stands in the way.") : fitting[0].querySelector("span").textContent)]];
    for (const [icon, text] of told) {
      const line = document.createElement("li");
      line.innerHTML = `<svg class="icon" aria-hidden="true"><use href="#${icon}"/></svg>`;
      line.append(text);
      list.append(line);
    }
    beside.append(list);
    if (firm) {
      const row = document.createElement("p");
      row.className = "row";
      row.innerHTML = '<button type="button" class="choice quiet" data-other></button><button type="button" class="choice commit" data-do></button>';
      row.firstElementChild.textContent = sutler._("Another");
      row.lastElementChild.textContent = march ? sutler._("March to {land}", { land: name }) : fitting[0].querySelector("span").textContent;
      beside.append(row);
      document.body.classList.add("armed");
    }
    beside.hidden = false;
    if (!isNarrow()) place(beside, hex);
    return true;
  }

  /* Where it hides least, beside the area, above or below: never the area itself, if it can be the way there, then lit areas. */
  function place(beside, hex) {
    const sheet = document.querySelector(".sheet").getBoundingClientRect(), spot = hex.getBoundingClientRect();
    const wide = beside.offsetWidth, high = beside.offsetHeight, gap = 18;
    const lit = [...document.querySelectorAll(".map .reach .hex.legal")].map((one) => one.getBoundingClientRect());
    const way = [...document.querySelectorAll(".map .way .step, .map .leader.chosen")].map((one) => one.getBoundingClientRect());
    const within = (x, y) => ({
      left: Math.max(sheet.left + 8, Math.min(sheet.right - wide - 8, x)), top: Math.max(sheet.top + 8, Math.min(sheet.bottom - high - 8, y)),
    });
    const across = spot.left + spot.width / 2 - wide / 2, [before, after, over, under] = [spot.left - gap - wide, spot.right + gap, spot.top - gap - high, spot.bottom + gap];
    const places = [
      [after, spot.top - 30], [before, spot.top - 30], [across, over], [across, under], [after, over], [before, over], [after, under], [before, under],
    ].map((at) => within(...at));
    const hides = ({ left, top }, one) => one.left < left + wide && one.right > left && one.top < top + high && one.bottom > top;
    const cost = (at) => 1000 * hides(at, spot) + 20 * way.filter((one) => hides(at, one)).length + lit.filter((one) => hides(at, one)).length;
    const best = places.reduce((least, at) => (cost(at) < cost(least) ? at : least));
    beside.style.left = `${best.left - sheet.left}px`;
    beside.style.top = `${best.top - sheet.top}px`;
  }

  let pointing = null;
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => {
    if (event.pointerType === "touch" || armed) return;
    const at = event.target.closest?.("#choices [data-for]")?.dataset.for;
    const hex = event.target.closest?.(".map .reach .hex.legal") ?? (at?.startsWith("hex:") ? document.getElementById(`h${at.slice(4)}`) : null);
    clearTimeout(pointing);
    if (hex) pointing = setTimeout(() => !armed && hex.isConnected && tellOf(hex, false), kind === "focusin" ? 60 : 140);
    else if (!event.target.closest?.("#beside")) forget();
  });

  // The first touch shows what comes of it, the second does it.
  let touched = false;
  window.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; }, true);
  /* What is committed in secret cannot be unsaid: a click takes the number up, and another seals it. A key that names it does both. */
  function takenUp(event) {
    const pad = event.target.closest?.("#choices .choice.pad");
    if (!pad || !event.isTrusted || !document.querySelector("#battle[data-secret]")) return false;
    const pads = [...document.querySelectorAll("#choices .choice.pad")];
    for (const one of pads) one.setAttribute("aria-pressed", String(one === pad));
    const seal = document.querySelector("#choices [data-seal]") ?? document.createElement("button");
    seal.type = "button";
    seal.className = "choice commit";
    seal.dataset.seal = pad.id;
    seal.textContent = sutler._("Seal it: {n} of {most}", { n: pad.querySelector("kbd").textContent, most: pads.length - 1 });
    document.getElementById("choices").append(seal);
    seal.scrollIntoView({ block: "nearest" });
    seal.focus({ preventScroll: true });
    seal.dispatchEvent(new CustomEvent("bring", { bubbles: true }));
    event.stopPropagation();
    event.preventDefault();
    return true;
  }

  window.addEventListener("click", (event) => {
    if (takenUp(event)) return;
    const seal = event.target.closest?.("#choices [data-seal]");
    if (seal) { touched = false; document.getElementById(seal.dataset.seal)?.click(); return; }
    if (event.target.closest?.("#beside [data-other]")) { forget(); return; }
    const sure = event.target.closest?.("#beside [data-do]");
    const hex = sure ? armed : event.target.closest?.(".map .reach .hex.legal");
    if (!hex) { if (event.target.closest?.(".map")) forget(); return; }
    if (sure || armed === hex) {
      forget();
      if (!sure) return;
      event.stopPropagation();
      touched = false;
      hex.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 0 }));
      return;
    }
    if (!touched || moved > 6) return;
    forget();
    if (choicesFor(hex.dataset.at).length !== 1 || !tellOf(hex, true)) return;   // where several fit, the slip asks
    clearTimeout(pointing);
    armed = hex;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("htmx:after:swap", () => { forget(); show(); open(); watch(); dot(); });
  addEventListener("resize", () => { show(); open(true); });
  show();
  open();
  watch();
  dot();
})();
