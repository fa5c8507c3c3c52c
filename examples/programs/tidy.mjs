#!/usr/bin/env node
// Tidy: of what it may do it takes the action whose paragraph comes first in the guide, and never the same one twice running.

import { createInterface } from "node:readline";

const say = (what) => console.log(JSON.stringify(what));
const paragraph = (one) => one.rule.split(".").map(Number);
const before = (a, b) => {
  const [x, y] = [paragraph(a), paragraph(b)];
  return x[0] - y[0] || (x[1] ?? 0) - (y[1] ?? 0) || a.id - b.id;
};
let last = "";

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.type === "hello") {
    say({ type: "hello", protocol: 1, name: "tidy", wants: [] });
  } else if (told.type === "decide") {
    const others = told.legal.filter((one) => one.name !== last);
    const [chosen] = (others.length ? others : told.legal).sort(before);
    last = chosen.name;
    say({ type: "play", id: told.id, action: chosen.name });
  }
}
