import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeEach, expect, test } from "vitest";
import { deletedResponse } from "../../src/http/fields.ts";
import worker from "../../src/index.ts";
import {
  deliveryResponse,
  webhookResponse,
  webhookWithSecretResponse,
} from "../../src/webhooks/webhooks.schema.ts";
import {
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { TestQueue } from "../support/test-queue.ts";
import {
  freshName,
  getDelivery,
  listDeliveries,
  newLink,
  newWebhook,
  openGate,
  receivedBy,
  receiverUrl,
} from "../support/webhooks.ts";

/** The schedule of five retries, scaled down. */
const RETRY_DELAYS_MS = [5, 10, 15, 20, 25];

let queue: TestQueue;
beforeEach(() => {
  queue = new TestQueue();
});

/** A workspace with one endpoint, whose receiver answers as `query` says. */
async function listener(query = "", workspace?: TestWorkspace) {
  const owner = workspace ?? (await newWorkspace("enterprise"));
  const name = freshName();
  const webhook = await newWebhook(owner, receiverUrl(name, query));
  return { workspace: owner, name, webhook };
}

/** The one delivery of an endpoint, with its attempts. */
async function onlyDelivery(workspace: TestWorkspace, webhookId: string) {
  const deliveries = await listDeliveries(workspace, webhookId);
  expect(deliveries).toHaveLength(1);
  return getDelivery(workspace, webhookId, deliveries[0]?.id ?? "");
}

async function send(workspace: TestWorkspace, webhookId: string, path: string) {
  return workspace.call("POST", `/v1/webhooks/${webhookId}${path}`, { env: queue.env });
}

test("a delivery arrives with the headers and signatures of the contract", async () => {
  const { workspace, name, webhook } = await listener();
  const link = await newLink(workspace);
  const [received] = await eventually(
    () => receivedBy(name),
    (all) => all.length > 0,
  );
  const { headers = {}, body = "", method } = received ?? {};
  expect(method).toBe("POST");
  expect(JSON.parse(body)).toEqual({
    event: "link.created",
    timestamp: link.created_at,
    data: { link_id: link.id, short_code: link.short_code, destination: link.destination },
  });
  const delivery = await eventually(
    () => onlyDelivery(workspace, webhook.id),
    ({ status }) => status !== "pending",
  );
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "svc-Webhooks/1.0",
    "x-svc-event": "link.created",
    "x-svc-delivery": delivery.id,
    "webhook-id": delivery.id,
    "x-svc-signature": `sha256=${createHmac("sha256", webhook.secret).update(body).digest("hex")}`,
  });
  expect(new Webhook(webhook.secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(delivery).toMatchObject({
    status: "delivered",
    event_type: "link.created",
    failed_at: null,
    attempts: 1,
    response_status: 200,
    payload: JSON.parse(body),
    attempts_log: [{ response_status: 200, error: null, response_body: `answer of ${name}` }],
  });
  expect(delivery.delivered_at).not.toBeNull();
});

test("a failed delivery is retried five times, then it is failed, every attempt in the log", async () => {
  const { workspace, name, webhook } = await listener("status=500");
  await newLink(workspace, queue.env);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({
    status: "pending",
    attempts: 0,
    response_status: null,
    attempts_log: [],
  });
  await queue.run(RETRY_DELAYS_MS);
  const delivery = await onlyDelivery(workspace, webhook.id);
  expect(delivery).toMatchObject({ status: "failed", attempts: 6, response_status: 500, delivered_at: null });
  expect(delivery.failed_at).not.toBeNull();
  expect(delivery.attempts_log.map(({ response_status }) => response_status)).toEqual(Array(6).fill(500));
  const received = await receivedBy(name);
  expect(new Set(received.map(({ headers }) => headers["x-svc-delivery"]))).toEqual(new Set([delivery.id]));
  expect(received).toHaveLength(6);
  for (const [retry, delayMs] of RETRY_DELAYS_MS.entries()) {
    const failedAt = delivery.attempts_log[retry];
    const earliest = Date.parse(failedAt?.attempted_at ?? "") + (failedAt?.latency_ms ?? 0) + delayMs;
    expect(Date.parse(delivery.attempts_log[retry + 1]?.attempted_at ?? "")).toBeGreaterThanOrEqual(earliest);
  }
});

test("a receiver that recovers gets its delivery under the same id", async () => {
  const { workspace, name, webhook } = await listener("failures=2");
  await newLink(workspace, queue.env);
  await queue.run(RETRY_DELAYS_MS);
  const delivery = await onlyDelivery(workspace, webhook.id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 3, response_status: 200, failed_at: null });
  expect(delivery.attempts_log.map(({ response_status }) => response_status)).toEqual([503, 503, 200]);
  expect(await receivedBy(name)).toHaveLength(3);
});

