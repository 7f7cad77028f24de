import { expect, test } from "vitest";
import * as z from "zod";
import { linkResponse } from "../../src/links/link-response.ts";
import { countingEnv, expectData, newWorkspace, type TestWorkspace } from "../support/harness.ts";
import { LINKS, listLinks, walk } from "../support/link-lists.ts";
import { seedLinks } from "../support/seed-links.ts";

/** Rows of D1 that lists of links read. */

const ROWS_READ_MAX = 5_000;

const MANY_LINKS = 3_000;

/** Creates a workspace with many candidates for every filter. Most of them don't match. */
async function createLargeWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace("enterprise");
  await seedLinks({
    workspace,
    count: MANY_LINKS,
    code: "'code-' || n",
    destination:
      "'https://example.com/' || iif(n % 2, 'abc-bcd', 'bcd-abc') || iif(n % 900 = 7, '/rare', '')",
    labels: "json_array('common', iif(n % 1000 = 3, 'seldom', 'often'))",
    enabled: "(n < 1500 OR n % 700 = 0)",
  });
  return workspace;
}

const numbers = Array.from({ length: MANY_LINKS }, (_, index) => MANY_LINKS - 1 - index);

/** Filters with their condition for the n-th link. `lists` tests others, with one condition that most links meet. */
const FILTERS: [Record<string, string>, (n: number) => boolean][] = [
  [{ enabled: "true" }, (n) => n < 1_500 || n % 700 === 0],
  [{ enabled: "false" }, (n) => n >= 1_500 && n % 700 !== 0],
  [{ label: "common", enabled: "true" }, (n) => n < 1_500 || n % 700 === 0],
  [{ search: "RARE" }, (n) => n % 900 === 7],
  [{ search: "co" }, () => true],
  [{ search: "abcd" }, () => false],
  [{ search: "https", label: "seldom" }, (n) => n % 1_000 === 3],
  [{ search: "https", label: "seldom", enabled: "true" }, (n) => n % 1_000 === 3 && n < 1_500],
  [{ search: "https", label: "common", enabled: "true" }, (n) => n < 1_500 || n % 700 === 0],
  [{ search: "rare", enabled: "false" }, (n) => n % 900 === 7 && n >= 1_500],
];

test("no list of links reads more than 5,000 rows per page, and all pages together return every link once", async () => {
  const workspace = await createLargeWorkspace();
  const all = (await walk(workspace, { limit: 200 })).ids;
  expect(all).toHaveLength(MANY_LINKS);
  for (const [filter, matches] of FILTERS) {
    const expected = numbers.flatMap((n, index) => (matches(n) ? [all[index]] : []));

    const readPage: typeof listLinks = async (_, query) => {
      const { env, counts } = countingEnv();
      const page = await listLinks(workspace, query, env);
      const context = JSON.stringify(query);
      expect(counts.rowsRead, context).toBeLessThanOrEqual(ROWS_READ_MAX);
      expect(counts.rowsRead).toBeGreaterThan(0);
      expect(counts.d1).toBe(2);
      expect(page.meta.total, context).toBeLessThanOrEqual(expected.length);
      if (!page.meta.total_is_capped) expect(page.meta.total, context).toBe(expected.length);
      return page;
    };

    const query = { ...filter, limit: 200 };
    expect((await walk(workspace, query, readPage)).ids, JSON.stringify(filter)).toEqual(expected);
    await readPage(workspace, { ...query, offset: 1_000 });
  }
}, 120_000);

test("a list reads the rows of its page, its label or its codes, not all rows of the workspace", async () => {
  const workspace = await newWorkspace();
  const links = Array.from({ length: 100 }, (_, n) => ({
    url: "https://example.com/",
    custom_slug: `code-${n}`,
    labels: n % 10 === 0 ? ["a"] : [],
  }));
  await workspace.call("POST", `${LINKS}/bulk`, { body: { links } });
  for (const query of ["limit=2", "label=a&limit=2", "label=a&enabled=true&limit=2", "codes=code-0"]) {
    const { env, counts } = countingEnv();
    const response = await workspace.call("GET", `${LINKS}?${query}`, { env });
    expect((await expectData(response, z.array(linkResponse))).data).not.toEqual([]);
    expect(counts.rowsRead, query).toBeGreaterThan(0);
    expect(counts.rowsRead, query).toBeLessThan(query.startsWith("codes=") ? 50 : 70);
  }
});
