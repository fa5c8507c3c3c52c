/* The shuffle: this browser gives a number of its own before the first move, notes what it saw, and checks it at the end. */
"use strict";

(() => {
  const { _ } = sutler;
  const base = document.body.dataset.base;
  const told = () => document.getElementById("shuffle").dataset;
  const NOTES = "sutler-shuffles";
  const MOST = 60;                  // tables that are remembered, the latest

  function notes() {
    try { return JSON.parse(sutler.noted(NOTES) || "{}"); } catch { return {}; }
  }

  function note(what) {
    const all = notes();
    const mine = { ...all[base], ...what };
    delete all[base];
    all[base] = mine;
    for (const old of Object.keys(all).slice(0, -MOST)) delete all[old];
    sutler.note(NOTES, JSON.stringify(all));
  }

  async function digest(text) {
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  const seedOf = (hex) => String(BigInt("0x" + hex.slice(0, 14)));

  // --- Before the first move -------------------------------------------------------------------------

  async function give() {
    const number = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    let bond = told().bond;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const answer = await fetch(`${base}/shuffle`, { method: "POST", body: new URLSearchParams({ number, bond }) });
      if (answer.ok) { note({ number, bond }); break; }
      if (answer.status !== 409 || !answer.headers.get("content-type").includes("json")) break;
      bond = (await answer.json()).bond;   // somebody else was quicker; what they gave came before ours
    }
    await sutler.table.fetchParts();
  }

  if (!notes()[base]?.seal && told().text === undefined) note({ seal: told().seal, at: new Date().toISOString().slice(0, 16).replace("T", " ") });
  if (told().wanted !== undefined) give().catch(() => {}).finally(() => { delete document.body.dataset.shuffling; });

  // --- When the game is over --------------------------------------------------------------------------

  /* Each check: does it hold (null: that cannot be known here), and what that means. */
  async function checks() {
    const { seal, text, seed, nonce, luck } = told();
    const numbers = JSON.parse(told().numbers);
    const again = JSON.parse(told().again);
    const mine = notes()[base] ?? {};
    const found = [];
    if (mine.seal) found.push([mine.seal === seal, _("The seal is the one this browser saw on {time}, when it first came to the table.", { time: mine.at }), _("This is not the seal that this browser saw when it first came to the table.")]);
    else found.push([null, _("This browser was not here when the game began. Compare the seal with one that somebody noted then.")]);
    const fits = text.endsWith(`, ${seed}, "${nonce}"]`) && await digest(text) === seal;
    found.push([fits, _("Seed and word make exactly this seal: the seed was fixed before anybody sat down."), _("Seed and word do not make this seal: another seed was sealed.")]);
    let bond = seal;
    let given = false;
    for (const [, number] of numbers) {
      if (number === mine.number && bond === mine.bond) given = true;
      bond = await digest(`${bond} ${number}`);
    }
    if (mine.number) found.push([given, _("The number this browser gave is mixed in, after exactly what was fixed when it gave it."), _("The number this browser gave is not where it was given: it was left out, or something before it was changed.")]);
    else found.push([null, _("This browser gave no number to the shuffle: it came after the first move, or only to watch.")]);
    const together = numbers.length ? seedOf(await digest(`${seed} ${bond}`)) : seed;
    found.push([together === luck, _("The seed and all players’ numbers together make the number that was dealt from."), _("The seed and the players’ numbers do not make the number that was dealt from.")]);
    for (const [decision, time, next] of again) {
      found.push([seedOf(await digest(`${luck} taken back ${time}`)) === next, _("What came after decision {n} was taken back follows from the same number.", { n: decision }), _("What came after decision {n} was taken back does not follow from the number that was dealt from.", { n: decision })]);
    }
    return found;
  }

  async function check() {
    sutler.table.openSide("talk");
    sutler.table.sheetOpen(true);
    document.getElementById("seal").open = true;
    const list = document.getElementById("checks");
    if (!list) return;
    if (!globalThis.crypto?.subtle) {
      show(list, [[null, _("Browsers check seals only on pages that come by https, or from this machine. The game file can be checked anywhere: sutler replay --verify.")]]);
      return;
    }
    const found = await checks();
    const wrong = found.filter(([holds]) => holds === false).length;
    const words = wrong ? _("Something does not fit: do not trust this shuffle.") : _("Everything fits that this browser can know.");
    show(list, [...found, [null, `${words} ${_("That the cards really come from this number is checked by playing the game file again: sutler replay --verify.")}`]]);
    list.dataset.holds = wrong ? "no" : "yes";
  }

  function show(list, found) {
    list.replaceChildren(...found.map(([holds, yes, no]) => {
      const line = document.createElement("li");
      line.dataset.holds = holds === null ? "" : holds ? "yes" : "no";
      line.textContent = holds === false ? no : yes;
      return line;
    }));
    list.hidden = false;
    list.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-check-shuffle]")) check(); });
})();
