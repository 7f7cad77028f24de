import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignpostClient } from "../../src/client/client.ts";
import { freePort, freshFolder, type RunningService, startService } from "./support/service.ts";

/** The service is killed in a stream of writes, twice, while clients go on asking until each has its answer. */

const MANY = 16;
const KINDS = ["links", "templates", "pages", "assets", "webhooks"] as const;
const WRITES = 2 * MANY * KINDS.length;
const INSIST_DEADLINE_MS = 120_000;
const FILE = new TextEncoder().encode("acknowledged means durable\n");

type Kind = (typeof KINDS)[number];

const folder = freshFolder();
let service: RunningService;

beforeAll(async () => {
  service = await startService(folder, await freePort());
}, 150_000);
afterAll(() => service.stop());

interface Answer {
  data?: { data: { id: string } };
  error?: unknown;
  response: Response;
}

type Make = (client: SignpostClient, n: number, header: { "Idempotency-Key": string }) => Promise<Answer>;

const MAKERS: Record<Kind, Make> = {
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

/** Sends a request until it is answered for good: the service may be down, busy, or still at the first sending. */
async function insist<Made extends { response: Response }>(send: () => Promise<Made>): Promise<Made> {
  const deadlineMs = Date.now() + INSIST_DEADLINE_MS;
  for (;;) {
    const answer = await send().catch(() => null);
    const status = answer?.response.status ?? 0;
    if (answer !== null && status !== 429 && status < 500 && !isInFlight(answer)) return answer;
    if (Date.now() > deadlineMs) throw new Error(`no answer in time, the last was ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function isInFlight(answer: object): boolean {
  return JSON.stringify(answer).includes("IDEMPOTENCY_CONFLICT");
}

/** What the clients were told they have made, by kind and number. */
const acknowledged = new Map<string, { id: string; answer: Answer }>();
let answers = 0;
/** Told of each answer of a client. */
let onAnswer = () => {};

/** One of two clients that make the same thing under the same key at the same time. */
async function make(kind: Kind, n: number): Promise<void> {
  const name = `${kind} ${n}`;
  const answer = await insist(() => makeOnce(kind, n));
  expect(answer.response.status, JSON.stringify(answer.error)).toBe(201);
  const id = answer.data?.data.id ?? "";
  expect(acknowledged.get(name)?.id ?? id, name).toBe(id);
  acknowledged.set(name, { id, answer });
  answers += 1;
  onAnswer();
  if (kind === "pages") await rename(id, n);
}

function makeOnce(kind: Kind, n: number): Promise<Answer> {
  return MAKERS[kind](service.client, n, { "Idempotency-Key": `${kind} ${n}` });
}

async function rename(page_id: string, n: number): Promise<void> {
  const params = { path: { page_id } };
  const { response } = await insist(() =>
    service.client.PATCH("/v1/bio/pages/{page_id}", { params, body: { title: `Renamed ${n}` } }),
  );
  expect(response.status).toBe(200);
}

/** Resolves once the clients have had so many answers. */
function untilAnswers(count: number): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (answers >= count) resolve();
    };
    onAnswer = check;
    check();
  });
}

async function crash(): Promise<void> {
  await service.kill();
  service = await startService(folder, service.port);
}

async function listOf(kind: Kind): Promise<{ id: string; title?: string }[]> {
  const path = { links: "/v1/links", templates: "/v1/qr/templates", pages: "/v1/bio/pages" } as const;
  const paths = { ...path, assets: "/v1/assets", webhooks: "/v1/webhooks" } as const;
  const { data } = await service.client.GET(paths[kind], { params: { query: { limit: 100 } } });
  return data?.data ?? [];
}

test("a kill -9 in a stream of writes loses no acknowledged one, and each is made once", async () => {
  const numbers = Array.from({ length: MANY }, (_, n) => n);
  const writing = numbers.flatMap((n) => KINDS.flatMap((kind) => [make(kind, n), make(kind, n)]));
  await untilAnswers(WRITES / 4);
  await crash();
  const [[name, first] = ["", null]] = [...acknowledged];
  await untilAnswers(WRITES / 2);
  await crash();
  await Promise.all(writing);

  for (const kind of KINDS) {
    const told = numbers.map((n) => acknowledged.get(`${kind} ${n}`)?.id);
    expect((await listOf(kind)).map(({ id }) => id).toSorted(), kind).toEqual(told.toSorted());
  }
  const titles = (await listOf("pages")).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(numbers.map((n) => `Renamed ${n}`).toSorted());
  const { data } = await service.client.GET("/v1/workspace/usage");
  expect(data?.data.usage).toMatchObject({
    links_created_this_month: MANY,
    total_links: MANY,
    total_qr_templates: MANY,
    total_bio_pages: MANY,
    storage_bytes: MANY * FILE.length,
  });

  const [kind, n] = name.split(" ");
  const again = await makeOnce(kind as Kind, Number(n));
  expect(again.response.headers.get("Idempotency-Replayed")).toBe("true");
  expect(again.data).toEqual(first?.answer.data);
}, 300_000);
