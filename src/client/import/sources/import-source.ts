import type { ForeignLink } from "../foreign-link.ts";
import type { SourceName } from "../import-row.ts";
import type { JsonObject } from "../json-fields.ts";

/** Record of a CSV file by the keys of its columns (see `toColumnKey`). */
export type ReadCell = (...keys: readonly string[]) => string;

/** Service whose files are read. */
export interface ImportSource {
  name: SourceName;
  /** Name for people. */
  title: string;
  formats: readonly ("CSV" | "JSON")[];
  /** How to get a file, in one sentence for people. */
  howTo: string;
  /** Fields by which the service's files are known, for messages. */
  expected: string;
  /** Returns true for the keys of the columns of the service's CSV. Absent if it has none. */
  isHeader?(keys: ReadonlySet<string>): boolean;
  /** Completes what the columns of a record say under their usual names. */
  readRecord?(link: ForeignLink, cell: ReadCell): ForeignLink[];
  /** Returns true for a link in an answer of the service's API. Absent if it is not read. */
  isItem?(item: JsonObject): boolean;
  /** Reads a link of an answer: as several links if it has several addresses. */
  readItem?(item: JsonObject, line: number): ForeignLink[];
}
