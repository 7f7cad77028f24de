// Pure: no I/O, clock or randomness.
import type { Entry } from "./audit-labels.ts";

/** Groups entries of the audit log that belong to one bulk change. */

/** Minimum number of entries in a group of several. */
const ENTRIES_MIN = 3;
/** Maximum time between two neighbouring entries of a group. A bulk change makes many calls in a row. */
const PAUSE_MAX_MS = 60_000;

/** Puts neighbouring entries that made the same change to several resources into one group. */
export function groupEntries(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && isSameChange(last, entry)) groups.at(-1)?.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group) => (group.length < ENTRIES_MIN ? group.map((entry) => [entry]) : [group]));
}

function isSameChange(newer: Entry, older: Entry): boolean {
  return (
    describeKind(newer) === describeKind(older) &&
    newer.resource.id !== older.resource.id &&
    Date.parse(newer.at) - Date.parse(older.at) <= PAUSE_MAX_MS
  );
}

/** Describes who did what. Values count only if they are yes or no, so that "enabled" and "disabled" differ. */
function describeKind({ actor, operation, resource, changes }: Entry): string {
  const fields = Object.entries(changes).map(([field, [, after]]) => [
    field,
    typeof after === "boolean" && after,
  ]);
  return JSON.stringify([actor.type, actor.id, operation, resource.type, fields]);
}
