/* WARFARM: the road of whoever attacks, drawn to the target that is pointed at. It judges nothing. */
"use strict";

(() => {
  const RESERVE = 3;                // where Soldiers wait who may attack

  function clear() {
    document.querySelector(".sword-road")?.remove();
  }

  const middle = ({ left, top, width, height }, { x, y }) => [left + width / 2 - x, top + height / 2 - y];

  /* From the Soldiers in reserve, or else from the yard, over the hills to what would be hit; a Cannon stays at home. Where a phone shows one farm there is no road. */
  function draw(at) {
    clear();
    const valley = document.querySelector('#plate .valley:is([data-weapon="Soldier"], [data-weapon="Mercenaries"])'), farms = valley?.querySelector(".farms");
    const home = farms?.querySelector(".farm.active"), seat = home?.id.replace("farm-", "");
    const goal = farms?.querySelector(`.farm:not(.active) [data-at="${CSS.escape(at)}"]`);
    const camp = home?.querySelector(`[data-at="unit:${seat}:${RESERVE}"]`) ?? home?.querySelector(".yard");
    if (!goal || !camp || !camp.getBoundingClientRect().width) return;
    const field = farms.getBoundingClientRect(), [x0, y0] = middle(camp.getBoundingClientRect(), field);
    const [x1, y1] = middle(goal.getBoundingClientRect(), field), over = Math.max(6, Math.min(y0, y1) - 46);
    if (x1 < 0 || x1 > field.width) return;
    const road = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    road.setAttribute("class", "sword-road");
    road.setAttribute("aria-hidden", "true");
    road.setAttribute("viewBox", `0 0 ${field.width} ${field.height}`);
    const turn = (Math.atan2(y1 - over, x1 - (x0 + x1) / 2) * 180) / Math.PI;
    road.innerHTML = `<path d="M${x0} ${y0}Q${(x0 + x1) / 2} ${over} ${x1} ${y1}"/><path class="point" d="M-13 -7L0 0L-13 7Z" transform="translate(${x1} ${y1}) rotate(${turn})"/>`;
    farms.append(road);
  }

  const pointed = (event) => {
    const choice = event.target.closest?.("#choices [data-for]");
    const at = choice?.dataset.for ?? event.target.closest?.("#plate .legal [data-at]")?.dataset.at;
    if (at) draw(at);
    else clear();
  };

  document.addEventListener("pointerover", pointed);
  document.addEventListener("focusin", pointed);
  document.addEventListener("htmx:before:swap", clear);
})();
