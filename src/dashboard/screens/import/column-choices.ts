import type { ColumnField, ColumnMap } from "../../../client/import/column-map.ts";

/** Fields of a link and columns of a file. */

/** Names of the fields. */
export const FIELD_TEXTS: Record<ColumnField, string> = {
  url: "Destination",
  custom_slug: "Short code",
  former_url: "Former short address",
  title: "Title",
  note: "Note",
  labels: "Labels",
  created_at: "Created",
  starts_at: "Begins",
  early_url: "Destination before",
  expires_at: "Ends",
  expired_url: "Destination afterwards",
  archived: "Archived",
  enabled: "Enabled",
  max_scans: "Most scans",
  imported_scans: "Scans so far",
  password: "Password",
  forward_query: "Parameters are passed on",
  ios_url: "Destination on iOS",
  android_url: "Destination on Android",
};

/** All fields, in the order in which a person maps them. */
export const FIELDS = Object.keys(FIELD_TEXTS) as ColumnField[];

/** Fields that are offered at once. The others are, where the file has them. */
const MAIN_FIELDS: readonly ColumnField[] = [
  "url",
  "custom_slug",
  "title",
  "labels",
  "created_at",
  "expires_at",
];

/** Returns true for a field that is offered even if no column seems to hold it. */
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

/** Returns the first text of a field's column, or undefined. */
export function findSample({ header, samples, map }: MappedColumns, field: ColumnField): string | undefined {
  const column = map[field];
  const index = column === undefined ? -1 : header.indexOf(column);
  const sample = samples.map((cells) => cells[index] ?? "").find((cell) => cell !== "");
  if (sample === undefined) return undefined;
  return sample.length > SAMPLE_MAX_LENGTH ? `${sample.slice(0, SAMPLE_MAX_LENGTH - 1)}…` : sample;
}

/** Returns a map where a field has another column. A column holds one field: another one that had it loses it. */
export function mapField(map: ColumnMap, field: ColumnField, column: string): ColumnMap {
  const others = Object.entries(map).filter(([name, held]) => name !== field && held !== column);
  return { ...Object.fromEntries(others), ...(column !== "" && { [field]: column }) };
}

/** Lists the columns that hold no field. */
export function listUnusedColumns({ header, map }: MappedColumns): string[] {
  const used = new Set(Object.values(map));
  return header.filter((name) => name !== "" && !used.has(name));
}
