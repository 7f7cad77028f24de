import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import worker from "../../src/index.ts";
import { DIMENSIONS } from "../../src/scans/dimensions.ts";
import { bodyFor, valueFor } from "../support/arbitrary.ts";
import { type FuzzedUpload, type Surface, upload, type Visit, visit } from "../support/arbitrary-visits.ts";
import { createPublishedAsset, type PresignedAsset, presignAsset } from "../support/assets.ts";
import { contract } from "../support/contract.ts";
import { newWorkspace, send, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { readStored } from "../support/resources.ts";

/**
 * Generated requests to all surfaces without API keys: short links, bio pages, public files and upload URLs.
 */

const { runs, seed } = inject("fuzz");
/** Number of visits. fuzz.test.ts sends the requests to the API. */
const VISITS = Math.ceil(runs / 5);
const UPLOADS = Math.ceil(runs / 40);
const PAGES = Math.ceil(runs / 20);
/** Number of simultaneous visits. Each one waits until its scan's counting window is sent. */
const PARALLEL_VISITS = 50;

/** Paths of short hosts and bio hosts with a plain text. */
const PLAIN_TEXTS = ["/robots.txt", "/.well-known/security.txt"];

/** URL to visit, with its expected response. */
interface VisitedAddress {
  /** Scheme and host. */
  origin: string;
  path: string;
  /** Status of the response to a GET without further headers, or null if it depends on the visitor. */
  status: 200 | 302 | 410 | null;
  /** Allowed values of the `Location` header. */
  locations: readonly string[];
  /** True if the visitor's query is added to these values. */
  forwardsQuery?: boolean;
  /** Content of the file. */
  bytes?: Uint8Array;
}

/** Queue messages, held back until all visits are done. */
const messages: { queue: string; body: unknown }[] = [];
/** Number of data points written to Analytics Engine for visits of people. */
let scans = 0;
const keepMessages = (queue: string) => ({
  send: async (body: unknown) => void messages.push({ queue, body }),
});
const visitEnv = {
  ...workerEnv,
  SCAN_QUEUE: keepMessages("signpost-scans"),
  PAGE_HIT_QUEUE: keepMessages("signpost-page-hits"),
  SCANS: {
    writeDataPoint: ({ blobs }: AnalyticsEngineDataPoint) => {
      const isOfPeople = blobs?.[DIMENSIONS.traffic - 1] === "";
      if (isOfPeople) scans += 1;
    },
  },
} as unknown as Env;

describe(`${VISITS} generated visits of seed ${seed}`, () => {
  let workspace: TestWorkspace;
  let addresses: Record<Surface, VisitedAddress[]>;

  beforeAll(async () => {
    workspace = await newWorkspace("enterprise");
    addresses = {
      link: await createLinks(workspace),
      page: await createPages(workspace),
      file: await createFiles(workspace),
      service: ["/docs", "/openapi.json", "/healthz"].map((path) => ({
        origin: "http://localhost:8787",
        path,
        status: 200,
        locations: [],
      })),
    };
  }, 60_000);

  test("return no 5xx, redirect only to known destinations and have their security headers", async () => {
    const visits = fc.array(visit, { minLength: PARALLEL_VISITS, maxLength: PARALLEL_VISITS });
    const property = fc.asyncProperty(visits, async (batch) => {
      await Promise.all(batch.map((visit) => makeVisit(visit, addresses[visit.surface])));
    });
    await fc.assert(property, { numRuns: Math.ceil(VISITS / PARALLEL_VISITS), seed, endOnFailure: true });
  }, 1_800_000);

  test("are counted once each", async () => {
    const retry = () => expect.unreachable("it was not counted");
    for (const { queue, body } of messages) {
      const batch = {
        queue,
        messages: [{ body, attempts: 1, retry }],
        ackAll() {},
      } as unknown as MessageBatch;
      await worker.queue(batch, workerEnv, { waitUntil() {} } as unknown as ExecutionContext);
    }
    expect(scans).toBeGreaterThan(0);
    expect(await sumColumn("links", "scan_count")).toBe(scans);
    expect(await sumColumn("bio_pages", "view_count + click_count")).toBeGreaterThan(0);
  });

  async function sumColumn(table: string, count: string): Promise<number> {
    const statement = workspace.shard.prepare(
      `SELECT sum(${count}) AS n FROM ${table} WHERE workspace_id = ?`,
    );
    return (await statement.bind(workspace.id).first<{ n: number }>())?.n ?? 0;
  }
});

async function makeVisit(
  { surface, index, path, method, headers }: Visit,
  addresses: readonly VisitedAddress[],
): Promise<void> {
  const address = addresses[index % addresses.length] as VisitedAddress;
  const filled = path.replaceAll("{known}", address.path);
  const requestHeaders = new Headers();
  for (const [name, value] of headers) requestHeaders.append(name, value);
  const request = new Request(address.origin + filled, {
    method,
    headers: requestHeaders,
    redirect: "manual",
  });
  const response = await send(request, visitEnv);
  const body = new Uint8Array(await response.arrayBuffer());
  const context = `${method} ${request.url} ${JSON.stringify(headers)} → ${response.status}`.slice(0, 5_000);

  expect(response.status, context).toBeLessThan(500);
  if (method === "HEAD" || [204, 302, 303, 304].includes(response.status))
    expect(body.byteLength, context).toBe(0);
  const location = response.headers.get("Location");
  const isRoot = surface === "service" && new URL(request.url).pathname === "/";
  if (response.status === 302 || response.status === 303) {
    const allowed = isRoot ? ["/docs", "http://app.localhost:8787/"] : address.locations;
    if (address.forwardsQuery)
      expect(allowed.map(removeQuery), context).toContain(removeQuery(location ?? ""));
    else expect(allowed, context).toContain(location);
  } else expect(location, context).toBeNull();
  // `send` compares responses of the API's host with the OpenAPI document.
  if (surface === "link" || surface === "page") checkText(request, response, body, context);
  const isPlain = new URL(request.url).pathname === address.path && ["GET", "HEAD"].includes(method);
  if (!isPlain) return;
  if (address.bytes) checkFile(request, response, body, address.bytes, context);
  else if (address.status !== null) expect(response.status, context).toBe(address.status);
}

function removeQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Checks a page or error page, as HTML or JSON, or one of {@link PLAIN_TEXTS}. */
function checkText(request: Request, response: Response, body: Uint8Array, context: string): void {
  const text = new TextDecoder().decode(body);
  expect(text, context).not.toMatch(/<script|<iframe|(?:href|src)="javascript:/i);
  const type = response.headers.get("Content-Type")?.split(";")[0];
  if (type === "text/html") {
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy, context).toMatch(/^default-src 'none'; style-src /);
    expect(policy, context).not.toContain("script-src");
    expect(response.headers.get("X-Content-Type-Options"), context).toBe("nosniff");
  } else if (type === "application/json") {
    if (text !== "") expect(JSON.parse(text).error.status, context).toBe(response.status);
  } else if (type === "text/plain") {
    expect(PLAIN_TEXTS, context).toContain(new URL(request.url).pathname);
    expect(response.headers.get("X-Content-Type-Options"), context).toBe("nosniff");
  } else expect([204, 302, 303], context).toContain(response.status);
}

function checkFile(
  { method, headers: requestHeaders }: Request,
  response: Response,
  body: Uint8Array,
  bytes: Uint8Array,
  context: string,
): void {
  const { status, headers } = response;
  expect([200, 206, 304, 412, 416], context).toContain(status);
  expect(headers.get("Content-Security-Policy"), context).toBe("default-src 'none'; sandbox");
  expect(headers.get("X-Content-Type-Options"), context).toBe("nosniff");
  if (status === 416) expect(headers.get("Content-Range"), context).toBe(`bytes */${bytes.byteLength}`);
  if (method !== "GET" || status > 206) return;
  const [, first, last] = /^bytes (\d+)-(\d+)\/\d+$/.exec(headers.get("Content-Range") ?? "") ?? [];
  expect(first !== undefined, context).toBe(status === 206);
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(requestHeaders.get("Range") ?? "") ?? [];
  if (status === 206 && from !== undefined) {
    expect([Number(first), Number(last)], context).toEqual([
      Number(from),
      Math.min(Number(to), bytes.byteLength - 1),
    ]);
  }
  const expected = first === undefined ? bytes : bytes.slice(Number(first), Number(last) + 1);
  expect(headers.get("Content-Length"), context).toBe(String(expected.byteLength));
  expect(body, context).toEqual(expected);
}

const RULES: { when: Record<string, unknown> }[] = [
  { when: { country: ["CA", "US"], os: ["ios"] } },
  { when: { continent: ["NA"] } },
  { when: { region: ["CA-QC"] } },
  { when: { device: ["mobile", "tablet"] } },
  { when: { os: ["android", "macos"] } },
  { when: { browser: ["chrome"] } },
  { when: { language: ["fr", "en-US"] } },
  { when: { query: { utm_source: ["mail"], beta: true } } },
  { when: { query: { constructor: true, toString: ["a"] } } },
  { when: { after: "2020-01-01T00:00:00Z", before: "2099-01-01T00:00:00Z", percent: 50 } },
];

/** Creates links with every kind of rule, generated links that the OpenAPI document allows, and expired links. */
async function createLinks(workspace: TestWorkspace): Promise<VisitedAddress[]> {
  const rules = RULES.map((rule, index) => ({
    ...rule,
    destination: `https://example.com/rule/${index}?ü=é`,
  }));
  const link = { url: "https://example.com/own" };
  const links = [
    { ...link, routing_rules: rules },
    ...rules.map((rule) => ({ ...link, routing_rules: [rule] })),
    { ...link, custom_slug: "Custom-Slug" },
    { ...link, expires_at: "2020-01-01T00:00:00Z" },
    ...fc.sample(valueFor({ $ref: "#/components/schemas/NewLink" }), { numRuns: 50, seed }),
  ];
  const response = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  const { data } = await response.json<{ data: { created: StoredLink[] } }>();
  expect(data.created.length).toBeGreaterThan(RULES.length);
  return data.created.map((created) => {
    const { origin, pathname } = new URL(created.short_url);
    return {
      origin,
      path: pathname,
      status: findStatus(created),
      forwardsQuery: created.forward_query,
      locations: listLocations(created).map((url) => new URL(url).href),
    };
  });
}

interface StoredRule {
  destination?: string;
  block?: boolean;
  split?: { destination: string }[];
}

interface StoredLink {
  short_url: string;
  destination: string;
  routing_rules: StoredRule[];
  enabled: boolean;
  expires_at: string | null;
  starts_at: string | null;
  early_url: string | null;
  expired_url: string | null;
  forward_query: boolean;
  has_password: boolean;
  max_scans: number | null;
  confirm: boolean;
}

/** Returns the status of a visit, or null if the link's rules, schedule or guards decide. */
function findStatus(link: StoredLink): VisitedAddress["status"] {
  const isGuarded = link.confirm || link.has_password || link.max_scans !== null || link.starts_at !== null;
  if (isGuarded || !link.enabled || link.routing_rules.some(({ block }) => block)) return null;
  const hasEnded = link.expires_at !== null && Date.parse(link.expires_at) <= Date.now();
  return hasEnded && link.expired_url === null ? 410 : 302;
}

function listLocations({ destination, early_url, expired_url, routing_rules }: StoredLink): string[] {
  const ofRules = routing_rules.flatMap((rule) => [rule, ...(rule.split ?? [])]);
  const all = [destination, early_url, expired_url, ...ofRules.map((target) => target.destination)];
  return all.filter((url) => typeof url === "string");
}

/**
 * Creates and publishes bio pages from generated bodies that the API accepts, and from one body with scripts.
 */
async function createPages(workspace: TestWorkspace): Promise<VisitedAddress[]> {
  const schema =
    contract.paths["/v1/bio/pages"]?.post?.requestBody?.content["application/json"]?.schema ?? {};
  const bodies = fc.sample(bodyFor(schema), { numRuns: PAGES, seed });
  const scripted = {
    title: "<script>alert(1)</script>",
    description: '"><iframe src="javascript:alert(1)">',
    page_data: {
      links: [{ label: "</title><script>", url: "https://example.com/?<script>" }],
      avatar_alt: "<script>",
    },
  };
  const addresses: VisitedAddress[] = [];
  for (const body of [JSON.stringify(scripted), ...bodies]) {
    const response = await workspace.call("POST", "/v1/bio/pages", { body });
    if (response.status !== 201) continue;
    const { data } = await response.json<{ data: { id: string; html_url: string; page_data: PageData } }>();
    expect((await workspace.call("POST", `/v1/bio/pages/${data.id}/publish`)).status).toBe(200);
    const { origin, pathname } = new URL(data.html_url);
    const urls = (data.page_data.links ?? []).flatMap(({ url }) =>
      url === undefined ? [] : [new URL(url).href],
    );
    addresses.push({ origin, path: pathname, status: 200, locations: urls });
  }
  expect(addresses.length).toBeGreaterThan(1);
  return addresses;
}

interface PageData {
  links?: { url?: string }[];
}

async function createFiles(workspace: TestWorkspace): Promise<VisitedAddress[]> {
  const files = [
    { filename: "notes.txt", mime_type: "text/plain", file_size: 16 },
    { filename: "été 100%.html", mime_type: "text/html", file_size: 1 },
    { filename: "a.bin", mime_type: "application/octet-stream", file_size: 70_000 },
  ];
  return Promise.all(
    files.map(async (facts): Promise<VisitedAddress> => {
      const bytes = Uint8Array.from({ length: facts.file_size }, (_, index) => index % 251);
      const { url } = await createPublishedAsset(workspace, bytes, facts);
      const { origin, pathname } = new URL(url);
      return { origin, path: pathname, status: 200, locations: [], bytes };
    }),
  );
}

test(`${UPLOADS} generated uploads of seed ${seed} only succeed as signed, and rejected ones store nothing`, async () => {
  const workspace = await newWorkspace("enterprise");
  const property = fc.asyncProperty(upload, async (fuzzed) => {
    const bytes = Uint8Array.from({ length: fuzzed.size }, (_, index) => index);
    const asset = await presignAsset(workspace, bytes);
    const before = await readStored(workspace);
    const request = buildUpload(fuzzed, asset);
    const context = `${JSON.stringify(fuzzed)} ${request.url}`.slice(0, 5_000);
    // `send` compares the response with the OpenAPI document.
    const response = await send(request);
    expect(response.status, context).toBeLessThan(500);
    const object = await workerEnv.PRIVATE_FILES.get(`${workspace.id}/${asset.id}`);
    const isAsSigned = request.url === asset.upload.url && fuzzed.method === "PUT" && fuzzed.surplus === 0;
    if (response.status === 200) expect(isAsSigned, context).toBe(true);
    if (isAsSigned && fuzzed.type === null) expect(response.status, context).toBe(200);
    if (response.status !== 200) expect(object, context).toBeNull();
    else expect(new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer()), context).toEqual(bytes);
    expect(await readStored(workspace), context).toBe(before);
  });
  await fc.assert(property, { numRuns: UPLOADS, seed });
}, 1_800_000);

function buildUpload(
  { size, tamper, path, method, type, surplus, isStreamed }: FuzzedUpload,
  asset: PresignedAsset,
) {
  const url = new URL(asset.upload.url);
  url.pathname = path.replace("{known}", url.pathname);
  if (tamper?.value === null) url.searchParams.delete(tamper.name);
  else if (tamper) {
    const value = tamper.value.replaceAll("{own}", url.searchParams.get(tamper.name) ?? "");
    if (tamper.isAdded) url.searchParams.append(tamper.name, value);
    else url.searchParams.set(tamper.name, value);
  }
  const bytes = Uint8Array.from({ length: Math.max(0, size + surplus) }, (_, index) => index);
  const body = isStreamed ? new Blob([bytes]).stream() : bytes;
  return new Request(url, {
    method,
    headers: { ...asset.upload.headers, ...(type !== null && { "Content-Type": type }) },
    ...(!["GET", "HEAD"].includes(method) && { body }),
  });
}
