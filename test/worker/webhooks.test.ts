import { expect, test } from "vitest";
import * as z from "zod";
import { deletedResponse } from "../../src/http/fields.ts";
import { webhookResponse, webhookWithSecretResponse } from "../../src/webhooks/webhooks.schema.ts";
import { readChanges } from "../support/audit.ts";
import {
  addDomain,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { newPerson } from "../support/people.ts";
import { buildReceiverUrl, createWebhook } from "../support/webhooks.ts";

const url = buildReceiverUrl("unused");
const UNKNOWN = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";

test("a webhook endpoint can be created, read, listed, changed and deleted", async () => {
  const workspace = await newWorkspace();
  const { secret, ...created } = await createWebhook(workspace, url);
  expect(secret).toMatch(/^whsec_/);
  expect(created).toMatchObject({ url, description: "", events: ["*"], enabled: true, disabled_at: null });

  const read = await workspace.call("GET", `/v1/webhooks/${created.id}`);
  expect((await expectData(read, webhookResponse)).data).toEqual(created);
  const other = await createWebhook(workspace, url, ["link.created", "link.scanned", "link.created"]);
  expect(other.events).toEqual(["link.created", "link.scanned"]);
  const { data, meta } = await expectData(
    await workspace.call("GET", "/v1/webhooks"),
    z.array(webhookResponse),
  );
  expect(data.map(({ id }) => id)).toEqual([other.id, created.id]);
  expect(meta).toMatchObject({ total: 2, limit: 50, offset: 0 });

  const patch = { url: `${url}?2`, events: ["link.deleted"], description: "orders", enabled: false };
  const changed = await workspace.call("PATCH", `/v1/webhooks/${created.id}`, { body: patch });
  expect((await expectData(changed, webhookResponse)).data).toMatchObject({ ...patch, disabled_at: null });
  const unchanged = await workspace.call("PATCH", `/v1/webhooks/${other.id}`, { body: {} });
  expect((await expectData(unchanged, webhookResponse)).data.updated_at).toBe(other.updated_at);

  const deleted = await workspace.call("DELETE", `/v1/webhooks/${created.id}`);
  expect((await expectData(deleted, deletedResponse)).data).toEqual({ id: created.id, deleted: true });
  await expectError(await workspace.call("GET", `/v1/webhooks/${created.id}`), 404, "RESOURCE_NOT_FOUND");
});

test("viewers and the audit log show URLs of endpoints without path and query", async () => {
  const workspace = await newWorkspace();
  const secretUrl = "https://hooks.example.com:8443/services/T0/secret?key=1";
  const { id } = await createWebhook(workspace, secretUrl);
  await workspace.call("PATCH", `/v1/webhooks/${id}`, { body: { url: `${secretUrl}2` } });
  const masked = "https://hooks.example.com:8443/…";
  for (const [role, shown] of [
    ["viewer", masked],
    ["editor", `${secretUrl}2`],
    ["owner", `${secretUrl}2`],
  ] as const) {
    const person = await newPerson(workspace, role);
    const read = async (path: string) =>
      ((await (await person.call("GET", path)).json()) as { data: never }).data;
    expect(await read(`/v1/webhooks/${id}`)).toMatchObject({ url: shown });
    expect(await read("/v1/webhooks?recent=1")).toMatchObject([{ url: shown }]);
    expect(JSON.stringify(await read(`/v1/audit?resource=${id}`))).not.toContain("secret?key");
  }
  const reader = workspace.as(await workspace.newKey({ scopes: ["webhooks:read"] }));
  const byKey = await reader.call("GET", `/v1/webhooks/${id}`);
  expect((await expectData(byKey, webhookResponse)).data.url).toBe(`${secretUrl}2`);
  expect((await readChanges(workspace, id)).map(({ changes }) => changes.url)).toEqual([
    [null, masked],
    [masked, masked],
  ]);
});

test("POST and PATCH /v1/webhooks reject an invalid field by its name", async () => {
  const workspace = await newWorkspace();
  const { id } = await createWebhook(workspace, url);
  for (const [body, message] of [
    [{}, "url: is required"],
    [{ url: 1 }, "url: must be a string"],
    [{ url: "nonsense" }, "url: must be a URL"],
    [{ url: "http://example.com" }, "url: must be an https URL"],
    [{ url: "https://10.0.0.1/" }, "url: must use a public hostname, not an IP address or a private name"],
    [{ url: "https://u:p@example.com" }, "url: must not contain a user name or password"],
    [{ url: "https://example.com:81" }, "url: must use port 443 or 8443"],
    [{ url: "http://localhost:8787/v1" }, "url: must not be a URL of this service"],
    [{ url: `http://${workspace.hostname}:8787/` }, "url: must not be a URL of this service"],
    [{ url, events: ["link.eaten"] }, /^events\[0\]: must be one of \*, link\.created/],
    [{ url, events: [] }, "events: must have at least 1 item"],
    [{ url, events: "link.created" }, "events: must be an array"],
    [{ url, description: "x".repeat(1001) }, "description: must have at most 1000 characters"],
    [{ url, secret: "mine" }, "secret: is not a known field"],
  ] as const) {
    const error = await expectError(
      await workspace.call("POST", "/v1/webhooks", { body }),
      400,
      "VALIDATION_ERROR",
    );
    expect(error.message).toMatch(message);
    if (Object.keys(body).length === 0) continue;
    await expectError(await workspace.call("PATCH", `/v1/webhooks/${id}`, { body }), 400, "VALIDATION_ERROR");
  }
});

test("POST /v1/webhooks rejects a host that a workspace added as its domain", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "go.partner.test");
  const body = { url: "https://go.partner.test:8787/hook" };
  const error = await expectError(
    await workspace.call("POST", "/v1/webhooks", { body }),
    400,
    "VALIDATION_ERROR",
  );
  expect(error.message).toBe("url: must not be a URL of this service");
});

