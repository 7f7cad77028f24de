import { DatabaseSync } from "node:sqlite";
import { sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, test, vi } from "vitest";
import { PAGE_BYTES_MAX, withinPageBytes } from "../../src/db/page-bytes.ts";
import { boundPage } from "../../src/http/page-bytes.ts";

/** Limits of pages in bytes: which rows are read, and which items are sent. */

const PAGE = { total: 9, limit: 3, offset: 2, next_before: "id" };

/** Returns items with these numbers of bytes as JSON, each with the comma or bracket after it. */
function createItems(sizes: readonly number[]) {
  return sizes.map((bytes, index) => {
    const item = { id: `i${index}`, text: "" };
    return { ...item, text: "é".repeat((bytes - JSON.stringify(item).length - 1) / 2) };
  });
}

const HALF = PAGE_BYTES_MAX / 2;

test.each<[string, number[], number]>([
  ["no item", [], 0],
  ["items that fill the page", [HALF, HALF], 2],
  ["a last item that has two bytes too many", [HALF, HALF + 2], 1],
  ["a third item after a full page", [HALF, HALF, 100], 2],
  ["an item that is larger than a page", [PAGE_BYTES_MAX + 2], 1],
  ["two items that are larger than a page", [PAGE_BYTES_MAX + 2, PAGE_BYTES_MAX + 2], 1],
])("a list with %s is cut there, and continues after its last item", async (_, sizes, kept) => {
  const data = createItems(sizes);
  const isWhole = kept === data.length;
  const page = isWhole ? PAGE : { ...PAGE, limit: kept, next_before: `i${kept - 1}` };
  const items = data.slice(0, kept).map((item) => JSON.stringify(item));
  expect(await boundPage({ data, page: PAGE })).toEqual({ items, page });
});

test("a cut list continues at the handler's cursor, and only if the list has cursors", async () => {
  const data = createItems([HALF, HALF, HALF]);
  const { next_before: _, ...plain } = PAGE;
  expect((await boundPage({ data, page: plain })).page).toEqual({ ...plain, limit: 2 });
  const cursorAt = (index: number) => `cursor ${index}`;
  expect((await boundPage({ data, page: { ...PAGE, cursorAt } })).page).toEqual({
    ...PAGE,
    limit: 2,
    next_before: "cursor 1",
  });
});

test("a page with large items is interrupted after each 128 KiB, and a small one is not", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  await boundPage({ data: createItems(Array(64).fill(1_000)), page: PAGE });
  expect(timers).not.toHaveBeenCalled();
  await boundPage({ data: createItems(Array(4).fill(PAGE_BYTES_MAX / 4)), page: PAGE });
  expect(timers).toHaveBeenCalledTimes(4);
  timers.mockRestore();
});

test.each([
  ["a byte less than a page", PAGE_BYTES_MAX - 1, 4],
  ["exactly a page", PAGE_BYTES_MAX, 3],
  ["a byte more than a page", PAGE_BYTES_MAX + 1, 2],
])("a list whose first two rows have %s, %i, reads %i rows", (_, bytes, count) => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE items (id, bytes)");
  for (const row of [
    [4, 1],
    [3, bytes - 1],
    [2, 1],
    [1, 1],
  ] as const)
    database.prepare("INSERT INTO items VALUES (?, ?)").run(...row);
  const query = sql`select id from items where ${withinPageBytes(sql`id`, sql`select id, bytes from items`)}`;
  const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(query);
  expect(database.prepare(text).all(...(params as number[]))).toHaveLength(count);
});
