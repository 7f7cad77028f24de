import { expect, test } from "vitest";
import * as z from "zod";
import { expectData, expectError, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { seedLinks } from "../support/seed-links.ts";

/** Lists and exports of large items. */

/** Maximum size of a page of changes, of other pages, and of the envelope around them. */
const LOG_PAGE_BYTES_MAX = 131_072;
/** Size of an entry of these tests. The entry that fills a page of changes is still on it. */
const ENTRY_BYTES_MAX = 25_000;
const PAGE_BYTES_MAX = 1_048_576;
const ENVELOPE_BYTES_MAX = 2_000;

/** Items of each list, which fill several pages. */
const ITEMS = { links: 100, audit: 30, pages: 140 };
const listNumbers = (
  count: number,
) => `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${count})
  SELECT n, printf('01a1fd70-f1c0-7000-8%03x-%s', n, lower(hex(randomblob(6)))) AS id FROM numbers`;
const items = z.array(z.looseObject({ id: z.string() }));
const large = "x".repeat(8_000);

/** Creates a workspace with large items of a kind. */
async function createItems(kind: keyof typeof ITEMS): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  if (kind === "links") {
    const [code, destination] = ["'code' || n", "'https://example.com/' || n"];
    await seedLinks({ workspace, count: ITEMS.links, code, destination });
  }
  const numbers = listNumbers(ITEMS[kind]);
  const statements = {
    links: `UPDATE links SET destination = 'https://example.com/' || ?2, early_url = destination || ?2 WHERE workspace_id = ?1`,
    audit: `INSERT INTO audit_log SELECT ?1, id, n, 'key', 'k', 'k', 'updateLink', 'link', id, id,
              json_object('url', json_array(?2 || ?2, ?2)), 0 FROM (${numbers})`,
    pages: `INSERT INTO bio_pages (id, workspace_id, slug, title, description, page_data, is_published, created_at, updated_at)
            SELECT id, ?1, id, 't', '', json_object('x', ?2), 0, 0, 0 FROM (${numbers})`,
  };
  await workspace.shard.prepare(statements[kind]).bind(workspace.id, large).run();
  return workspace;
}

let links: Promise<TestWorkspace> | undefined;

/** Returns a workspace with large links, which the tests of this file only read. */
function getLinks(): Promise<TestWorkspace> {
  links ??= createItems("links");
  return links;
}

test.each<[path: string, kind: keyof typeof ITEMS]>([
  ["/v1/links?limit=200", "links"],
  ["/v1/links?limit=200&sort=scan_count", "links"],
  ["/v1/links?limit=200&search=code", "links"],
  ["/v1/audit?limit=100", "audit"],
  ["/v1/bio/pages?limit=200", "pages"],
])("%s bounds the bytes of a page, and following the pages finds every item once", async (path, kind) => {
  const workspace = await (kind === "links" ? getLinks() : createItems(kind));
  const ids: string[] = [];
  let before: unknown;
  let pages = 0;
  do {
    const cursor = before === undefined ? "" : `&before=${String(before)}`;
    const response = await workspace.call("GET", path + cursor);
    const text = await response.clone().text();
    const bytesMax = kind === "audit" ? LOG_PAGE_BYTES_MAX + ENTRY_BYTES_MAX : PAGE_BYTES_MAX;
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(bytesMax + ENVELOPE_BYTES_MAX);
    const { data, meta } = await expectData(response, items);
    ids.push(...data.map(({ id }) => id));
    if (meta.next_before !== null && kind !== "audit") expect(meta.limit).toBe(data.length);
    before = meta.next_before;
    pages += 1;
  } while (before !== null && pages < 40);
  expect(pages).toBeGreaterThan(1);
  expect(ids).toHaveLength(ITEMS[kind]);
  expect(new Set(ids).size).toBe(ITEMS[kind]);
});

test("a workspace runs one export at a time, and another one after it ended", async () => {
  const [workspace, other] = [await newWorkspace("pro"), await newWorkspace("pro")];
  const limiter = workerEnv.LIMITER.getByName(workspace.id);
  expect(await limiter.takeExport("running", 30_000)).toBe(0);
  const refused = await workspace.call("GET", "/v1/links/export");
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  await expectError(refused, 429, "EXPORT_IN_PROGRESS");
  expect((await other.call("GET", "/v1/links/export")).status).toBe(200);
  await limiter.endExport("another");
  await expectError(await workspace.call("GET", "/v1/links/export"), 429, "EXPORT_IN_PROGRESS");
  await limiter.endExport("running");
  for (let run = 0; run < 2; run++) {
    expect((await workspace.call("GET", "/v1/links/export")).status).toBe(200);
  }
});

test("an export of links that fill several batches contains each of them once", async () => {
  const workspace = await getLinks();
  const lines = (await (await workspace.call("GET", "/v1/links/export")).text()).trim().split("\r\n");
  expect(lines).toHaveLength(1 + ITEMS.links);
  expect(new Set(lines.slice(1).map((line) => line.split(",")[0])).size).toBe(ITEMS.links);
});
