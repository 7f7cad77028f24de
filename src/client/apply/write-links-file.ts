// Pure: no I/O, clock or randomness.
import { Document, Scalar, visit } from "yaml";
import { DEFAULTS, isSameValue, type Link, readFields } from "./desired-link.ts";

/** Writes files with links in parts: the start, each link, the end. */

export type FileFormat = "yaml" | "json";

const VERSION = 1;
/** Characters that YAML blocks can't contain, or that editors change or hide. Text with them is quoted. */
const FRAGILE = /[\p{Cc}\u2028\u2029\ufeff]/u;
/** Fragile characters that neither `JSON.stringify` nor the YAML library escapes in quoted strings. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** Options that keep quoted text on one line, because spaces at line ends would be lost. */
const STRING_OPTIONS = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

/** Returns the start of a file. `schemaUrl` is the URL where editors find the schema. */
export function formatStart(format: FileFormat, schemaUrl: string): string {
  if (format === "yaml") return `# yaml-language-server: $schema=${schemaUrl}\nversion: ${VERSION}\nlinks:`;
  return `{\n  "$schema": ${JSON.stringify(schemaUrl)},\n  "version": ${VERSION},\n  "links": [`;
}

/** Formats one link of a file. */
export function formatLink(format: FileFormat, link: Link, isFirst: boolean): string {
  const item = describeForFile(link);
  if (format === "json") {
    const lines = escapeFragile(JSON.stringify(item, null, 2)).replaceAll("\n", "\n    ");
    return `${isFirst ? "" : ","}\n    ${lines}`;
  }
  const document = new Document({ links: [item] }, { version: "1.2", aliasDuplicateObjects: false });
  visit(document, { Scalar: quoteFragile });
  const lines = escapeFragile(document.toString(STRING_OPTIONS));
  return `${isFirst ? "\n" : ""}${lines.slice("links:\n".length)}`;
}

/** Returns the end of a file. */
export function formatEnd(format: FileFormat, hasLinks: boolean): string {
  if (format === "yaml") return hasLinks ? "" : " []\n";
  return hasLinks ? "\n  ]\n}\n" : "]\n}\n";
}

/** Returns the fields of a link as written to a file: in a fixed order, without default values. */
function describeForFile(link: Link): Record<string, unknown> {
  const { url, routing_rules, preview, ...others } = readFields(link);
  const all = {
    ...others,
    routing_rules: routing_rules.map(({ when, ...rule }) => {
      const { name, ...outcome } = rule;
      return {
        ...(name !== undefined && { name }),
        ...(Object.keys(when).length > 0 && { when }),
        ...outcome,
      };
    }),
    preview: preview && Object.fromEntries(Object.entries(preview).filter(([, text]) => text !== null)),
  };
  const given = Object.entries(DEFAULTS).flatMap(([name, initial]) => {
    const value = all[name as keyof typeof all];
    return isSameValue(value, initial) ? [] : [[name, value]];
  });
  return {
    code: link.short_code,
    ...(link.external_id !== null && { external_id: link.external_id }),
    url,
    ...(link.aliases.length > 0 && { aliases: link.aliases }),
    ...Object.fromEntries(given),
    ...(link.imported_scans > 0 && { imported_scans: link.imported_scans }),
    created_at: link.created_at,
  };
}

/** Quotes a string or a key in a document if it contains fragile characters. */
function quoteFragile(_key: unknown, scalar: Scalar): void {
  const { value } = scalar;
  // YAML blocks drop spaces on lines without other characters.
  const isFragile =
    typeof value === "string" && (FRAGILE.test(value.replaceAll("\n", "")) || /^ +$/m.test(value));
  if (isFragile) scalar.type = Scalar.QUOTE_DOUBLE;
}

/** Escapes fragile characters in quoted strings with `\u`, which is valid in JSON and in YAML. */
function escapeFragile(text: string): string {
  return text.replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
