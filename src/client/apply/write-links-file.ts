import { Scalar, stringify } from "yaml";
import { DEFAULTS, isSameValue, type Link, readFields } from "./desired-link.ts";

/** Files with links, written part by part: a start, the links one by one, an end. */

export type FileFormat = "yaml" | "json";

/** Version of the format. */
const VERSION = 1;
/** Characters that a block of YAML cannot hold or that editors change. Quoted, they are escaped. */
const FRAGILE = /[\p{Cc}\u2028\u2029\ufeff]/u;

/** Returns the start of a file. `schemaUrl` is where editors find its schema. */
export function formatStart(format: FileFormat, schemaUrl: string): string {
  if (format === "yaml") return `# yaml-language-server: $schema=${schemaUrl}\nversion: ${VERSION}\nlinks:`;
  return `{\n  "$schema": ${JSON.stringify(schemaUrl)},\n  "version": ${VERSION},\n  "links": [`;
}

/** Returns one link of a file. */
export function formatLink(format: FileFormat, link: Link, isFirst: boolean): string {
  const item = describeForFile(link);
  if (format === "json") {
    const lines = JSON.stringify(item, null, 2).replaceAll("\n", "\n    ");
    return `${isFirst ? "" : ","}\n    ${lines}`;
  }
  const lines = stringify(
    { links: [guardTexts(item)] },
    { lineWidth: 0, version: "1.2", aliasDuplicateObjects: false },
  );
  return `${isFirst ? "\n" : ""}${lines.slice("links:\n".length)}`;
}

/** Returns the end of a file. */
export function formatEnd(format: FileFormat, hasLinks: boolean): string {
  if (format === "yaml") return hasLinks ? "" : " []\n";
  return hasLinks ? "\n  ]\n}\n" : "]\n}\n";
}

/** Returns the fields of a link as a file has them: in a fixed order, without those that are as they are by default. */
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
    url,
    ...Object.fromEntries(given),
    ...(link.imported_scans > 0 && { imported_scans: link.imported_scans }),
    created_at: link.created_at,
  };
}

/** Returns a value whose fragile texts are quoted. */
function guardTexts(value: unknown): unknown {
  if (typeof value === "string") {
    if (!FRAGILE.test(value.replaceAll("\n", ""))) return value;
    const scalar = new Scalar(value);
    scalar.type = Scalar.QUOTE_DOUBLE;
    return scalar;
  }
  if (Array.isArray(value)) return value.map(guardTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, guardTexts(member)]));
}
