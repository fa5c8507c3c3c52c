// The campaign map: pan and zoom, ranges and reaches on pointing, battle markers. It draws and points; it judges nothing.
(() => {
  "use strict";
  const root = document.documentElement;
  const lens = { x: 0, y: 0, k: 1 };
  const map = () => document.querySelector(".map");

  // --- Pan and zoom: kept on the root element, so that a new board keeps the view ------------------------------

  function show() {
    root.style.setProperty("--map-x", `${lens.x}px`);
    root.style.setProperty("--map-y", `${lens.y}px`);
    root.style.setProperty("--map-k", lens.k);
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
    if (button.dataset.lens === "all") { Object.assign(lens, { x: 0, y: 0, k: 1 }); show(); }
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

  // --- Battle markers: their sum is the strength that is committed -------------------------------------------------

  function total(markers) {
    return [...markers.querySelectorAll('[aria-pressed="true"]')].reduce((sum, one) => sum + Number(one.dataset.marker), 0);
  }

  document.addEventListener("click", (event) => {
    const marker = event.target.closest?.("[data-marker]");
    const send = event.target.closest?.("[data-commit]");
    const markers = (marker ?? send)?.closest(".markers");
    if (!markers) return;
    if (marker) {
      marker.setAttribute("aria-pressed", String(marker.getAttribute("aria-pressed") !== "true"));
      const sum = Math.min(total(markers), Number(markers.dataset.most));
      markers.querySelector("output").textContent = sum ? `${sum} counts ${sum + Number(markers.dataset.bonus)}` : "0";
    } else {
      const sum = Math.min(total(markers), Number(markers.dataset.most));
      document.querySelector(`#choices [data-action="commit ${sum}"]`)?.click();
    }
  });
})();