test("only 2xx is a success, and a redirect is not followed", async () => {
  const target = freshName();
  for (const [query, status, expected] of [
    ["status=204", 204, "delivered"],
    ["status=299", 299, "delivered"],
    ["status=410", 410, "failed"],
    [`location=${encodeURIComponent(receiverUrl(target))}`, 302, "failed"],
    ["status=304", 304, "failed"],
    ["bytes=67108864", 200, "delivered"],
    ["bytes=67108864&status=500", 500, "failed"],
  ] as const) {
    const { workspace, webhook } = await listener(query);
    await newLink(workspace, queue.env);
    await queue.run();
    const delivery = await onlyDelivery(workspace, webhook.id);
    expect(delivery, query).toMatchObject({ status: expected, response_status: status, attempts: 1 });
    expect(delivery.attempts_log[0]?.response_body?.length ?? 0).toBeLessThanOrEqual(16_384);
  }
  expect(await receivedBy(target)).toEqual([]);
});

test("a connection that breaks and an address nobody listens on are failures without a status", async () => {
  for (const url of [receiverUrl(freshName(), "reset"), "http://127.0.0.1:1/"]) {
    const workspace = await newWorkspace();
    const webhook = await newWebhook(workspace, url);
    await newLink(workspace, queue.env);
    await queue.run();
    expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({
      status: "failed",
      response_status: null,
      attempts_log: [{ response_status: null, error: "connection failed", response_body: null }],
    });
  }
});

test("of an answer that breaks off, what came is in the log", async () => {
  const { workspace, webhook } = await listener("cut");
  await newLink(workspace, queue.env);
  await queue.run();
  const { status, attempts_log } = await onlyDelivery(workspace, webhook.id);
  expect(status).toBe("delivered");
  expect(attempts_log).toMatchObject([{ response_status: 200, error: null, response_body: "the beginning" }]);
});

test("the address is guarded again before each attempt", async () => {
  const { workspace, webhook } = await listener();
  const addresses = [
    "https://10.0.0.1/",
    "http://localhost:8787/v1",
    "http://192.168.1.1/",
    "https://a.internal/",
  ];
  for (const address of addresses) {
    await workerEnv.DB.prepare("UPDATE webhooks SET url = ? WHERE id = ?").bind(address, webhook.id).run();
    await send(workspace, webhook.id, "/test");
    await queue.run();
    const [newest] = await listDeliveries(workspace, webhook.id);
    const { attempts_log } = await getDelivery(workspace, webhook.id, newest?.id ?? "");
    expect(attempts_log[0]?.error, address).toMatch(/^refused: url must/);
  }
});

test("an address whose host became a workspace's is refused at the attempt", async () => {
  const { workspace, webhook } = await listener();
  const hostname = "hooks.partner.test";
  await workerEnv.DB.batch([
    workerEnv.DB.prepare("UPDATE webhooks SET url = ?, hostname = ? WHERE id = ?").bind(
      `https://${hostname}:8787/`,
      hostname,
      webhook.id,
    ),
    workerEnv.DB.prepare("INSERT INTO domains (hostname, workspace_id, created_at) VALUES (?, ?, 0)").bind(
      hostname,
      workspace.id,
    ),
  ]);
  await send(workspace, webhook.id, "/test");
  await queue.run();
  const { attempts_log } = await onlyDelivery(workspace, webhook.id);
  expect(attempts_log[0]?.error).toBe("refused: url must not be an address of this service");
});

