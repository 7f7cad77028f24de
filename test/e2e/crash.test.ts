import { randomBytes } from "node:crypto";
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type * as z from "zod";
import type { AssetResponse, presignResponse } from "../../src/assets/assets.schema.ts";
import type { Schemas, SignpostClient } from "../../src/client/client.ts";
import { eventually } from "../support/eventually.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { expectData } from "./support/data.ts";
import { openRaw, sendRaw } from "./support/raw.ts";
import { useService } from "./support/service.ts";

/** Kills the service during writes, an upload and scans, while clients retry, and sends requests that break HTTP. */

/** Number of resources of each kind. */
const COUNT = IS_LONG ? 16 : 6;
const KINDS = ["links", "templates", "pages", "assets", "webhooks"] as const;
const WRITES = 2 * COUNT * KINDS.length;
/** Numbers of responses after which the service is killed. */
const KILLED_AT = (IS_LONG ? [1 / 4, 1 / 2] : [1 / 3]).map((part) => Math.floor(part * WRITES));
const RETRY_DEADLINE_MS = 120_000;
const FILE = new TextEncoder().encode("acknowledged means durable\n");

type Kind = (typeof KINDS)[number];

const service = useService();

/** Result of a call of the typed client. */
interface Created {
  data?: { data: { id: string } };
  error?: unknown;
  response: Response;
}

type Create = (client: SignpostClient, n: number, header: { "Idempotency-Key": string }) => Promise<Created>;

const CREATE: Record<Kind, Create> = {
  links: (client, n, header) =>
    client.POST("/v1/links", {
      body: { url: `https://example.com/${n}`, ...(n % 2 === 0 && { custom_slug: `slug-${n}` }) },
      params: { header },
    }),
  templates: (client, n, header) =>
    client.POST("/v1/qr/templates", { body: { name: `Template ${n}` }, params: { header } }),
  pages: (client, n, header) =>
    client.POST("/v1/bio/pages", { body: { title: `Page ${n}` }, params: { header } }),
  assets: (client, n, header) =>
    client.POST("/v1/assets/presign", {
      body: { filename: `${n}.txt`, mime_type: "text/plain", file_size: FILE.length },
      params: { header },
    }),
  webhooks: (client, n, header) =>
    client.POST("/v1/webhooks", {
      body: { url: `http://localhost:9/${n}`, events: ["bio.unpublished"] },
      params: { header },
    }),
};

/** Sends a request until its response is final. The service may be down, busy, or processing the first one. */
async function retry<Result extends { response: Response }>(send: () => Promise<Result>): Promise<Result> {
  const deadlineMs = Date.now() + RETRY_DEADLINE_MS;
  for (;;) {
    const result = await send().catch(() => null);
    const status = result?.response.status ?? 0;
    if (result !== null && status !== 429 && status < 500 && !isInFlight(result)) return result;
    if (Date.now() > deadlineMs) throw new Error(`no final response in time, the last status was ${status}`);
    await sleep(300);
  }
}

function isInFlight(result: object): boolean {
  return JSON.stringify(result).includes("IDEMPOTENCY_CONFLICT");
}

/** Resources that the service confirmed with 201, by kind and number. */
const acknowledged = new Map<string, { id: string; created: Created }>();
let responses = 0;
/** Called after each 201 response. */
let onResponse = () => {};

/** Creates a resource as one of two clients that use the same Idempotency-Key at the same time. */
async function create(kind: Kind, n: number): Promise<void> {
  const name = `${kind} ${n}`;
  const created = await retry(() => createOnce(kind, n));
  expect(created.response.status, JSON.stringify(created.error)).toBe(201);
  const id = created.data?.data.id ?? "";
  expect(acknowledged.get(name)?.id ?? id, name).toBe(id);
  acknowledged.set(name, { id, created });
  responses += 1;
  onResponse();
  if (kind === "pages") await renamePage(id, n);
}

function createOnce(kind: Kind, n: number): Promise<Created> {
  return CREATE[kind](service.client, n, { "Idempotency-Key": `${kind} ${n}` });
}

