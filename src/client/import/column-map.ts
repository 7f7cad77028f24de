// Pure: no I/O, clock or randomness.
import { toColumnKey } from "./cell-text.ts";
import { readCsvTable } from "./csv-table.ts";
import { normalizeText } from "./file-text.ts";

/**
 * Fields of a link that a CSV column can contain, with the usual column names for each: the API's name, and
 * names from the exports of well-known services.
 */
const FIELD_NAMES = {
  url: "url, destination, destination url, long url, original url, target url, target, redirect url, full url",
  custom_slug: "custom slug, slug, short code, keyword, back half, alias, path, key, code, slashtag, hash",
  former_url: "former url, short url, short link, shortlink, bitlink, link, short, shortened url",
  title: "title, name, link title",
  note: "note, notes, description, comments, comment",
  labels: "labels, tags, label, tag",
  created_at: "created at, created, date created, creation date, created on, timestamp, date added, date",
  starts_at: "starts at, valid since, start date, active from",
  early_url: "early url",
  expires_at: "expires at, expires, expiration, expiration date, expiry, expiry date, valid until, expire on",
  expired_url: "expired url, expiration url, expiration redirect",
  archived: "archived, is archived",
  enabled: "enabled, active, is active",
  max_scans: "max scans, max visits, max clicks, click limit, clicks limit",
  imported_scans:
    "imported scans, scan count, scans, clicks, total clicks, click count, visits, visits count, engagements",
  password: "password",
  forward_query: "forward query, forward parameters",
  confirm: "confirm",
  ios_url: "ios url, ios, iphone url",
  android_url: "android url, android",
} as const;

export type ColumnField = keyof typeof FIELD_NAMES;

/** Fields that a column can contain, in the order in which users map them. */
export const COLUMN_FIELDS = Object.keys(FIELD_NAMES) as ColumnField[];

/** Name of the file's column for each link field that the file contains. */
export type ColumnMap = Partial<Record<ColumnField, string>>;

/** Parses a column mapping such as `url=Long URL`. Returns null if the field is unknown. */
export function parseColumn(text: string): [field: ColumnField, column: string] | null {
  const [, field = "", column = ""] = /^\s*([a-z_]+)\s*=\s*(.*\S)\s*$/s.exec(text) ?? [];
  return isColumnField(field) ? [field, column] : null;
}

function isColumnField(text: string): text is ColumnField {
  return Object.hasOwn(FIELD_NAMES, text);
}

/** Guesses which column contains which field from the column names. Each column is used for one field. */
export function guessColumns(header: readonly string[]): ColumnMap {
  const columns = new Map(header.toReversed().map((name) => [toColumnKey(name), name]));
  const guessed: ColumnMap = {};
  for (const field of COLUMN_FIELDS) {
    const key = FIELD_NAMES[field]
      .split(", ")
      .map(toColumnKey)
      .find((candidate) => columns.has(candidate));
    if (key === undefined) continue;
    guessed[field] = columns.get(key) ?? "";
    columns.delete(key);
  }
  return guessed;
}

/** Columns of a CSV file with its first rows, shown to users who map the columns. */
export interface ColumnList {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

const SHOWN_ROWS = 5;

/** Lists a CSV file's columns with its first rows. Throws an `ImportFormatError` if there is no header. */
export function listColumns(text: string): ColumnList {
  const { header, records } = readCsvTable(normalizeText(text), SHOWN_ROWS);
  return { header, rows: records.map(({ cells }) => cells) };
}
