// Pure: no I/O, clock or randomness.
import { isJsonObject } from "../../core/json-object.ts";
import { fitLink } from "./fit-link.ts";
import { quote } from "./foreign-link.ts";
import { ImportFormatError, type SourceName } from "./import-row.ts";
import { describeNames, type JsonItem, readJsonItems } from "./json-items.ts";
import type { ReadFile, Row } from "./read-table.ts";
import type { ImportSource } from "./sources/import-source.ts";
import { getSource, IMPORT_SOURCES } from "./sources/source-table.ts";

/** Reads JSON. Without a given source, detects it by the items' fields. */
export function readJson(text: string, wanted: SourceName | undefined, nowMs: number): ReadFile {
  const items = readJsonItems(text);
  const source = chooseSource(items, wanted);
  return { source: source.name, links: items.map((item) => readItem(source, item, nowMs)) };
}

function chooseSource(items: readonly JsonItem[], wanted: SourceName | undefined): ImportSource {
  const [first] = items;
  const named = wanted === undefined ? undefined : getSource(wanted);
  if (named !== undefined && named.isItem === undefined) {
    throw new ImportFormatError(`line ${first?.line ?? 1}: found JSON, expected CSV`);
  }
  const candidates = named === undefined ? IMPORT_SOURCES : [named];
  if (first === undefined) {
    if (named !== undefined) return named;
    throw new ImportFormatError("line 1: found an empty list, expected links from a supported service");
  }
  for (const { value } of items) {
    const source = isJsonObject(value) ? candidates.find(({ isItem }) => isItem?.(value)) : undefined;
    if (source !== undefined) return source;
  }
  const found = isJsonObject(first.value)
    ? `an object with ${describeNames(first.value)}`
    : describe(first.value);
  const expected =
    named === undefined
      ? "a link from a supported service"
      : `${named.expected}, as exported by ${named.title}`;
  throw new ImportFormatError(`line ${first.line}: found ${found}, expected ${expected}`);
}

function describe(value: unknown): string {
  return typeof value === "string"
    ? `the string ${quote(value)}`
    : Array.isArray(value)
      ? "a list"
      : `${value}`;
}

function readItem(source: ImportSource, { line, value }: JsonItem, nowMs: number): Row[] {
  if (!isJsonObject(value))
    return [{ line, formerUrl: null, problem: `is ${describe(value)} instead of a link` }];
  if (!source.isItem?.(value)) {
    const problem = `has ${describeNames(value)} instead of ${source.expected}`;
    return [{ line, formerUrl: null, problem }];
  }
  return (source.readItem?.(value, line) ?? []).map((foreign) => fitLink(foreign, nowMs));
}
