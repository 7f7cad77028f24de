import type { Fact, FactValues } from "./series.ts";

/**
 * Facts as text: a line for each, with its quarter of an hour, its count (absent if 1) and its values, separated by
 * vertical bars. Bars at the end of a line are left out. Lines are only ever appended, so that the database can add
 * facts without reading any.
 */

const RADIX = 36;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "|": "\\p", "\n": "\\n" };
const UNESCAPES = new Map(Object.entries(ESCAPES).map(([character, written]) => [written, character]));
/** Indexes of the country and of the region, which begins with it. */
const COUNTRY = 1;
const REGION = 2;

/** Formats the values of a fact. */
export function formatValues(values: FactValues): string {
  const country = values[COUNTRY] ?? "";
  const region = values[REGION] ?? "";
  const hasPrefix = country !== "" && region.startsWith(`${country}-`);
  const short = hasPrefix ? values.with(REGION, region.slice(country.length)) : values;
  const fields = short.map((value) => (/[\\|\n]/.test(value) ? escapeText(value) : value));
  return fields.join("|").replace(/\|+$/, "");
}

function escapeText(value: string): string {
  return value.replace(/[\\|\n]/g, (character) => ESCAPES[character] as string);
}

/** Formats the line of a fact. `values` are from {@link formatValues}. */
export function formatFact(quarter: number, values: string, count: number): string {
  return `${quarter.toString(RADIX)}|${count === 1 ? "" : count.toString(RADIX)}|${values}\n`;
}

/** Parses lines of facts. The values of each fact are as many as were written before the bars that were left out. */
export function parseFacts(text: string): Fact[] {
  const lines = text.split("\n");
  // The last line ends with a line feed too.
  lines.pop();
  return lines.map(parseLine);
}

function parseLine(line: string): Fact {
  const [quarter = "", count = "", ...values] = line.split("|");
  const region = values[REGION];
  if (region?.startsWith("-")) values[REGION] = `${values[COUNTRY]}${region}`;
  return {
    quarter: Number.parseInt(quarter, RADIX),
    count: count === "" ? 1 : Number.parseInt(count, RADIX),
    values: line.includes("\\") ? values.map(unescapeText) : values,
  };
}

function unescapeText(value: string): string {
  return value.replace(/\\[\\pn]/g, (written) => UNESCAPES.get(written) as string);
}