test("parallel requests cannot exceed the plan's number of endpoints, and a deletion frees one", async () => {
  const workspace = await newWorkspace("pro");
  // Each call uses its own key, because a key of this plan is limited to ten calls per second.
  const call = async (method: string, path: string, body?: object) =>
    workspace.as(await workspace.newKey()).call(method, path, { ...(body && { body }) });
  const create = () => call("POST", "/v1/webhooks", { url });
  const responses = await Promise.all(Array.from({ length: 8 }, create));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
  const refused = responses.find(({ status }) => status === 403) as Response;
  const error = await expectError(refused, 403, "PLAN_LIMIT_EXCEEDED");
  expect(error.message).toBe("The pro plan allows 3 webhook endpoints.");

  const created = responses.find(({ status }) => status === 201) as Response;
  const { data } = await expectData(created, webhookWithSecretResponse, 201);
  const deletions = await Promise.all([1, 2, 3].map(() => call("DELETE", `/v1/webhooks/${data.id}`)));
  expect(deletions.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(403);
});

test("after a change of plan, the new plan limits the next endpoint", async () => {
  const workspace = await newWorkspace("pro");
  const setPlan = (plan: string) =>
    workerEnv.DIRECTORY.prepare("UPDATE workspaces SET plan = ? WHERE id = ?").bind(plan, workspace.id).run();
  const create = async () => (await workspace.call("POST", "/v1/webhooks", { body: { url } })).status;
  expect([await create(), await create(), await create(), await create()]).toEqual([201, 201, 201, 403]);
  await setPlan("business");
  expect([await create(), await create()]).toEqual([201, 201]);
  await setPlan("pro");
  expect(await create()).toBe(403);
});

test("the enterprise plan does not limit the number of endpoints", async () => {
  const workspace = await newWorkspace("enterprise");
  const responses = await Promise.all(
    Array.from({ length: 25 }, () => workspace.call("POST", "/v1/webhooks", { body: { url } })),
  );
  expect(responses.every(({ status }) => status === 201)).toBe(true);
});

test("every webhook operation returns the same 404 for a malformed, an unknown and another workspace's id", async () => {
  const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const foreign = await createWebhook(other, url);
  for (const id of ["nonsense", UNKNOWN, foreign.id]) {
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", { description: "mine" }],
      ["PATCH", "", {}],
      ["PATCH", "", { enabled: true }],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["GET", `/deliveries/${UNKNOWN}`],
      ["POST", `/deliveries/${UNKNOWN}/resend`],
    ] as const) {
      const response = await workspace.call(method, `/v1/webhooks/${id}${path}`, { ...(body && { body }) });
      const error = await expectError(response, 404, "RESOURCE_NOT_FOUND");
      expect(error.message).toBe("The webhook does not exist.");
    }
  }
  const unchanged = await expectData(await other.call("GET", `/v1/webhooks/${foreign.id}`), webhookResponse);
  const { secret: _, ...withoutSecret } = foreign;
  expect(unchanged.data).toEqual(withoutSecret);
});

