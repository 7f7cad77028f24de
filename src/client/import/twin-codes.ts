// Pure: no I/O, clock or randomness.
import { toCodeKey } from "../../routing/short-code.ts";
import { type ImportRow, type InvalidRow, isImportRow } from "./import-row.ts";

/**
 * Turns the codes of a file into aliases if they differ only in case and have different destinations. Short
 * codes match in any case, so that only one of these rows could keep its code, and the printed codes of the
 * others would open its destination. Aliases match exactly.
 */
export function separateTwins(rows: readonly (ImportRow | InvalidRow)[]): (ImportRow | InvalidRow)[] {
  const groups = new Map<string, { spellings: Set<string>; destinations: Set<string> }>();
  for (const row of rows) {
    const code = isImportRow(row) ? row.link.custom_slug : undefined;
    if (!isImportRow(row) || code === undefined) continue;
    const group = groups.get(toCodeKey(code)) ?? { spellings: new Set(), destinations: new Set() };
    group.spellings.add(code);
    group.destinations.add(row.link.url ?? "");
    groups.set(toCodeKey(code), group);
  }
  return rows.map((row) => {
    if (!isImportRow(row) || row.link.custom_slug === undefined) return row;
    const { custom_slug: code, ...link } = row.link;
    const group = groups.get(toCodeKey(code));
    if (group === undefined || group.spellings.size === 1 || group.destinations.size === 1) return row;
    const note = "the file has its code in a different case too, so it is an alias, which matches exactly";
    return { ...row, link: { ...link, aliases: [code] }, notes: [...row.notes, note] };
  });
}
