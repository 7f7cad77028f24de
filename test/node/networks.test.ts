import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findNetwork, NETWORKS } from "../../src/bio/networks.ts";

const DRAWN_HERE = ["linkedin", "website"];
const taken = Object.entries(NETWORKS).filter(([key]) => !DRAWN_HERE.includes(key));

test.each(taken)("the icon of %s is that of Simple Icons", (key, { icon }) => {
  const svg = readFileSync(`node_modules/simple-icons/icons/${key}.svg`, "utf8");
  expect(svg).toContain(`<path d="${icon}"/>`);
});

test.each([
  ["GitHub", "GitHub"],
  ["stack-overflow", "Stack Overflow"],
  ["twitter", "X"],
  ["Friendster", "Friendster"],
  ["__proto__", "__proto__"],
  ["toString", "toString"],
  ["日本", "日本"],
])("the network %s is called %s", (given, name) => {
  expect(findNetwork(given).name).toBe(name);
  expect(findNetwork(given).icon).toMatch(/^M[\d ,.a-zA-Z-]+$/);
});
