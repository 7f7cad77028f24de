// Pure: no I/O, clock or randomness.
import type { JsonObject } from "../../../core/json-object.ts";
import type { ForeignLink } from "../foreign-link.ts";
import type { SourceName } from "../import-row.ts";

/** Returns the first cell of a record that isn't empty, by column keys (see `toColumnKey`). */
export type ReadCell = (...keys: readonly string[]) => string;

/** Service whose files can be imported. */
export interface ImportSource {
  name: SourceName;
  /** Display name. */
  title: string;
  formats: readonly ("CSV" | "JSON" | "SQL")[];
  /** Instructions for getting a file, in one sentence. */
  howTo: string;
  /** Fields by which the service's files are recognised, for messages. */
  expected: string;
  /** Returns true if these are the column keys of the service's CSV. Absent if CSV isn't supported. */
  isHeader?(keys: ReadonlySet<string>): boolean;
  /** Adds service-specific columns to a link that was read from columns with common names. */
  readRecord?(link: ForeignLink, cell: ReadCell): ForeignLink[];
  /** Returns true if the item is a link from the service's API. Absent if JSON isn't supported. */
  isItem?(item: JsonObject): boolean;
  /** Reads a link from an API response. Returns several links if it has several URLs. */
  readItem?(item: JsonObject, line: number): ForeignLink[];
}