async function renamePage(page_id: string, n: number): Promise<void> {
  const params = { path: { page_id } };
  const { response } = await retry(() =>
    service.client.PATCH("/v1/bio/pages/{page_id}", { params, body: { title: `Renamed ${n}` } }),
  );
  expect(response.status).toBe(200);
}

/** Resolves after the given number of 201 responses. */
function waitForResponses(count: number): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (responses >= count) resolve();
    };
    onResponse = check;
    check();
  });
}

async function list(kind: Kind): Promise<{ id: string; title?: string | null }[]> {
  const paths = {
    links: "/v1/links",
    templates: "/v1/qr/templates",
    pages: "/v1/bio/pages",
    assets: "/v1/assets",
    webhooks: "/v1/webhooks",
  } as const;
  const { data } = await service.client.GET(paths[kind], { params: { query: { limit: 100 } } });
  return data?.data ?? [];
}

type PresignedAsset = z.output<typeof presignResponse>;

const LARGE_FILE = randomBytes(4 * 1_048_576);

/** Begins to upload a file. Returns when more than half of it is sent. */
async function beginUpload(): Promise<{ asset: PresignedAsset; sent: ClientRequest }> {
  const body = {
    filename: "crash.bin",
    mime_type: "application/octet-stream",
    file_size: LARGE_FILE.length,
  };
  const asset = await expectData<PresignedAsset>(service.call("POST", "/v1/assets/presign", body), 201);
  const { url, method, headers } = asset.upload;
  const sent = request(url, { method, headers: { ...headers, "Content-Length": LARGE_FILE.length } });
  sent.on("error", () => {});
  sent.write(LARGE_FILE.subarray(0, LARGE_FILE.length / 2 + 1_048_576));
  await eventually(
    async () => sent.socket?.bytesWritten ?? 0,
    (bytes) => bytes > LARGE_FILE.length / 2,
  );
  return { asset, sent };
}

/** Expects that nothing of an interrupted upload is stored, uploads the file to the same URL and deletes it. */
async function repeatUpload({ id, upload }: PresignedAsset): Promise<void> {
  const act = (action: string) => service.call("POST", `/v1/assets/${id}/${action}`);
  expect((await act("confirm")).status).toBe(409);
  const { url, method, headers } = upload;
  expect((await fetch(url, { method, headers, body: LARGE_FILE })).status).toBe(200);
  await expectData(act("confirm"));
  const { public_url } = await expectData<AssetResponse>(act("publish"));
  const { host, pathname } = new URL(public_url ?? "");
  const stored = await (await service.visit(host, pathname)).arrayBuffer();
  expect(Buffer.compare(Buffer.from(stored), LARGE_FILE)).toBe(0);
  await expectData(service.call("DELETE", `/v1/assets/${id}`));
}

test("kill -9 in a stream of writes and an upload loses no acknowledged resource, duplicates none and stores no half file", async () => {
  const { asset, sent } = await beginUpload();
  const numbers = Array.from({ length: COUNT }, (_, n) => n);
  const writing = numbers.flatMap((n) => KINDS.flatMap((kind) => [create(kind, n), create(kind, n)]));
  for (const count of KILLED_AT) {
    await waitForResponses(count);
    await service.kill();
    await service.restart();
  }
  sent.destroy();
  const [[name, first] = ["", null]] = [...acknowledged];
  await Promise.all(writing);
  await repeatUpload(asset);

  for (const kind of KINDS) {
    const ids = numbers.map((n) => acknowledged.get(`${kind} ${n}`)?.id);
    expect((await list(kind)).map(({ id }) => id).toSorted(), kind).toEqual(ids.toSorted());
  }
  const titles = (await list("pages")).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(numbers.map((n) => `Renamed ${n}`).toSorted());
  const { data } = await service.client.GET("/v1/workspace/usage");
  expect(data?.data.usage).toMatchObject({
    links_created_this_month: COUNT,
    total_links: COUNT,
    total_qr_templates: COUNT,
    total_bio_pages: COUNT,
    storage_bytes: COUNT * FILE.length,
  });

  const [kind, n] = name.split(" ");
  const replayed = await createOnce(kind as Kind, Number(n));
  expect(replayed.response.headers.get("Idempotency-Replayed")).toBe("true");
  expect(replayed.data).toEqual(first?.created.data);
}, 300_000);

