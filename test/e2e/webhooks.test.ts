import { createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import type { AssetResponse, presignResponse } from "../../src/assets/assets.schema.ts";
import { executeStatements } from "../../src/cli/admin-database.ts";
import { createBackupFile, restoreBackupFile, resumePausedWebhooks } from "../../src/cli/backup-records.ts";
import { claimState } from "../../src/cli/local-service.ts";
import { StateFolder } from "../../src/cli/state.ts";
import { eventually } from "../support/eventually.ts";
import { Receiver } from "../support/receiver.ts";
import { expectData } from "./support/data.ts";
import { createTempFolder, useService } from "./support/service.ts";

const CRON = "/cdn-cgi/local/scheduled?cron=*+*+*+*+*";

const service = useService();
const receiver = new Receiver();
let receiverUrl: string;

beforeAll(async () => {
  receiverUrl = await receiver.start();
});
afterAll(() => receiver.stop());

interface Registered {
  id: string;
  secret: string;
}

function register(name: string, query = ""): Promise<Registered> {
  return expectData(service.call("POST", "/v1/webhooks", { url: `${receiverUrl}/${name}?${query}` }), 201);
}

async function remove({ id }: Registered): Promise<void> {
  await expectData(service.call("DELETE", `/v1/webhooks/${id}`), 200);
}

function listLinkIds(name: string): string[] {
  return receiver.received(name).map(({ body }) => JSON.parse(body).data.link_id);
}

test("a failed delivery is retried after five seconds, and both signatures of it verify", async () => {
  const webhook = await register("retried", "failures=1");
  await expectData(service.call("POST", "/v1/links", { url: "https://example.com/retried" }), 201);
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

test("a burst of events reaches an endpoint while another hangs, without waiting for its timeouts", async () => {
  const hanging = await register("hanging", "hang");
  const prompt = await register("prompt");
  const links = Array.from({ length: 100 }, (_, index) => ({ url: `https://example.com/burst/${index}` }));
  const sentAtMs = Date.now();
  await expectData(service.call("POST", "/v1/links/bulk", { links }), 201);
  // Deliveries that waited for the timeouts of the hanging endpoint would take over three minutes.
  const arrived = await eventually(
    async () => receiver.received("prompt"),
    (received) => received.length >= 100,
    60_000,
  );
  const delaysMs = arrived.map(({ receivedAtMs }) => receivedAtMs - sentAtMs).sort((a, b) => a - b);
  console.log(
    `first attempts of a burst while another endpoint hangs: p50 ${delaysMs[49]} ms, p95 ${delaysMs[94]} ms`,
  );
  expect(new Set(arrived.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(100);
  expect(receiver.received("hanging").length).toBeGreaterThan(0);
  await remove(hanging);
  await remove(prompt);
}, 90_000);

test("no event is lost when the service is killed during deliveries", async () => {
  const webhook = await register("surviving", "gate");
  const created: string[] = [];
  const creating = Array.from({ length: 40 }, async (_, index) => {
    const response = await service.call("POST", "/v1/links", { url: `https://example.com/kill/${index}` });
    if (response.status === 201) created.push(((await response.json()) as { data: { id: string } }).data.id);
    if (created.length === 20) await service.kill();
  });
  await Promise.allSettled(creating);
  expect(created.length).toBeGreaterThanOrEqual(20);
  await service.kill();

  await service.restart();
  receiver.open("surviving");
  const attemptsBefore = receiver.received("surviving").length;
  // The test does not wait for the leases of killed turns or the delays of retries.
  const deployment = { state: StateFolder.open(service.stateFolder), environment: undefined, shards: [0, 1] };
  await executeStatements(deployment, "SHARD_0", [
    "UPDATE delivery_backlogs SET turns = '[]'",
    "UPDATE event_deliveries SET next_attempt_at = min(next_attempt_at, 1)",
  ]);
  const findMissing = async () => {
    // Local development fires the cron every minute, which wakes the endpoints.
    await fetch(`${service.url}${CRON}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const receivedIds = listLinkIds("surviving").slice(attemptsBefore);
    return created.filter((id) => !receivedIds.includes(id));
  };
  await eventually(findMissing, (ids) => ids.length === 0, 150_000);

  // All attempts of an event have the same delivery id, and no two events share one.
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

test("a backup made during writes restores links, keys and files, and webhooks wait until they are resumed", async () => {
  const createLink = (url: string) =>
    expectData<{ id: string; short_url: string }>(service.call("POST", "/v1/links", { url }), 201);
  // No turn of this endpoint is running during the backup, so no lease must end first.
  const endpoint = { url: `${receiverUrl}/restored`, events: ["link.updated"] };
  const webhook = await expectData<Registered>(service.call("POST", "/v1/webhooks", endpoint), 201);
  const link = await createLink("https://example.com/before-the-backup");
  const html = "<p>file</p>";
  const body = { filename: "böse.html", mime_type: "text/html", file_size: html.length };
  const asset = await expectData<z.output<typeof presignResponse>>(
    service.call("POST", "/v1/assets/presign", body),
    201,
  );
  await fetch(asset.upload.url, { ...asset.upload, body: html });
  await expectData(service.call("POST", `/v1/assets/${asset.id}/confirm`));
  const published = service.call("POST", `/v1/assets/${asset.id}/publish`);
  const { public_url: publicUrl } = await expectData<AssetResponse>(published);
  const visit = (url: string | null) => {
    const { host, pathname } = new URL(url ?? "");
    return service.visit(host, pathname);
  };

  const file = join(createTempFolder(), "backup");
  const state = StateFolder.open(service.stateFolder);
  const deployment = { state, environment: undefined, shards: [0, 1] };
  const writes = Array.from({ length: 30 }, (_, index) => createLink(`https://example.com/during/${index}`));
  const [{ files }] = await Promise.all([createBackupFile(deployment, file), ...writes]);
  expect(files).toBe(2);
  await expect(createBackupFile(deployment, file)).rejects.toThrow("exists already");

  await service.kill();
  const claimed = { ...deployment, state: await claimState(service.stateFolder) };
  await expect(restoreBackupFile(claimed, file)).rejects.toThrow("this installation isn't empty");
  rmSync(state.storage, { recursive: true });
  await restoreBackupFile(claimed, file);
  await service.restart();

  expect((await visit(link.short_url)).headers.get("Location")).toBe("https://example.com/before-the-backup");
  expect(await (await visit(publicUrl)).text()).toBe(html);
  const { data } = (await (await service.call("GET", "/v1/links?search=before-the-backup")).json()) as {
    data: { id: string }[];
  };
  expect(data).toMatchObject([{ id: link.id }]);
  const rename = (title: string) => expectData(service.call("PATCH", `/v1/links/${link.id}`, { title }));
  await rename("paused");
  await service.visit(new URL(service.url).host, CRON);
  expect(receiver.received("restored")).toEqual([]);
  expect(await resumePausedWebhooks(deployment)).toEqual({ resumed_shards: 2 });
  await rename("resumed");
  await eventually(
    async () => listLinkIds("restored"),
    (ids) => ids.length === 2,
  );
  await remove(webhook);
}, 60_000);
