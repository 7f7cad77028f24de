import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findNetwork, NETWORKS } from "../../src/bio/networks.ts";

/** Networks with an original icon. */
const ORIGINAL_ICONS = ["linkedin", "website"];
const simpleIcons = Object.entries(NETWORKS).filter(([key]) => !ORIGINAL_ICONS.includes(key));

test.each(simpleIcons)("the icon of %s is identical to the icon in Simple Icons", (key, { icon }) => {
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
])("findNetwork('%s') returns the name '%s' and an icon", (given, name) => {
  expect(findNetwork(given).name).toBe(name);
  expect(findNetwork(given).icon).toMatch(/^M[\d ,.a-zA-Z-]+$/);
});