/** Number of visitors at a time, and of counted scans at which the service is killed. */
const CONNECTIONS = 8;
const KILLED_AT_SCANS = IS_LONG ? [50, 300] : [50];
const SETTLE_MS = 5_000;
const SCANS_DEADLINE_MS = 90_000;

async function readLinks(): Promise<Schemas["Link"][]> {
  const { data } = await service.client.GET("/v1/links", { params: { query: { limit: 100 } } });
  return data?.data ?? [];
}

async function sumScans(): Promise<number> {
  return (await readLinks()).reduce((sum, { scan_count }) => sum + scan_count, 0);
}

async function createLink(body: Schemas["NewLink"]): Promise<Schemas["Link"]> {
  return expectData(service.call("POST", "/v1/links", body), 201);
}

/** Visits a link. Returns the status, or 0 while the service is down. */
async function visitLink({ short_url }: Schemas["Link"], n: number): Promise<number> {
  const { hostname, pathname } = new URL(short_url);
  const headers = {
    Referer: `https://${n % 300}.a-long-host-name.example/`,
    "CF-IPCountry": n % 2 === 0 ? "DE" : "FR",
    // Only browsers are redirected by a limited link without pressing a button.
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  };
  const { status } = await service.visit(hostname, pathname, { headers }).catch(() => ({ status: 0 }));
  return status;
}

/** Waits until the number of scans has stayed the same for a while. Returns it. */
async function waitUntilSettled(): Promise<number> {
  const deadlineMs = Date.now() + SCANS_DEADLINE_MS;
  for (let before = -1; ; ) {
    const scans = await sumScans();
    if (scans === before || Date.now() > deadlineMs) return scans;
    before = scans;
    await sleep(SETTLE_MS);
  }
}

async function sumItems(query: Record<string, string>): Promise<number> {
  const path = `/v1/analytics/breakdown?${new URLSearchParams(query)}`;
  const { items } = await expectData<{ items: { scans: number }[] }>(service.call("GET", path));
  return items.reduce((sum, { scans }) => sum + scans, 0);
}

// Messages of the local queue are in memory and can be lost, but counts must agree.
test("kill -9 while scans are counted leaves counts that agree, and a limited link lets no more visitors through", async () => {
  const links = await Promise.all(
    [1, 2, 3].map((n) => createLink({ url: `https://example.com/scans/${n}` })),
  );
  const limit = IS_LONG ? 200 : 80;
  const limited = await createLink({ url: "https://example.com/limited", max_scans: limit });
  const connections = Array.from({ length: CONNECTIONS }, (_, connection) => connection);
  let redirected = 0;
  let isOver = false;
  const visitUntilOver = async (connection: number) => {
    for (let n = connection; !isOver; n += CONNECTIONS) {
      if ((await visitLink(links[n % links.length] as Schemas["Link"], n)) === 302) redirected += 1;
      await sleep(100);
    }
  };
  let passed = 0;
  const visitUntilGone = async (connection: number) => {
    for (let n = connection; ; n += CONNECTIONS) {
      const status = await visitLink(limited, n);
      if (status === 410) return;
      if (status === 302) passed += 1;
      else await sleep(100);
    }
  };

  const visiting = connections.map(visitUntilOver);
  for (const [index, count] of KILLED_AT_SCANS.entries()) {
    const isCounted = (scans: number) => scans >= count;
    await eventually(() => sumScans().catch(() => 0), isCounted, SCANS_DEADLINE_MS);
    if (index === 0) {
      visiting.push(...connections.map(visitUntilGone));
      const deadlineMs = Date.now() + SCANS_DEADLINE_MS;
      while (passed < limit / 4 && Date.now() < deadlineMs) await sleep(5);
    }
    await service.kill();
    if (index === 0) expect(passed).toBeLessThan(limit);
    await service.restart();
  }
  const isCounting = (scans: number) => scans > Math.max(...KILLED_AT_SCANS);
  await eventually(sumScans, isCounting, SCANS_DEADLINE_MS);
  isOver = true;
  await Promise.all(visiting);
  expect(passed).toBeLessThanOrEqual(limit);
  // A visit in progress at the kill may have used up a scan without its redirect.
  expect(passed).toBeGreaterThanOrEqual(limit - CONNECTIONS);

  const scans = await waitUntilSettled();
  expect(scans).toBeLessThanOrEqual(redirected + passed + 2 * CONNECTIONS * KILLED_AT_SCANS.length);
  const timeseries = service.call("GET", "/v1/analytics/timeseries?interval=hour");
  const { points } = await expectData<{ points: { scans: number }[] }>(timeseries);
  expect(points.reduce((sum, point) => sum + point.scans, 0)).toBe(scans);
  for (const by of ["country", "link", "traffic", "browser"])
    expect([by, await sumItems({ by })]).toEqual([by, scans]);
  const filtered = await Promise.all(["DE", "FR"].map((country) => sumItems({ by: "link", country })));
  expect(filtered.reduce((sum, count) => sum + count, 0)).toBe(scans);
}, 300_000);

