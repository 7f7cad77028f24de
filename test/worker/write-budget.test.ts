import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { DAY_MS } from "../../src/core/time.ts";
import { createdKeyResponse } from "../../src/keys/keys.schema.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { PLANS } from "../../src/tenant/plans.ts";
import { usageResponse } from "../../src/workspace/workspace.schema.ts";
import { readChanges } from "../support/audit.ts";
import {
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { newPerson } from "../support/people.ts";
import { GROUP, provision, USER } from "../support/scim.ts";

/** Bytes that the changes of a workspace may write per day. */

const BUDGET = PLANS.business.writtenBytesPerDay;

async function readWritten(workspace: TestWorkspace): Promise<number> {
  const response = await workspace.call("GET", "/v1/workspace/usage");
  return (await expectData(response, usageResponse)).data.usage.written_bytes_today;
}

/** Sets the sum of the workspace's last entry, so that `left` bytes of its budget are left. */
async function leave(d1: D1Database, { id }: TestWorkspace, left: number): Promise<void> {
  const { meta } = await d1
    .prepare(
      `UPDATE audit_log SET day_bytes = ?1 WHERE workspace_id = ?2
        AND id = (SELECT max(id) FROM audit_log WHERE workspace_id = ?2)`,
    )
    .bind(BUDGET - left, id)
    .run();
  expect(meta.changes).toBeGreaterThan(0);
}

describe("a workspace that has used up its budget", () => {
  let workspace: TestWorkspace;
  let id = "";
  const change = (title: string) => workspace.call("PATCH", `/v1/links/${id}`, { body: { title } });

  beforeAll(async () => {
    workspace = await newWorkspace();
    ({ id } = await createLink(workspace));
  });

  test("cannot change anything until midnight UTC, and can still read and delete", async () => {
    const other = await createLink(workspace);
    await leave(workspace.shard, workspace, 0);
    const nowMs = Date.now();
    const response = await change("A");
    const untilMidnight = Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1_000);
    const retryAfter = Number(response.headers.get("Retry-After"));
    expect(retryAfter).toBeLessThanOrEqual(untilMidnight);
    expect(retryAfter).toBeGreaterThan(untilMidnight - 60);
    const error = await expectError(response, 429, "QUOTA_EXCEEDED");
    expect(error.message).toContain("250 MB per day");
    const body = { links: [{ url: "https://example.com" }] };
    await expectError(await workspace.call("POST", "/v1/links/bulk", { body }), 429, "QUOTA_EXCEEDED");
    await expectError(
      await workspace.call("POST", "/v1/bio/pages", { body: { title: "A" } }),
      429,
      "QUOTA_EXCEEDED",
    );
    expect(await readWritten(workspace)).toBe(BUDGET);

    const read = await workspace.call("GET", `/v1/links/${id}`);
    const { data: link } = await expectData(read, linkResponse);
    expect(link.title).toBeNull();
    expect((await workspace.visit(`/${link.short_code}`)).status).toBe(302);
    expect((await workspace.call("DELETE", `/v1/links/${other.id}`)).status).toBe(200);
    const restore = () => workspace.call("POST", `/v1/links/${other.id}/restore`);
    await expectError(await restore(), 429, "QUOTA_EXCEEDED");
    expect(await readWritten(workspace)).toBeGreaterThan(BUDGET);
    await expectError(await change("A"), 429, "QUOTA_EXCEEDED");

    vi.useFakeTimers({ toFake: ["Date"], now: nowMs + retryAfter * 1_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await readWritten(workspace)).toBe(0);
    expect((await change("A")).status).toBe(200);
    expect(await readWritten(workspace)).toBeLessThan(2_000);
    expect((await restore()).status).toBe(200);
  });

  test("is exact: of parallel changes, as many succeed as have room, and a bulk creation fails as a whole", async () => {
    workspace = await newWorkspace();
    ({ id } = await createLink(workspace, { title: "0" }));
    const before = await readWritten(workspace);
    await change("1");
    const size = (await readWritten(workspace)) - before;
    await leave(workspace.shard, workspace, 3 * size);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => (await change(String(index + 2))).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(await readWritten(workspace)).toBe(BUDGET);

    const create = (count: number) =>
      workspace.call("POST", "/v1/links/bulk", {
        body: { links: Array.from({ length: count }, () => ({ url: "https://example.com" })) },
      });
    await leave(workspace.shard, workspace, 1_000_000);
    expect((await create(1)).status).toBe(201);
    const one = 1_000_000 - (BUDGET - (await readWritten(workspace)));
    await leave(workspace.shard, workspace, 10 * one);
    await expectError(await create(11), 429, "QUOTA_EXCEEDED");
    expect((await create(10)).status).toBe(201);
    expect(await readWritten(workspace)).toBe(BUDGET);
  });

  test("cannot be filled by its identity provider, which can still remove people", async () => {
    const { workspace: provided, scim, patch } = await provision();
    const create = (userName: string) =>
      scim("POST", "/Users", { schemas: [USER], userName, name: { formatted: "x".repeat(100) } });
    const [{ body: first }, { body: second }] = [await create("a@acme.test"), await create("b@acme.test")];
    const members = [{ value: first.id }];
    const group = await scim("POST", "/Groups", { schemas: [GROUP], displayName: "owner", members });
    await leave(workerEnv.DIRECTORY, provided, 0);
    const refused = await create("c@acme.test");
    expect(refused).toMatchObject({ status: 429, body: { status: "429" } });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    const named = { op: "replace", path: "displayName", value: "Other" };
    expect((await patch(`/Users/${first.id}`, named)).status).toBe(429);
    const path = `/Groups/${group.body.id}`;
    expect((await patch(path, { op: "add", path: "members", value: members })).status).toBe(204);
    expect((await patch(path, { op: "add", path: "members", value: [{ value: second.id }] })).status).toBe(
      429,
    );
    expect((await patch(path, { op: "remove", path: `members[value eq "${first.id}"]` })).status).toBe(204);
    const inactive = { op: "replace", path: "active", value: false };
    expect((await patch(`/Users/${first.id}`, inactive)).status).toBe(200);
    expect((await patch(`/Users/${first.id}`, { ...inactive, value: true })).status).toBe(429);
    expect((await scim("DELETE", `/Users/${second.id}`)).status).toBe(204);
    expect((await scim("DELETE", path)).status).toBe(204);
  });

  test("cannot create keys, but revokes them", async () => {
    const owner = await newPerson(workspace);
    const make = () => owner.call("POST", "/v1/keys", { body: { name: "Shop", scopes: ["links:read"] } });
    const { data } = await expectData(await make(), createdKeyResponse, 201);
    await leave(workerEnv.DIRECTORY, workspace, 0);
    await expectError(await make(), 429, "QUOTA_EXCEEDED");
    expect((await owner.call("DELETE", `/v1/keys/${data.id}`)).status).toBe(200);
    expect((await owner.call("DELETE", "/v1/session")).status).toBe(200);
  });
});

test("a long value of a link is stored once, when it is replaced or deleted, and can be restored", async () => {
  const workspace = await newWorkspace();
  const build = (letter: string, bytes: number) => "https://example.com/".padEnd(bytes, letter);
  const [short, long, longest] = [build("a", 2_048), build("b", 2_049), build("c", 8_192)];
  const { id } = await createLink(workspace, { url: long });
  const written = await readWritten(workspace);
  const set = (url: string) => workspace.call("PATCH", `/v1/links/${id}`, { body: { url } });
  for (const url of [short, longest, longest, long]) expect((await set(url)).status).toBe(200);
  // Each value and its copy count when it arrives and when it is replaced, and the log counts what it shows.
  const shown = long.length + short.length + short.length + longest.length;
  expect((await readWritten(workspace)) - written).toBeGreaterThan(
    4 * (long.length + short.length + longest.length) + shown,
  );
  const omitted = (omitted_bytes: number) => ({ omitted_bytes });
  const log = await readChanges(workspace, id);
  expect(log.map(({ changes }) => changes.destination)).toEqual([
    [null, omitted(2_049)],
    [long, short],
    [short, omitted(8_192)],
    [longest, omitted(2_049)],
  ]);

  const history = await workspace.call("GET", `/v1/links/${id}/history`);
  const { data: entries } = (await history.json()) as { data: { id: string }[] };
  const revert = await workspace.call("POST", `/v1/links/${id}/history/${entries[0]?.id}/revert`);
  expect((await expectData(revert, linkResponse)).data.destination).toBe(longest);
  await workspace.call("DELETE", `/v1/links/${id}`);
  expect((await readChanges(workspace, id)).at(-1)?.changes.destination).toEqual([longest, null]);
});
