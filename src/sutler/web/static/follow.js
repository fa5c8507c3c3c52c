/* Following what others did: one act at a time, in the place of the choices, at the pace one likes. It shows, it judges
   nothing; `Esc` or "To my move" ends it, and the first digit pressed ends it without being played. */
"use strict";

(() => {
  const { table, _ } = sutler;
  if (!table) return;
  const bar = document.getElementById("follow");
  const part = (name) => bar.querySelector(`[data-follow-${name}]`);
  const DWELL = { slow: 2400, normal: 1200 };
  const TOUCHED = 1.5;              // what touches you stays half as long again
  const SETTLES = 350;              // milliseconds in which the bar takes no click: it was meant for what lay there before
  const LETTER = 45;                // milliseconds a letter, where that is more

  let pace = ["step", "slow", "normal", "once"].find((one) => one === sutler.kept("sutler_pace")) ?? "slow";
  let acts = [];
  let at = -1;
  let timer = null;
  let paused = false;
  let ended = 0;                    // the decision up to which all has been seen

  const shield = (act) => `#${document.body.dataset.shields}-${act.dataset.arms}`;
  const following = () => !bar.hidden;

  async function load(since) {
    const answer = await fetch(`${table.base}/acts?since=${since}`);
    if (!answer.ok) return null;
    const box = document.createElement("div");
    box.innerHTML = await answer.text();
    return others(box);
  }

  const others = (box) => [...box.querySelectorAll("li[data-moment]")].filter((one) => one.dataset.own === "no");

  /* Something new: is it followed? True: it is shown one act at a time, and the page need not fetch the present. */
  async function news() {
    if (following()) {
      const last = acts.length ? Number(acts.at(-1).dataset.moment) : ended;
      const more = await load(last);
      if (more && following()) { acts.push(...more); rail(); if (at === acts.length - more.length - 1 && !timer) next(); }
      return true;
    }
    const since = Math.max(ended, Number(table.shown().decision));
    const told = await table.fetchNews(since, pace === "once");
    const found = others(told);
    const followed = told.querySelector("[data-followed]") !== null;
    told.replaceChildren();
    if (!followed) { for (const act of found) announce(act); return false; }
    begin(found, true);
    return true;
  }

  /* `here`: the first of them is shown already. */
  function begin(some, here = false) {
    acts = some;
    at = -1;
    paused = false;
    bar.hidden = false;
    bar.classList.add("opening");
    setTimeout(() => bar.classList.remove("opening"), SETTLES);
    document.body.classList.add("following");
    marks();
    rail();
    show(0, here);
  }

  function announce(act) {
    document.getElementById("announced").textContent = act.querySelector(".told").textContent;
  }

  async function show(index, here = false) {
    clearTimeout(timer);
    timer = null;
    at = Math.max(0, Math.min(acts.length - 1, index));
    const act = acts[at];
    const told = act.querySelector(".told");
    part("told").innerHTML = told.innerHTML;
    part("also").innerHTML = act.querySelector(".also").innerHTML;
    part("figures").replaceChildren(...[...act.querySelectorAll(".figures > *")].map((one) => one.cloneNode(true)));
    part("picture").setAttribute("href", `#${act.dataset.icon}`);
    part("arms").setAttribute("href", shield(act));
    part("arms").parentElement.setAttribute("class", `shield s${act.dataset.arms}`);
    bar.classList.toggle("touches", act.dataset.touches === "yes");
    announce(act);
    rail();
    if (!here) await table.lookAt(Number(act.dataset.moment), true);
    if (following()) wait();
  }

  function wait() {
    clearTimeout(timer);
    timer = null;
    if (paused || pace === "step") return;
    const act = acts[at];
    const touched = act.dataset.touches === "yes" ? TOUCHED : 1;
    const time = Math.max((DWELL[pace] ?? 0) * touched, LETTER * act.textContent.trim().length * (pace === "normal" ? 0.5 : 1));
    timer = setTimeout(next, Math.min(time, 8000));
  }

  function next() {
    timer = null;
    if (at + 1 < acts.length) show(at + 1);
    else if (pace !== "step" || at + 1 >= acts.length) finish();
  }

  function finish() {
    if (!following()) return;
    clearTimeout(timer);
    timer = null;
    ended = acts.length ? Number(acts.at(-1).dataset.moment) : 0;
    const held = bar.contains(document.activeElement);
    bar.hidden = true;
    document.body.classList.remove("following");
    table.toNow().then(() => {
      table.catchUp();
      if (held) document.querySelector("#choices .choice")?.focus({ preventScroll: true });
    });
  }

  /* One token an act: arms, and ochre where it touches whoever looks on. */
  function rail() {
    part("rail").replaceChildren(...acts.map((act, index) => {
      const token = document.createElement("button");
      token.type = "button";
      token.className = act.dataset.touches === "yes" ? "token touches" : "token";
      token.setAttribute("aria-label", _("Act {n}: {told}", { n: index + 1, told: act.querySelector(".told").textContent }));
      if (index === at) token.setAttribute("aria-current", "step");
      token.innerHTML = `<svg class="shield s${act.dataset.arms}" viewBox="0 0 28 32.5" aria-hidden="true"><use href="${shield(act)}"/></svg><svg class="icon" aria-hidden="true"><use href="#${act.dataset.icon}"/></svg>`;
      token.addEventListener("click", () => show(index));
      return token;
    }));
    part("rail").children[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    part("count").textContent = _("{n} of {most}", { n: Math.max(0, at) + 1, most: acts.length });
  }

  function marks() {
    for (const one of bar.querySelectorAll("[data-pace]")) one.setAttribute("aria-pressed", String(one.dataset.pace === pace));
    const button = part("pause");
    button.setAttribute("aria-pressed", String(paused));
    button.querySelector("use").setAttribute("href", paused || pace === "step" ? "#play-button" : "#pause-button");
  }

  function setPace(wanted) {
    pace = wanted;
    sutler.keep("sutler_pace", pace);
    paused = false;
    marks();
    if (pace === "once") finish();
    else wait();
  }

  function pause() {
    if (pace === "step") { setPace("slow"); return; }
    paused = !paused;
    marks();
    wait();
  }

  /* Since your last move, from its first act on, whenever one asks for it. */
  async function again() {
    const found = await load(Number(table.shown().since ?? 0));
    if (!found?.length) { sutler.say(_("Nobody else has done anything since your last move.")); return; }
    if (pace === "once") pace = "slow";
    begin(found);
  }

  document.addEventListener("click", (event) => {
    const target = event.target;
    if (target.closest("[data-follow-again]")) { again(); return; }
    if (!following() || !target.closest) return;
    if (target.closest("[data-follow-pause]")) pause();
    else if (target.closest("[data-follow-back]")) show(at - 1);
    else if (target.closest("[data-follow-on]")) next();
    else if (target.closest("[data-follow-end]")) finish();
    else if (target.closest("[data-pace]")) setPace(paceAfter(target.closest("[data-pace]").dataset.pace));
  });

  const PACES = ["step", "slow", "normal", "once"];

  /* On a phone only the pace that holds is shown, and a touch goes on to the next one. */
  function paceAfter(touched) {
    const alone = [...bar.querySelectorAll("[data-pace]")].filter((one) => one.offsetParent).length === 1;
    return alone ? PACES[(PACES.indexOf(touched) + 1) % 4] : touched;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input:not([type=range]), textarea, select")) return;
    if (!following()) {
      if (event.key === "b") again();
      return;
    }
    const on = {
      Escape: finish, " ": pause, ArrowLeft: () => show(at - 1), ArrowRight: next, Home: () => show(0), b: () => show(at),
      "[": () => setPace(PACES[Math.max(0, PACES.indexOf(pace) - 1)]), "]": () => setPace(PACES[Math.min(3, PACES.indexOf(pace) + 1)]),
    }[event.key] ?? (event.key === "Enter" && !event.target.closest("button") ? next : /^[0-9]$/.test(event.key) ? finish : null);
    if (!on) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    on();
  }, true);

  table.follow = { news, following, finish };
})();
