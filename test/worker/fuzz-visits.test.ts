import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import worker from "../../src/index.ts";
import { bodyFor, valueFor } from "../support/arbitrary.ts";
import { type FuzzedUpload, type Surface, upload, type Visit, visit } from "../support/arbitrary-visits.ts";
import { type PresignedAsset, presign, publishedUrl } from "../support/assets.ts";
import { contract } from "../support/contract.ts";
import { newWorkspace, send, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { storedBy } from "../support/resources.ts";

/** What anybody may ask for without a key: short links, bio pages, public files and upload addresses. */

const { runs, seed } = inject("fuzz");
/** Of all requests, these are made here; the others go to the API. */
const VISITS = Math.ceil(runs / 5);
const UPLOADS = Math.ceil(runs / 40);
/** At once, since a scan that is to be counted holds its request open for a moment. */
const VISITS_AT_ONCE = 50;

/** Something that answers at an address. */
interface Place {
  /** Scheme and host. */
  origin: string;
  path: string;
  /** What a plain GET of it is answered with. */
  status: 200 | 302 | 410;
  /** Where it, or one of its links, may lead. */
  locations: readonly string[];
  /** Of a file. */
  bytes?: Uint8Array;
}

/** What was to be counted, kept from the queues until the end; and how many scans went to the other engine. */
const windows: { queue: string; body: unknown }[] = [];
let scans = 0;
const keeping = (queue: string) => ({ send: async (body: unknown) => void windows.push({ queue, body }) });
const visitEnv = {
  ...workerEnv,
  SCAN_QUEUE: keeping("signpost-scans"),
  PAGE_HIT_QUEUE: keeping("signpost-page-hits"),
  SCANS: {
    writeDataPoint: () => {
      scans += 1;
    },
  },
} as unknown as Env;

describe(`${VISITS} visits of seed ${seed}, most of them odd`, () => {
  let workspace: TestWorkspace;
  let places: Record<Surface, Place[]>;

  beforeAll(async () => {
    workspace = await newWorkspace("enterprise");
    places = {
      link: await linksOf(workspace),
      page: await pagesOf(workspace),
      file: await filesOf(workspace),
      service: ["/docs", "/openapi.json", "/healthz"].map((path) => ({
        origin: "http://localhost:8787",
        path,
        status: 200,
        locations: [],
      })),
    };
  }, 60_000);

  test("no 5xx, no way to anywhere else, and nothing without its policy", async () => {
    const visits = fc.array(visit, { minLength: VISITS_AT_ONCE, maxLength: VISITS_AT_ONCE });
    const property = fc.asyncProperty(visits, async (some) => {
      await Promise.all(some.map((each) => make(each, places[each.surface])));
    });
    await fc.assert(property, { numRuns: Math.ceil(VISITS / VISITS_AT_ONCE), seed, endOnFailure: true });
  }, 1_800_000);

  test("what they left to be counted is counted, every one once", async () => {
    for (const { queue, body } of windows) {
      const messages = [{ body, attempts: 1, retry: () => expect.unreachable("it was not counted") }];
      const batch = { queue, messages, ackAll() {} } as unknown as MessageBatch;
      await worker.queue(batch, workerEnv, { waitUntil() {} } as unknown as ExecutionContext);
    }
    expect(scans).toBeGreaterThan(0);
    expect(await sumOf("links", "scan_count")).toBe(scans);
    expect(await sumOf("bio_pages", "view_count + click_count")).toBeGreaterThan(0);
  });

  async function sumOf(table: string, count: string): Promise<number> {
    const statement = workerEnv.DB.prepare(`SELECT sum(${count}) AS n FROM ${table} WHERE workspace_id = ?`);
    return (await statement.bind(workspace.id).first<{ n: number }>())?.n ?? 0;
  }
});

async function make(
  { surface, place: index, path, method, headers }: Visit,
  places: readonly Place[],
): Promise<void> {
  const place = places[index % places.length] as Place;
  const filled = path.replaceAll("{known}", place.path);
  const sent = new Headers();
  for (const [name, value] of headers) sent.append(name, value);
  const request = new Request(place.origin + filled, { method, headers: sent, redirect: "manual" });
  const response = await send(request, visitEnv);
  const body = new Uint8Array(await response.arrayBuffer());
  const told = `${method} ${request.url} ${JSON.stringify(headers)} → ${response.status}`.slice(0, 5_000);

  expect(response.status, told).toBeLessThan(500);
  if (method === "HEAD" || [204, 302, 304].includes(response.status)) expect(body.byteLength, told).toBe(0);
  const location = response.headers.get("Location");
  if (response.status === 302) expect(place.locations, told).toContain(location);
  else expect(location, told).toBeNull();
  // What the API's host answers is checked against the document on its way.
  if (surface === "link" || surface === "page") checkText(response, body, told);
  const isPlain = new URL(request.url).pathname === place.path && ["GET", "HEAD"].includes(method);
  if (!isPlain) return;
  if (place.bytes) checkFile(request, response, body, place.bytes, told);
  else expect(response.status, told).toBe(place.status);
}

/** Of a page, or of what stands where there is none. */
function checkText(response: Response, body: Uint8Array, told: string): void {
  const text = new TextDecoder().decode(body);
  expect(text, told).not.toMatch(/<script|<iframe|(?:href|src)="javascript:/i);
  const type = response.headers.get("Content-Type")?.split(";")[0];
  if (type === "text/html") {
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy, told).toMatch(/^default-src 'none'; style-src /);
    expect(policy, told).not.toContain("script-src");
    expect(response.headers.get("X-Content-Type-Options"), told).toBe("nosniff");
  } else if (type === "application/json") {
    if (text !== "") expect(JSON.parse(text).error.status, told).toBe(response.status);
  } else expect([204, 302], told).toContain(response.status);
}

function checkFile(
  { method, headers: sent }: Request,
  response: Response,
  body: Uint8Array,
  bytes: Uint8Array,
  told: string,
): void {
  const { status, headers } = response;
  expect([200, 206, 304, 412, 416], told).toContain(status);
  expect(headers.get("Content-Security-Policy"), told).toBe("default-src 'none'; sandbox");
  expect(headers.get("X-Content-Type-Options"), told).toBe("nosniff");
  if (status === 416) expect(headers.get("Content-Range"), told).toBe(`bytes */${bytes.byteLength}`);
  if (method !== "GET" || status > 206) return;
  const [, first, last] = /^bytes (\d+)-(\d+)\/\d+$/.exec(headers.get("Content-Range") ?? "") ?? [];
  expect(first !== undefined, told).toBe(status === 206);
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(sent.get("Range") ?? "") ?? [];
  if (status === 206 && from !== undefined) {
    expect([Number(first), Number(last)], told).toEqual([
      Number(from),
      Math.min(Number(to), bytes.byteLength - 1),
    ]);
  }
  const asked = first === undefined ? bytes : bytes.slice(Number(first), Number(last) + 1);
  expect(headers.get("Content-Length"), told).toBe(String(asked.byteLength));
  expect(body, told).toEqual(asked);
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

/** Links with every kind of rule, links of all forms that the document permits, and some that are gone. */
async function linksOf(workspace: TestWorkspace): Promise<Place[]> {
  const rules = RULES.map((rule, index) => ({
    ...rule,
    destination: `https://example.com/rule/${index}?ü=é`,
  }));
  const one = { url: "https://example.com/own" };
  const links = [
    { ...one, routing_rules: rules },
    ...rules.map((rule) => ({ ...one, routing_rules: [rule] })),
    { ...one, custom_slug: "Custom-Slug" },
    { ...one, expires_at: "2020-01-01T00:00:00Z" },
    ...fc.sample(valueFor({ $ref: "#/components/schemas/NewLink" }), { numRuns: 50, seed }),
  ];
  const response = await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  const { data } = await response.json<{ data: { created: StoredLink[] } }>();
  expect(data.created.length).toBeGreaterThan(RULES.length);
  return data.created.map(({ short_url, destination, routing_rules, expires_at }) => ({
    origin: new URL(short_url).origin,
    path: new URL(short_url).pathname,
    status: expires_at !== null && Date.parse(expires_at) <= Date.now() ? 410 : 302,
    locations: [destination, ...routing_rules.map((rule) => rule.destination)].map(
      (url) => new URL(url).href,
    ),
  }));
}

interface StoredLink {
  short_url: string;
  destination: string;
  routing_rules: { destination: string }[];
  expires_at: string | null;
}

/** Published pages of what was taken of fitting and nearly fitting data, script and all. */
async function pagesOf(workspace: TestWorkspace): Promise<Place[]> {
  const schema =
    contract.paths["/v1/bio/pages"]?.post?.requestBody?.content["application/json"]?.schema ?? {};
  const bodies = fc.sample(bodyFor(schema), { numRuns: VISITS / 10, seed });
  const scripted = {
    title: "<script>alert(1)</script>",
    description: '"><iframe src="javascript:alert(1)">',
    page_data: {
      links: [{ label: "</title><script>", url: "https://example.com/?<script>" }],
      avatar_alt: "<script>",
    },
  };
  const places: Place[] = [];
  for (const body of [JSON.stringify(scripted), ...bodies]) {
    const made = await workspace.call("POST", "/v1/bio/pages", { body });
    if (made.status !== 201) continue;
    const { data } = await made.json<{ data: { id: string; html_url: string; page_data: PageData } }>();
    expect((await workspace.call("POST", `/v1/bio/pages/${data.id}/publish`)).status).toBe(200);
    const { origin, pathname } = new URL(data.html_url);
    const urls = (data.page_data.links ?? []).flatMap(({ url }) =>
      url === undefined ? [] : [new URL(url).href],
    );
    places.push({ origin, path: pathname, status: 200, locations: urls });
  }
  expect(places.length).toBeGreaterThan(1);
  return places;
}

interface PageData {
  links?: { url?: string }[];
}

async function filesOf(workspace: TestWorkspace): Promise<Place[]> {
  const files = [
    { filename: "notes.txt", mime_type: "text/plain", file_size: 16 },
    { filename: "été 100%.html", mime_type: "text/html", file_size: 1 },
    { filename: "a.bin", mime_type: "application/octet-stream", file_size: 70_000 },
  ];
  return Promise.all(
    files.map(async (facts): Promise<Place> => {
      const bytes = Uint8Array.from({ length: facts.file_size }, (_, index) => index % 251);
      const { url } = await publishedUrl(workspace, bytes, facts);
      const { origin, pathname } = new URL(url);
      return { origin, path: pathname, status: 200, locations: [], bytes };
    }),
  );
}

test(`${UPLOADS} uploads of seed ${seed}: none is taken that is not exactly as signed, and nothing of it is kept`, async () => {
  const workspace = await newWorkspace("enterprise");
  const property = fc.asyncProperty(upload, async (fuzzed) => {
    const bytes = Uint8Array.from({ length: fuzzed.size }, (_, index) => index);
    const asset = await presign(workspace, bytes);
    const before = await storedBy(workspace.id);
    const request = uploadOf(fuzzed, asset);
    const told = `${JSON.stringify(fuzzed)} ${request.url}`.slice(0, 5_000);
    // The answer is checked against the document on its way.
    const response = await send(request);
    expect(response.status, told).toBeLessThan(500);
    const object = await workerEnv.PRIVATE_FILES.get(`${workspace.id}/${asset.id}`);
    const isAsSigned = request.url === asset.upload.url && fuzzed.method === "PUT" && fuzzed.surplus === 0;
    if (response.status === 200) expect(isAsSigned, told).toBe(true);
    if (isAsSigned && fuzzed.type === null) expect(response.status, told).toBe(200);
    if (response.status !== 200) expect(object, told).toBeNull();
    else expect(new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer()), told).toEqual(bytes);
    expect(await storedBy(workspace.id), told).toBe(before);
  });
  await fc.assert(property, { numRuns: UPLOADS, seed });
}, 1_800_000);

function uploadOf(
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