test("a secret sealed under another Worker secret is a failure that says so", async () => {
  const { workspace, name, webhook } = await listener();
  await newLink(workspace, queue.env);
  queue.env.WEBHOOK_KEY = "another webhook key, as long as it must be";
  await queue.run();
  expect((await onlyDelivery(workspace, webhook.id)).attempts_log[0]?.error).toBe(
    "signing secret unreadable: rotate it",
  );
  expect(await receivedBy(name)).toEqual([]);
});

test("a delivery that the queue brings many times at once is attempted once", async () => {
  const { workspace, name, webhook } = await listener();
  await newLink(workspace, queue.env);
  const [waiting] = queue.waiting.splice(0);
  const copies = (count: number) => Array.from({ length: count }, () => ({ ...waiting })) as never[];
  await Promise.all([queue.bring(copies(5), []), queue.bring(copies(5), []), queue.bring(copies(5), [])]);
  await queue.bring(copies(1), []);
  expect(await receivedBy(name)).toHaveLength(1);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 1 });
});

test("an attempt that died with its process is made again by the sweep", async () => {
  const { workspace, name, webhook } = await listener();
  await newLink(workspace, queue.env);
  queue.waiting = [];
  // As a process leaves it that claimed the delivery and was killed: next due when the claim ends.
  const claimUntil = (timeMs: number) =>
    workerEnv.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE webhook_id = ?")
      .bind(timeMs, webhook.id)
      .run();
  await claimUntil(Date.now() + 20_000);
  await worker.scheduled({} as ScheduledController, queue.env);
  expect(queue.waiting).toEqual([]);
  await claimUntil(Date.now() - 20_000);
  await worker.scheduled({} as ScheduledController, queue.env);
  await queue.run();
  expect(await receivedBy(name)).toHaveLength(1);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 1 });
});

test("a retry whose message was lost is made by the sweep", async () => {
  const { workspace, name, webhook } = await listener("failures=1");
  await newLink(workspace, queue.env);
  await queue.bring(queue.waiting.splice(0), [60_000]);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({ status: "retrying", attempts: 1 });
  queue.waiting = [];
  await workerEnv.DB.exec("UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - 120000");
  await worker.scheduled({} as ScheduledController, queue.env);
  await queue.run([60_000]);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 2 });
  expect(await receivedBy(name)).toHaveLength(2);
});

test("the backlog of one endpoint keeps the sweep from no other", async () => {
  const { workspace, webhook } = await listener();
  const other = await listener("", workspace);
  await newLink(workspace, queue.env);
  queue.waiting = [];
  const [own] = await listDeliveries(workspace, other.webhook.id);
  const overdueAt = Date.now() - 60_000;
  await workerEnv.DB.batch([
    workerEnv.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ?").bind(overdueAt),
    workerEnv.DB.prepare(
      `WITH RECURSIVE backlog (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM backlog WHERE n < 6000)
       INSERT INTO webhook_deliveries
       SELECT id || '-' || n, workspace_id, webhook_id, event_type, payload, status, attempts, attempts_before,
              response_status, created_at, delivered_at, failed_at, next_attempt_at - n
         FROM webhook_deliveries, backlog WHERE webhook_id = ?`,
    ).bind(webhook.id),
  ]);
  await worker.scheduled({} as ScheduledController, queue.env);
  const swept = queue.waiting.map(({ body }) => body);
  await workerEnv.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = NULL").run();
  expect(swept).toHaveLength(5_000);
  expect(swept).toContainEqual({ deliveryId: own?.id, webhookId: other.webhook.id });
});

