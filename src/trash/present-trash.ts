import { readUuidTime } from "../core/id.ts";
import { toIso } from "../core/time.ts";
import { formatPage } from "../http/envelope.ts";
import type { TrashPage } from "./trash.ts";
import { KEPT_MS } from "./trash-limits.ts";

/** Builds the response of a list of the trash. `present` converts a row to its response. */
export function presentTrash<Row, Item>(
  query: { limit: number; offset: number },
  { items, total, nextBefore, cursorAt }: TrashPage<Row>,
  present: (row: Row) => Item,
) {
  const data = items.map(({ deletionId, row }) => {
    const deletedMs = readUuidTime(deletionId);
    return { ...present(row), deleted_at: toIso(deletedMs), erase_at: toIso(deletedMs + KEPT_MS) };
  });
  return { data, page: { ...formatPage(query, total, nextBefore), cursorAt } };
}