test("reading an endpoint needs the scope webhooks:read, changing it webhooks:write", async () => {
  const workspace = await newWorkspace();
  const { id } = await createWebhook(workspace, url);
  const reader = workspace.as(await workspace.newKey({ scopes: ["webhooks:read"] }));
  const writer = workspace.as(await workspace.newKey({ scopes: ["webhooks:write"] }));
  expect((await reader.call("GET", `/v1/webhooks/${id}/deliveries`)).status).toBe(200);
  await expectError(await reader.call("POST", `/v1/webhooks/${id}/test`), 403, "INSUFFICIENT_SCOPE");
  await expectError(await writer.call("GET", `/v1/webhooks/${id}`), 403, "INSUFFICIENT_SCOPE");
  expect((await writer.call("POST", `/v1/webhooks/${id}/rotate-secret`)).status).toBe(200);
});

test("only creation and rotation return the signing secret, and it is stored encrypted", async () => {
  const workspace = await newWorkspace();
  const created = await createWebhook(workspace, url);
  const response = await workspace.call("POST", `/v1/webhooks/${created.id}/rotate-secret`, {
    headers: { "Idempotency-Key": "rotation" },
  });
  const rotated = (await expectData(response, webhookWithSecretResponse)).data;
  expect(rotated.secret).not.toBe(created.secret);
  await createLink(workspace);
  const sent = await workspace.call("POST", `/v1/webhooks/${created.id}/test`);
  const { data } = (await sent.json()) as { data: { id: string } };

  const shown = await Promise.all(
    ["", `/${created.id}`, `/${created.id}/deliveries`, `/${created.id}/deliveries/${data.id}`].map(
      async (path) => (await workspace.call("GET", `/v1/webhooks${path}`)).text(),
    ),
  );
  const stored = await Promise.all(
    ["webhooks", "webhook_events", "event_deliveries", "delivery_attempts", "idempotency_keys"].map(
      async (table) =>
        JSON.stringify((await workspace.shard.prepare(`SELECT * FROM ${table}`).all()).results),
    ),
  );
  for (const text of [...shown, ...stored]) {
    expect(text).not.toContain(created.secret.slice(6));
    expect(text).not.toContain(rotated.secret.slice(6));
  }
});

test("POST /v1/webhooks with the same Idempotency-Key returns the same endpoint and secret", async () => {
  const workspace = await newWorkspace();
  const create = () =>
    workspace.call("POST", "/v1/webhooks", { body: { url }, headers: { "Idempotency-Key": "once" } });
  const first = await (await create()).text();
  const second = await create();
  expect(second.headers.get("Idempotency-Replayed")).toBe("true");
  expect(await second.text()).toBe(first);
  const { meta } = await expectData(await workspace.call("GET", "/v1/webhooks"), z.array(webhookResponse));
  expect(meta.total).toBe(1);
});

test("POST /v1/webhooks/{webhook_id}/rotate-secret only accepts no body, an empty object or immediate", async () => {
  const workspace = await newWorkspace();
  const { id } = await createWebhook(workspace, url);
  const rotate = (options?: object) => workspace.call("POST", `/v1/webhooks/${id}/rotate-secret`, options);
  for (const options of [undefined, { headers: { "Content-Type": "application/json" } }, { body: {} }]) {
    expect((await rotate(options)).status).toBe(200);
  }
  expect((await rotate({ body: { immediate: true } })).status).toBe(200);
  await expectError(await rotate({ body: { immediate: "yes" } }), 400, "VALIDATION_ERROR");
  await expectError(await rotate({ body: { now: true } }), 400, "VALIDATION_ERROR");
  await expectError(await rotate({ body: "{" }), 400, "VALIDATION_ERROR");
});

test("POST /v1/webhooks returns 500 and stores nothing if WEBHOOK_KEY is missing or too short", async () => {
  const workspace = await newWorkspace();
  for (const WEBHOOK_KEY of [undefined, "short"]) {
    const env = { ...workerEnv, WEBHOOK_KEY } as Env;
    const response = await workspace.call("POST", "/v1/webhooks", { body: { url }, env });
    await expectError(response, 500, "INTERNAL_ERROR");
  }
  const { meta } = await expectData(await workspace.call("GET", "/v1/webhooks"), z.array(webhookResponse));
  expect(meta.total).toBe(0);
});
