/* Clocks run on between two pictures; a question whose time has come is shown; whoever opens the page takes the seat back. */
"use strict";

(() => {
  const { table, _ } = sutler;
  if (!table) return;
  let drawn = performance.now();

  function told(seconds) {
    const sign = seconds < 0 ? "−" : "";
    const whole = Math.trunc(Math.abs(seconds));
    const [days, hours, minutes, rest] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60];
    const two = (number) => String(number).padStart(2, "0");
    if (days) return sign + _("{days} d {hours} h", { days, hours });
    return hours ? `${sign}${hours} h ${two(minutes)}` : `${sign}${minutes}:${two(rest)}`;
  }

  function tick() {
    const passed = (performance.now() - drawn) / 1000;
    for (const face of document.querySelectorAll(".clock[data-runs]")) {
      const left = Number(face.dataset.left) - passed;
      const text = told(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("over", left < 0);
    }
    const absent = document.getElementById("absent");
    if (absent) absent.hidden = Number(absent.dataset.wait) > passed;
  }

  document.addEventListener("htmx:after:swap", () => { drawn = performance.now(); tick(); });
  setInterval(tick, 250);

  // What was said is said: the field is free for the next, unless the house refused it or one has typed on meanwhile.
  let sent = "";
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => { if (ctx.sourceElement?.matches("form.say")) sent = ctx.sourceElement.elements.text.value; });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const form = ctx.sourceElement;
    if (form?.matches("form.say") && ctx.response?.status < 300 && form.elements.text.value === sent) form.reset();
  });
  tick();

  // Lines that can be reported: those of others that stand in the talk when the form is opened.
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches?.(".reporting") || !target.open) return;
    const mine = target.dataset.mine.split(" ");
    const about = target.querySelector("select");
    for (const old of about.querySelectorAll("[value^='line:']")) old.remove();
    for (const line of document.querySelectorAll("#talk li[data-said]")) {
      if (mine.includes(line.dataset.seat)) continue;
      const [who, words] = [line.querySelector("b"), line.lastElementChild].map((part) => part.textContent.trim());
      about.prepend(new Option(`${who}: ${words}`.slice(0, 80), `line:${line.dataset.said}`));
    }
    about.selectedIndex = 0;
  }, true);
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const form = ctx.sourceElement;
    if (!form?.matches(".reporting form") || ctx.response?.status >= 300) return;
    form.reset();
    form.closest("details").open = false;
  });
  // Somebody who opens the page is here again. A page that was left open is not: there one says so oneself.
  if (document.querySelector("#choices [data-back]")) htmx.ajax("POST", `${table.base}/back`, { target: "#table", swap: "none" });
})();