test("while the database does not answer, the queue keeps the messages", async () => {
  const { workspace, name } = await listener();
  await newLink(workspace, queue.env);
  const broken = new TestQueue({
    ...workerEnv,
    DB: new Proxy(workerEnv.DB, {
      get: (db, property) =>
        property === "batch"
          ? () => Promise.reject(new Error("no database"))
          : Reflect.get(db, property).bind(db),
    }),
  });
  await broken.bring(queue.waiting.splice(0), []);
  expect(broken.waiting).toHaveLength(1);
  queue.waiting = broken.waiting;
  await queue.run();
  expect(await receivedBy(name)).toHaveLength(1);
});

test("a hundred consecutive failures disable an endpoint, and the others hear of it", async () => {
  const { workspace, name, webhook } = await listener("gate");
  const witness = await listener("", workspace);
  const deaf = await newWebhook(workspace, receiverUrl(freshName()), ["link.created"]);
  const bulk = { body: { links: Array.from({ length: 100 }, () => ({ url: "https://example.com" })) } };
  await workspace.call("POST", "/v1/links/bulk", { ...bulk, env: queue.env });
  const isOurs = (id: string) => (queue.waiting = queue.waiting.filter(({ body }) => body.webhookId === id));
  isOurs(webhook.id);
  const waiting = queue.waiting.splice(99);
  await queue.run();
  const read = async () =>
    (await expectData(await workspace.call("GET", `/v1/webhooks/${webhook.id}`), webhookResponse)).data;
  expect(await read()).toMatchObject({ enabled: true, disabled_at: null });
  await newLink(workspace, queue.env);
  isOurs(webhook.id);
  const late = queue.waiting.splice(0);

  queue.waiting = waiting;
  await queue.run(RETRY_DELAYS_MS);
  const disabled = await read();
  expect(disabled.enabled).toBe(false);
  expect(disabled.disabled_at).not.toBeNull();
  const deliveries = await listDeliveries(workspace, webhook.id, "?limit=200");
  expect(deliveries).toHaveLength(101);
  expect(deliveries.every(({ status, failed_at }) => status === "failed" && failed_at !== null)).toBe(true);
  expect(await receivedBy(name)).toHaveLength(100);

  queue.waiting = late;
  await newLink(workspace, queue.env);
  await worker.scheduled({} as ScheduledController, queue.env);
  await queue.run();
  expect(await receivedBy(name)).toHaveLength(100);
  const [told] = await listDeliveries(workspace, witness.webhook.id, "?event_type=webhook.disabled");
  const { payload } = await getDelivery(workspace, witness.webhook.id, told?.id ?? "");
  const { id: webhook_id, url, disabled_at } = disabled;
  expect(payload).toEqual({
    event: "webhook.disabled",
    timestamp: disabled_at,
    data: { webhook_id, url, disabled_at },
  });
  expect(await listDeliveries(workspace, deaf.id, "?event_type=webhook.disabled")).toEqual([]);

  await expectError(await send(workspace, webhook.id, "/test"), 409, "WEBHOOK_DISABLED");
  const some = deliveries[0]?.id ?? "";
  await expectError(await send(workspace, webhook.id, `/deliveries/${some}/resend`), 409, "WEBHOOK_DISABLED");
  await expectError(
    await send(workspace, webhook.id, `/deliveries/${webhook.id}/resend`),
    404,
    "RESOURCE_NOT_FOUND",
  );

  const enable = await workspace.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: { enabled: true } });
  expect((await expectData(enable, webhookResponse)).data).toMatchObject({
    enabled: true,
    disabled_at: null,
  });
  await send(workspace, webhook.id, `/deliveries/${some}/resend`);
  await queue.run();
  expect(await read()).toMatchObject({ enabled: true });
  await openGate(name);
  await send(workspace, webhook.id, `/deliveries/${some}/resend`);
  await queue.run();
  expect(await getDelivery(workspace, webhook.id, some)).toMatchObject({
    status: "delivered",
    response_status: 200,
  });
});

