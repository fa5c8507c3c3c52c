// Tables of a report: a click on a head sorts by its column, and a long table has a field that leaves only the rows with some words.
// Without scripts, and printed, the tables stand as they are.
"use strict";
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (!body || !table.tHead || body.rows.length < 5) continue;
  const number = (text) => {
    const found = text.replaceAll("−", "-").replaceAll(",", "").match(/[+-]?\d+(\.\d+)?/);
    return found && !/^[a-z]/i.test(text) ? Number(found[0]) : null;
  };
  const compare = (one, other) => {
    const [a, b] = [number(one), number(other)];
    if (a !== null && b !== null) return a - b;
    if (a !== null || b !== null) return a === null ? 1 : -1;
    return one.localeCompare(other);
  };
  for (const head of table.tHead.rows[0].cells) {
    if (!head.textContent) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
      const of = (row) => row.cells[head.cellIndex]?.textContent ?? "";
      body.append(...[...body.rows].sort((a, b) => way * compare(of(a), of(b))));
    });
  }
  if (body.rows.length < 20) continue;
  const field = document.createElement("input");
  field.type = "search";
  field.className = "find";
  field.placeholder = "Find a row";
  field.setAttribute("aria-label", `Find a row: ${table.caption?.textContent ?? "table"}`);
  field.addEventListener("input", () => {
    const words = field.value.toLocaleLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(words);
  });
  table.parentElement.before(field);
}
