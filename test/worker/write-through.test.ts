import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { linkResponse } from "../../src/links/link-response.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { addDomain, createLink, expectData, newWorkspace, type TestWorkspace } from "../support/harness.ts";
import { cacheUnknown, isCached } from "../support/redirects.ts";

/** Changes of links that are written to the caches of redirects. */

const URL = "https://example.com/";
const bulkCreated = z.object({ created: z.array(linkResponse) });

beforeEach(forgetAll);
afterEach(() => void vi.restoreAllMocks());

async function createLinks(workspace: TestWorkspace, slugs: readonly (string | undefined)[]) {
  const links = slugs.map((custom_slug) => ({ url: URL, custom_slug }));
  const response = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  return (await expectData(response, bulkCreated, 201)).data.created;
}

/** Returns the number of calls of the data centre's cache for links of a workspace. */
function countLinkCalls({ id }: TestWorkspace, spy: { mock: { calls: unknown[][] } }): number {
  return spy.mock.calls.filter(([address]) => String(address).includes(id)).length;
}

async function visitStatus(workspace: TestWorkspace, code: string): Promise<number> {
  return (await workspace.visit(`/${code}`)).status;
}

test("links with generated codes redirect immediately in every isolate, without data centre cache writes", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "second.write-through.test");
  const put = vi.spyOn(caches.default, "put");
  const links = [await createLink(workspace), ...(await createLinks(workspace, Array(100).fill(undefined)))];
  expect(countLinkCalls(workspace, put)).toBe(0);
  for (const { short_code } of links.slice(-3)) expect(await visitStatus(workspace, short_code)).toBe(302);
  forgetAll();
  for (const { short_code } of links.slice(0, 3)) expect(await visitStatus(workspace, short_code)).toBe(302);
});

test("a bulk creation only writes links with custom slugs to the data centre's cache", async () => {
  const workspace = await newWorkspace();
  const put = vi.spyOn(caches.default, "put");
  const created = await createLinks(workspace, [undefined, "one", undefined, "two", "ONE"]);
  expect(created).toHaveLength(4);
  expect(countLinkCalls(workspace, put)).toBe(2);
  for (const code of ["one", "two"]) expect(await isCached(workspace, code)).toBe(true);
});

test.each<[string, (workspace: TestWorkspace, slug: string) => Promise<unknown>]>([
  ["POST /v1/links", (workspace, custom_slug) => createLink(workspace, { custom_slug })],
  ["POST /v1/links/bulk", (workspace, slug) => createLinks(workspace, [slug])],
])(
  "%s: a slug cached as unknown in the data centre redirects immediately in every isolate",
  async (_, create) => {
    const workspace = await newWorkspace();
    await cacheUnknown(workspace, "wanted");
    expect(await visitStatus(workspace, "wanted")).toBe(404);
    await create(workspace, "Wanted");
    expect(await visitStatus(workspace, "wanted")).toBe(302);
    forgetAll();
    expect(await visitStatus(workspace, "wanted")).toBe(302);
  },
);

test("updates and deletions of a link with a generated code are written to the data centre's cache", async () => {
  const workspace = await newWorkspace();
  const { id, short_code } = await createLink(workspace);
  const put = vi.spyOn(caches.default, "put");
  await workspace.call("PATCH", `/v1/links/${id}`, { body: { enabled: false } });
  expect(countLinkCalls(workspace, put)).toBe(1);
  forgetAll();
  expect(await visitStatus(workspace, short_code)).toBe(410);
  await workspace.call("DELETE", `/v1/links/${id}`);
  expect(countLinkCalls(workspace, put)).toBe(2);
  forgetAll();
  expect(await visitStatus(workspace, short_code)).toBe(404);
});