test("a success in between begins the count anew", async () => {
  const health = workerEnv.ENDPOINT_HEALTH.getByName(freshName());
  expect(await health.record(true)).toBe(0);
  for (let failures = 1; failures <= 99; failures++) expect(await health.record(false)).toBe(failures);
  expect(await health.record(true)).toBe(0);
  expect(await health.record(false)).toBe(1);
  await health.reset();
  expect(await health.record(false)).toBe(1);
});

test("disabling or deleting an endpoint ends what waits for it", async () => {
  const { workspace, name, webhook } = await listener();
  const second = await listener("", workspace);
  await newLink(workspace, queue.env);
  await workspace.call("PATCH", `/v1/webhooks/${webhook.id}`, { body: { enabled: false } });
  const deleted = await workspace.call("DELETE", `/v1/webhooks/${second.webhook.id}`);
  await expectData(deleted, deletedResponse);
  await queue.run();
  expect(await receivedBy(name)).toEqual([]);
  expect(await receivedBy(second.name)).toEqual([]);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({ status: "failed", attempts: 0 });
  await expectError(
    await workspace.call("GET", `/v1/webhooks/${second.webhook.id}/deliveries`),
    404,
    "RESOURCE_NOT_FOUND",
  );
});

test("a test event goes to one endpoint, whatever it asked for", async () => {
  const { workspace, name } = await listener();
  const chosen = await newWebhook(workspace, receiverUrl(freshName()), ["asset.published"]);
  const answer = await send(workspace, chosen.id, "/test");
  const { data } = await expectData(answer, deliveryResponse, 201);
  expect(data).toMatchObject({ status: "pending", event_type: "webhook.test", attempts: 0 });
  await queue.run();
  const delivery = await onlyDelivery(workspace, chosen.id);
  expect(delivery).toMatchObject({ id: data.id, status: "delivered" });
  expect(delivery.payload.data).toEqual({ webhook_id: chosen.id });
  expect(await receivedBy(name)).toEqual([]);
});