test("malformed HTTP, endless bodies and many connections do not stop the service", async () => {
  const { port, key } = service;
  const host = `Host: localhost:${port}\r\n`;
  const post = `POST /v1/links HTTP/1.1\r\n${host}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const mebibyte = "x".repeat(1_048_576);

  // The service closes the connection without reading all, which can break it before the response is read.
  const expectResponse = (status: RegExp, chunks: Parameters<typeof sendRaw>[1]) =>
    eventually(
      () => sendRaw(port, chunks),
      (response) => status.test(response),
      60_000,
    );
  const rejected = /^HTTP\/1\.1 4\d\d /;
  await Promise.all([
    expectResponse(rejected, [Uint8Array.of(22, 3, 1, 0, 255, 13, 10, 13, 10)]),
    expectResponse(rejected, [`GET /\0 HTTP/1.1\r\n${host}\r\n`]),
    expectResponse(rejected, [`GET /healthz HTTP/1.1\r\n${host}X-A: ${mebibyte}`]),
    expectResponse(rejected, [`${post}Content-Length: 5\r\nContent-Length: 2\r\n\r\n{}   `]),
  ]);

  const tooLarge = /^HTTP\/1\.1 413 /;
  const close = "Connection: close\r\n";
  const length = `Content-Length: ${20 * 1_048_576}\r\n`;
  const chunk = `100000\r\n${mebibyte}\r\n`;
  const chunks = [...Array(20).fill(chunk), "0\r\n\r\n"];
  await Promise.all([
    expectResponse(tooLarge, [`${post}${close}${length}\r\n`, ...Array(20).fill(mebibyte)]),
    expectResponse(tooLarge, [`${post}${close}Transfer-Encoding: chunked\r\n\r\n`, ...chunks]),
  ]);

  const sockets = Array.from({ length: IS_LONG ? 300 : 100 }, () =>
    openRaw(port, `${post}Content-Length: 9000\r\n\r\n{"url":`),
  );
  const visits = await Promise.all(
    Array.from({ length: IS_LONG ? 500 : 150 }, () => service.visit("localhost", "/nowhere")),
  );
  const statuses = visits.map(({ status }) => status);
  expect(statuses).toContain(404);
  // The limit of unknown codes rejects visits that begin after it was exceeded.
  expect(statuses.filter((status) => status !== 404 && status !== 429)).toEqual([]);
  for (const socket of sockets) socket.destroy();

  const url = "https://example.com/still";
  const { short_url } = await expectData<{ short_url: string }>(
    service.call("POST", "/v1/links", { url }),
    201,
  );
  expect((await fetch(short_url, { redirect: "manual" })).headers.get("Location")).toBe(url);
});
