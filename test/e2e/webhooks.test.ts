import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../support/receiver.ts";
import { eventually, freePort, freshFolder, type RunningService, startService } from "./support/service.ts";

const CRON = "/cdn-cgi/local/scheduled?cron=*+*+*+*+*";

const receiver = new Receiver();
const folder = freshFolder();
let receiverUrl: string;
let service: RunningService;

beforeAll(async () => {
  receiverUrl = await receiver.start();
  service = await startService(folder, await freePort());
}, 120_000);

afterAll(async () => {
  receiver.stop();
  await service.stop();
}, 60_000);

interface Registered {
  id: string;
  secret: string;
}

async function data<Data>(answer: Promise<Response>, status: number): Promise<Data> {
  const response = await answer;
  const body = (await response.json()) as { data: Data };
  expect(response.status, JSON.stringify(body)).toBe(status);
  return body.data;
}

function register(name: string, query = ""): Promise<Registered> {
  return data(service.call("POST", "/v1/webhooks", { url: `${receiverUrl}/${name}?${query}` }), 201);
}

async function remove({ id }: Registered): Promise<void> {
  await data(service.call("DELETE", `/v1/webhooks/${id}`), 200);
}

function linkIdsAt(name: string): string[] {
  return receiver.received(name).map(({ body }) => JSON.parse(body).data.link_id);
}

test("a failed delivery is tried again after five seconds, and verifies by both schemes", async () => {
  const webhook = await register("retried", "failures=1");
  await data(service.call("POST", "/v1/links", { url: "https://example.com/retried" }), 201);
  await eventually(
    async () => receiver.received("retried").length,
    (count) => count === 2,
  );
  const [first, second] = receiver.received("retried");
  expect((second?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(5_000);
  expect(second?.headers["x-svc-delivery"]).toBe(first?.headers["x-svc-delivery"]);

  const { headers = {}, body = "" } = second ?? {};
  const expected = `sha256=${createHmac("sha256", webhook.secret).update(body).digest("hex")}`;
  expect(headers["x-svc-signature"]).toBe(expected);
  expect(new Webhook(webhook.secret).verify(body, headers)).toEqual(JSON.parse(body));
  await remove(webhook);
});

test("with one endpoint hanging, a burst reaches another within five seconds", async () => {
  const hanging = await register("hanging", "hang");
  const prompt = await register("prompt");
  const links = Array.from({ length: 100 }, (_, index) => ({ url: `https://example.com/burst/${index}` }));
  const sentAtMs = Date.now();
  await data(service.call("POST", "/v1/links/bulk", { links }), 201);
  const arrived = await eventually(
    async () => receiver.received("prompt"),
    (received) => received.length >= 100,
    60_000,
  );
  const delaysMs = arrived.map(({ receivedAtMs }) => receivedAtMs - sentAtMs).sort((a, b) => a - b);
  console.log(
    `first attempts of a burst beside a hanging endpoint: p50 ${delaysMs[49]} ms, p95 ${delaysMs[94]} ms`,
  );
  expect(delaysMs[94]).toBeLessThan(5_000);
  expect(new Set(arrived.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(100);
  expect(receiver.received("hanging").length).toBeGreaterThan(0);
  await remove(hanging);
  await remove(prompt);
}, 90_000);

test("no event is lost when the service is killed with deliveries on their way", async () => {
  const webhook = await register("surviving", "gate");
  const created: string[] = [];
  const creating = Array.from({ length: 40 }, async (_, index) => {
    const answer = await service.call("POST", "/v1/links", { url: `https://example.com/kill/${index}` });
    if (answer.status === 201) created.push(((await answer.json()) as { data: { id: string } }).data.id);
    if (created.length === 20) await service.kill();
  });
  await Promise.allSettled(creating);
  expect(created.length).toBeGreaterThanOrEqual(20);
  await service.kill();

  service = await startService(folder, service.port);
  receiver.open("surviving");
  const attemptsBefore = receiver.received("surviving").length;
  const missing = async () => {
    // The start fires the cron each minute; a test need not wait for it.
    await fetch(`${service.url}${CRON}`);
    const got = linkIdsAt("surviving").slice(attemptsBefore);
    return created.filter((id) => !got.includes(id));
  };
  await eventually(missing, (ids) => ids.length === 0, 90_000);

  // A failed attempt, then one that succeeded: one delivery id for each event, and each event under one.
  const deliveryIds = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received("surviving")) {
    const { link_id } = JSON.parse(body).data;
    const ids = deliveryIds.get(link_id) ?? new Set();
    deliveryIds.set(link_id, ids.add(headers["x-svc-delivery"] ?? ""));
  }
  expect([...deliveryIds.values()].every(({ size }) => size === 1)).toBe(true);
  expect(new Set([...deliveryIds.values()].map(([id]) => id)).size).toBe(deliveryIds.size);
  await remove(webhook);
}, 240_000);