test("resending sends the same delivery at once, with all retries before it", async () => {
  const { workspace, name, webhook } = await listener("failures=8");
  await newLink(workspace, queue.env);
  await queue.run(RETRY_DELAYS_MS);
  const { id } = await onlyDelivery(workspace, webhook.id);
  const answer = await send(workspace, webhook.id, `/deliveries/${id}/resend`);
  expect((await expectData(answer, deliveryResponse)).data).toMatchObject({
    id,
    status: "retrying",
    attempts: 6,
    delivered_at: null,
    failed_at: null,
  });
  await queue.run(RETRY_DELAYS_MS);
  expect(await onlyDelivery(workspace, webhook.id)).toMatchObject({ status: "delivered", attempts: 9 });
  const received = await receivedBy(name);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test("a rotated secret signs at once, the old one beside it for a day, or not", async () => {
  const { workspace, name, webhook } = await listener();
  const rotate = async (body: object) => {
    const answer = await workspace.call("POST", `/v1/webhooks/${webhook.id}/rotate-secret`, { body });
    return (await expectData(answer, webhookWithSecretResponse)).data.secret;
  };
  const latest = async () => {
    await send(workspace, webhook.id, "/test");
    await queue.run();
    const { headers = {}, body = "" } = (await receivedBy(name)).at(-1) ?? {};
    const by = (secret: string) => {
      const hmac = createHmac("sha256", secret).update(body).digest("hex");
      let isStandard = true;
      try {
        new Webhook(secret).verify(body, headers);
      } catch {
        isStandard = false;
      }
      return { isSvc: headers["x-svc-signature"] === `sha256=${hmac}`, isStandard };
    };
    return { by, signatures: headers["webhook-signature"]?.split(" ").length };
  };
  const second = await rotate({});
  let sent = await latest();
  expect(sent.signatures).toBe(2);
  expect(sent.by(second)).toEqual({ isSvc: true, isStandard: true });
  expect(sent.by(webhook.secret)).toEqual({ isSvc: false, isStandard: true });

  const third = await rotate({});
  sent = await latest();
  expect(sent.signatures).toBe(3);
  expect(sent.by(third)).toEqual({ isSvc: true, isStandard: true });
  expect([second, webhook.secret].every((secret) => sent.by(secret).isStandard)).toBe(true);

  // A day after the first rotation, but not after the second.
  await workerEnv.DB.prepare(
    "UPDATE webhooks SET previous_secrets = json_set(previous_secrets, '$[1].until', ?)",
  )
    .bind(Date.now() - 1)
    .run();
  sent = await latest();
  expect(sent.signatures).toBe(2);
  expect(sent.by(second).isStandard).toBe(true);
  expect(sent.by(webhook.secret).isStandard).toBe(false);

  await Promise.all(Array.from({ length: 12 }, () => rotate({})));
  expect((await latest()).signatures).toBe(11);

  const last = await rotate({ immediate: true });
  sent = await latest();
  expect(sent.signatures).toBe(1);
  expect(sent.by(last)).toEqual({ isSvc: true, isStandard: true });
});

test("deliveries are listed newest first, by status and type, in pages", async () => {
  const { workspace, webhook } = await listener("failures=1");
  const link = await newLink(workspace, queue.env);
  await queue.run([1]);
  await workspace.call("DELETE", `/v1/links/${link.id}`, { env: queue.env });
  await send(workspace, webhook.id, "/test");
  const types = async (query: string) =>
    (await listDeliveries(workspace, webhook.id, query)).map(({ event_type }) => event_type);
  expect(await types("")).toEqual(["webhook.test", "link.deleted", "link.created"]);
  expect(await types("?limit=1&offset=1")).toEqual(["link.deleted"]);
  expect(await types("?status=delivered")).toEqual(["link.created"]);
  expect(await types("?status=pending&event_type=link.deleted")).toEqual(["link.deleted"]);
  for (const query of [
    "?status=lost",
    "?event_type=link.eaten",
    "?limit=201",
    "?limit=0",
    "?offset=-1",
    "?page=2",
  ]) {
    const answer = await workspace.call("GET", `/v1/webhooks/${webhook.id}/deliveries${query}`);
    await expectError(answer, 400, "VALIDATION_ERROR");
  }
});

test("deliveries are kept for 90 days, and their attempts with them", async () => {
  const { workspace, webhook } = await listener();
  await newLink(workspace, queue.env);
  await newLink(workspace, queue.env);
  await queue.run();
  const [, older] = await listDeliveries(workspace, webhook.id);
  const nowMs = Date.now();
  const idOf = (timeMs: number) => {
    const time = timeMs.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}${older?.id.slice(13)}`;
  };
  const old = idOf(nowMs - 91 * 86_400_000);
  await workerEnv.DB.batch([
    workerEnv.DB.prepare("UPDATE webhook_deliveries SET id = ? WHERE id = ?").bind(old, older?.id),
    workerEnv.DB.prepare("UPDATE webhook_attempts SET delivery_id = ? WHERE delivery_id = ?").bind(
      old,
      older?.id,
    ),
  ]);
  await worker.scheduled({} as ScheduledController, workerEnv);
  expect(await listDeliveries(workspace, webhook.id)).toHaveLength(1);
  const left = await workerEnv.DB.prepare(
    "SELECT count(*) AS left FROM webhook_attempts WHERE delivery_id = ?",
  )
    .bind(old)
    .first("left");
  expect(left).toBe(0);
});

test("an endpoint that hangs delays no other", async () => {
  const { workspace, name, webhook } = await listener("hang");
  const other = await listener("", workspace);
  const links = Array.from({ length: 100 }, () => ({ url: "https://example.com" }));
  await workspace.call("POST", "/v1/links/bulk", { body: { links } });
  // Well within the ten seconds that each attempt at the hanging one lasts.
  await eventually(
    () => receivedBy(other.name),
    (received) => received.length === 100,
    9_000,
  );
  const hanging = await listDeliveries(workspace, webhook.id, "?limit=200");
  expect(hanging.every(({ status }) => status === "pending")).toBe(true);
  expect((await receivedBy(name)).length).toBeLessThanOrEqual(45);
}, 20_000);
