// Pure: no I/O, clock or randomness.
import { formatCompactUrl } from "../../routing/compact-code.ts";
import { readCsvTable } from "../import/csv-table.ts";

/** Codes to print, from links or from the rows of a CSV file. */

/** One code: its content, and the fields that patterns can show. */
export interface PrintItem {
  content: string;
  /** Template of the link, whose design the code has if the template still exists. */
  templateId: string | null;
  /** Fields by name in lower case. All items have `content`, `title`, `url` and `code`. */
  fields: ReadonlyMap<string, string>;
}

/** Thrown for a CSV file that can't be printed. */
export class PrintItemsError extends Error {
  override name = "PrintItemsError";
}

/** Columns that contain the content of the codes, in order of precedence. */
const CONTENT_COLUMNS = ["content", "short_url", "url"] as const;

/** Fields of a link that its code needs. */
export interface PrintedLink {
  short_url: string;
  short_code: string;
  title: string | null;
  qr_template_id?: string | null;
}

/** Returns the item of a link. */
export function toPrintItem(
  { short_url, short_code, title, qr_template_id = null }: PrintedLink,
  isCompact: boolean,
): PrintItem {
  const fields = { title: title ?? short_code, url: dropScheme(short_url), code: short_code, short_url };
  const content = isCompact ? formatCompactUrl(short_url, short_code) : short_url;
  return {
    content,
    templateId: qr_template_id,
    fields: new Map(Object.entries({ ...fields, content: short_url })),
  };
}

/**
 * Reads a CSV file with a header. The codes contain the column `content`, `short_url` or `url`, and all columns are
 * fields. Only a `short_url` with the `short_code` of its row, as in the export, can be compact: a path that is an
 * alias has to keep its case. Throws {@link PrintItemsError}, and `ImportFormatError` for text that isn't CSV.
 */
export function readPrintItems(text: string, isCompact: boolean): PrintItem[] {
  const { header, records } = readCsvTable(text);
  const names = header.map((name) => name.trim().toLowerCase());
  const column = CONTENT_COLUMNS.find((name) => names.includes(name));
  if (column === undefined)
    throw new PrintItemsError(`the file needs a column ${CONTENT_COLUMNS.slice(0, -1).join(", ")} or url`);
  return records.map(({ line, cells }) => {
    const row = new Map(names.map((name, index) => [name, cells[index] ?? ""]));
    const content = row.get(column) ?? "";
    if (content === "") throw new PrintItemsError(`line ${line}: the column ${column} is empty`);
    const code = row.get("short_code") ?? "";
    const isShortUrl = column === "short_url" && code !== "" && content.endsWith(`/${code}`);
    const fields = new Map([
      ...row,
      ["content", content],
      ["url", dropScheme(content)],
      ["code", code],
      ["title", row.get("title") || code],
    ]);
    return {
      content: isCompact && isShortUrl ? formatCompactUrl(content, code) : content,
      templateId: row.get("qr_template_id") || null,
      fields,
    };
  });
}

/** Returns the names that patterns can contain: the fields of the items, and `n`. */
export function listFieldNames(items: readonly PrintItem[]): ReadonlySet<string> {
  return new Set([...(items[0]?.fields.keys() ?? []), "n"]);
}

function dropScheme(url: string): string {
  return url.replace(/^https?:\/\//i, "");
}
