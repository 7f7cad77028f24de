import { beforeAll, describe, expect, test } from "vitest";
import { countTrips, type Trips } from "../support/counting.ts";
import { newWorkspace, type TestWorkspace } from "../support/harness.ts";
import { callOperation, shareReads } from "../support/operation-calls.ts";
import { createResources, everyOperation, fillPath, type Ids, quietEnv } from "../support/resources.ts";

/**
 * Round trips to storage of a call whose key is cached in this isolate: the number of sequential levels, and
 * the total number of trips to D1 and Durable Objects. The first level reads the key and calls the limiter.
 */

/** Operations with another number of levels than two. The second level is their own work. */
const OTHER_DEPTHS: Record<string, [depth: number, reason: string]> = {
  generateQr: [1, "reads nothing"],
  getWorkspace: [1, "the workspace comes with the key"],
  revertLink: [3, "the entry is read before its values are restored"],
  restoreLink: [3, "the item is read from the trash first"],
  restoreQrTemplate: [3, "as above"],
  restoreBioPage: [4, "as above; then the slug is claimed in the directory"],
  upsertLink: [3, "the link is read first: does it exist, and does it change?"],
  updateWebhook: [3, "an endpoint that is enabled is looked at first: was it disabled?"],
  getLinkQr: [3, "the first code of a link counts against the plan, after the link was found"],
  getBreakdown: [3, "months that are summed tell which days are left to read"],
  getBioPageTimeseries: [3, "counts are kept by page, so it must be of the workspace first"],
  getBioPageBreakdown: [4, "as above; then months tell which days are left to read"],
  updateBioPage: [3, "page_data_patch is merged into the data that was read"],
  updateQrTemplate: [3, "a design is merged into the one that was read"],
  createReport: [3, "the links of the label are looked at on the shard first"],
  createWebhook: [3, "the address must not be on an own host"],
  confirmUpload: [3, "the file in R2 is looked at between the asset's read and its change"],
  confirmPresignedUpload: [3, "as above"],
  publishAsset: [3, "the file in R2 is copied between the asset's read and its change"],
  updateDomain: [3, "the domain is read, and hosts that its addresses must not lead to"],
  createBioPage: [
    4,
    "two claims of a slug, of which the first is taken, in the directory; then the page on its shard",
  ],
  deleteBioPage: [
    5,
    "the page is found and deleted on its shard, and its claim marked and released in the directory",
  ],
};
const WORK_DEPTH = 2;

const getFixture = shareReads();

async function measure(run: (env: Env) => Promise<Response>): Promise<Trips> {
  const { env, trips } = countTrips(quietEnv);
  const response = await run(env);
  expect(response.status).toBeLessThan(300);
  return trips;
}

describe("sequential round trips of a call with a cached key", () => {
  test.each(everyOperation.map((entry) => [entry.operation.operationId, entry] as const))(
    "%s",
    async (id, entry) => {
      const fixture = await getFixture(entry);
      const trips = await measure((env) => callOperation(entry, fixture, env, {}));
      const [depth, reason] = OTHER_DEPTHS[id] ?? [WORK_DEPTH];
      expect(trips.depth, reason).toBe(depth);
    },
  );

  test("every operation with another number of levels exists", () => {
    const ids = everyOperation.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(OTHER_DEPTHS)));
  });
});

describe("sequential round trips with other parameters", () => {
  let workspace: TestWorkspace;
  let ids: Ids;

  beforeAll(async () => {
    workspace = await newWorkspace("enterprise");
    ids = await createResources(workspace);
  });

  test.each([
    [
      "the timeseries of a link",
      2,
      "GET",
      "/v1/analytics/timeseries?interval=day&link_id={link_id}",
      undefined,
    ],
    // Visitors of a label are united: first the size of what is read, then the samples.
    ["the timeseries of a label", 4, "GET", "/v1/analytics/timeseries?interval=day&label=a", undefined],
    ["a breakdown of a label", 4, "GET", "/v1/analytics/breakdown?by=country&label=a", undefined],
    ["the links of a label by scans", 4, "GET", "/v1/analytics/breakdown?by=link&label=a", undefined],
    [
      "the QR code of a link with a template",
      3,
      "GET",
      "/v1/links/{link_id}/qr?template_id={template_id}",
      undefined,
    ],
    ["a page of links with a label", 2, "GET", "/v1/links?label=a&limit=5", undefined],
    ["a template's new name", 2, "PATCH", "/v1/qr/templates/{template_id}", { name: "Another" }],
    ["an endpoint's new description", 2, "PATCH", "/v1/webhooks/{webhook_id}", { description: "Another" }],
    ["a disabled endpoint", 2, "PATCH", "/v1/webhooks/{webhook_id}", { enabled: false }],
    ["a page's new title", 2, "PATCH", "/v1/bio/pages/{page_id}", { title: "Another" }],
    ["a page with a slug of its own", 3, "POST", "/v1/bio/pages", { title: "A", slug: `own-${Date.now()}` }],
  ] as const)("%s: %i levels", async (_, depth, method, path, body) => {
    const trips = await measure((env) => workspace.call(method, fillPath(path, ids), { body, env }));
    expect(trips.depth).toBe(depth);
  });
});

test("an uncached key adds a level; its first use of a day is written in parallel", async () => {
  const workspace = await newWorkspace();
  const call = () => measure((env) => workspace.call("GET", "/v1/links", { env }));
  expect(await call()).toMatchObject({ depth: 3, d1: 3, durableObject: 1 });
  expect(await call()).toMatchObject({ depth: 2, d1: 2, durableObject: 1 });
});
