// Pure: no I/O, clock or randomness.
import type { ColumnField, ColumnMap } from "../../../client/import/column-map.ts";

/** Assigns columns of a CSV file to fields of a link. */

/** Labels of the fields. */
export const FIELD_TEXTS: Record<ColumnField, string> = {
  url: "Destination",
  custom_slug: "Short code",
  former_url: "Original short URL",
  title: "Title",
  note: "Note",
  labels: "Labels",
  created_at: "Created",
  starts_at: "Starts",
  early_url: "Destination before start",
  expires_at: "Expires",
  expired_url: "Destination after expiry",
  archived: "Archived",
  enabled: "Enabled",
  max_scans: "Scan limit",
  imported_scans: "Previous scans",
  password: "Password",
  forward_query: "Forward query parameters",
  confirm: "Ask before opening",
  ios_url: "Destination on iOS",
  android_url: "Destination on Android",
};

/** All fields in display order. */
export const FIELDS = Object.keys(FIELD_TEXTS) as ColumnField[];

/** Fields that are shown from the start. The others appear once they have a column, or on request. */
const MAIN_FIELDS: readonly ColumnField[] = [
  "url",
  "custom_slug",
  "title",
  "labels",
  "created_at",
  "expires_at",
];

/** Returns true for a field that is shown even if no column seems to contain it. */
export function isMainField(field: ColumnField): boolean {
  return MAIN_FIELDS.includes(field);
}

/** Columns of a file with their first rows. */
export interface MappedColumns {
  header: readonly string[];
  samples: readonly (readonly string[])[];
  map: ColumnMap;
}

const SAMPLE_MAX_LENGTH = 60;

/** Returns a field's first non-empty cell, cut at 60 characters. Undefined if there is none. */
export function findSample({ header, samples, map }: MappedColumns, field: ColumnField): string | undefined {
  const column = map[field];
  const index = column === undefined ? -1 : header.indexOf(column);
  const sample = samples.map((cells) => cells[index] ?? "").find((cell) => cell !== "");
  if (sample === undefined) return undefined;
  return sample.length > SAMPLE_MAX_LENGTH ? `${sample.slice(0, SAMPLE_MAX_LENGTH - 1)}…` : sample;
}

/** Assigns a column to a field. A column holds only one field, so any other field that had it loses it. */
export function mapField(map: ColumnMap, field: ColumnField, column: string): ColumnMap {
  const others = Object.entries(map).filter(([name, held]) => name !== field && held !== column);
  return { ...Object.fromEntries(others), ...(column !== "" && { [field]: column }) };
}

/** Lists the columns that aren't assigned to any field. */
export function listUnusedColumns({ header, map }: MappedColumns): string[] {
  const used = new Set(Object.values(map));
  return header.filter((name) => name !== "" && !used.has(name));
}
