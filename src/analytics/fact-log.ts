// Pure: no I/O, clock or randomness.
import type { Fact, FactValues } from "./series.ts";

/**
 * Text format of facts. Each fact is one line: its quarter of an hour, its count (empty if 1) and its values,
 * separated by vertical bars. Trailing bars are left out. A tilde and the marks of the visitors may follow
 * the count. Lines are only appended, so that the database can add facts without reading the log.
 */

const RADIX = 36;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "|": "\\p", "\n": "\\n" };
const UNESCAPES = new Map(Object.entries(ESCAPES).map(([character, written]) => [written, character]));
/**
 * Indexes of the country and the region. A region code begins with its country code, which is left out of the
 * log.
 */
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

/**
 * Formats a fact as one line. `values` is the result of {@link formatValues}, and `visitors` are marks as in a
 * fact.
 */
export function formatFact(quarter: number, values: string, count: number, visitors = ""): string {
  const scans = count === 1 ? "" : count.toString(RADIX);
  return `${quarter.toString(RADIX)}|${scans}${visitors && `~${visitors}`}|${values}\n`;
}

/** Parses a log. Trailing empty values of a fact are missing from its `values`. */
export function parseFacts(text: string): Fact[] {
  const lines = text.split("\n");
  // The last line ends with a line feed too, so the last element is empty.
  lines.pop();
  return lines.map(parseLine);
}

function parseLine(line: string): Fact {
  const [quarter = "", counted = "", ...values] = line.split("|");
  const [count, visitors] = counted.split("~");
  const region = values[REGION];
  if (region?.startsWith("-")) values[REGION] = `${values[COUNTRY]}${region}`;
  return {
    quarter: Number.parseInt(quarter, RADIX),
    count: count ? Number.parseInt(count, RADIX) : 1,
    ...(visitors && { visitors }),
    values: line.includes("\\") ? values.map(unescapeText) : values,
  };
}

function unescapeText(value: string): string {
  return value.replace(/\\[\\pn]/g, (written) => UNESCAPES.get(written) as string);
}
