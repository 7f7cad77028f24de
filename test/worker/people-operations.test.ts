import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { routes } from "../../src/api.ts";
import { openDatabase } from "../../src/db/database.ts";
import { deletedResponse } from "../../src/http/fields.ts";
import { createdKeyResponse, keyResponse } from "../../src/keys/keys.schema.ts";
import { eraseMembers } from "../../src/members/members.ts";
import { selectMemberships } from "../../src/members/memberships.ts";
import { endOldest, listSessions, sweepSessions } from "../../src/members/sessions.ts";
import { sweepSignInLinks } from "../../src/members/sign-in-links.ts";
import { ROLES, type Role } from "../../src/permissions/roles.ts";
import { currentSession, sessionResponse } from "../../src/sign-in/session.schema.ts";
import { readChanges, readLog } from "../support/audit.ts";
import { countTrips } from "../support/counting.ts";
import { expectData, expectError, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { addMember, newPerson, newSignInLink, signIn, type TestPerson } from "../support/people.ts";
import { personOperations } from "../support/resources.ts";
import { provision } from "../support/scim.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const directory = openDatabase(workerEnv.DIRECTORY);
const operations = routes.map(({ operation }) => operation);

/** Limiter that allows every call of a person, so that a test can make many. */
const LIMITER = {
  getByName: () => ({
    takeToken: async () => ({ verdict: "allowed", burstRemaining: 19, callsThisMonth: 0, cycle: "2026-11" }),
    takeExport: async () => 0,
    endExport: async () => {},
  }),
} as unknown as Env["LIMITER"];
const unlimited: Env = { ...workerEnv, LIMITER };

/** Returns the lowest role that may call an operation, from its method and path. */
function getLeastRole(method: string, path: string): Role {
  if (/^\/v1\/(?:keys|members)/.test(path)) return "owner";
  if (/^\/v1\/(?:sessions?|passkeys)/.test(path)) return "viewer";
  if (/\/domains\b/.test(path) && method !== "get") return "owner";
  if (method === "get" || /\/resolve$|\/qr\/generate$/.test(path)) return "viewer";
  return "editor";
}

describe("every operation × every role", () => {
  let people: Record<Role, TestPerson>;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await newWorkspace("enterprise");
    const [owner, editor, viewer] = await Promise.all(ROLES.map((role) => newPerson(workspace, role)));
    people = { owner, editor, viewer } as Record<Role, TestPerson>;
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    "%s",
    async (id, operation) => {
      const path = operation.path.replaceAll(/:\w+/g, crypto.randomUUID());
      const least = getLeastRole(operation.method, operation.path);
      for (const role of ROLES) {
        // Signing out ends the session that the other operations need.
        const person = id === "endCurrentSession" ? await newPerson(workspace, role) : people[role];
        const response = await person.call(operation.method.toUpperCase(), path, {
          ...(operation.body && { body: { stray: 1 } }),
          env: unlimited,
        });
        if (ROLES.indexOf(role) <= ROLES.indexOf(least)) {
          expect([401, 403], `${role}: ${await response.clone().text()}`).not.toContain(response.status);
        } else {
          const error = await expectError(response, 403, "INSUFFICIENT_ROLE");
          expect(error.message).toContain(least);
        }
      }
    },
  );

  test("a key with all scopes cannot call any of the operations for people", async () => {
    expect(personOperations.map(({ operation }) => operation.operationId).sort()).toEqual([
      ...["addPasskey", "beginPasskey", "createInvitation", "createKey", "endCurrentSession", "endSession"],
      ...["getSession", "listInvitations", "listKeys", "listPasskeys", "listSessions", "recoverMember"],
      ...["removeMember", "removePasskey", "revokeInvitation", "revokeKey", "rotateKey"],
      ...["updateMember", "updatePasskey"],
    ]);
    for (const { path, method, operation } of personOperations) {
      const body = operation.requestBody && { name: "x", scopes: ["*"] };
      const response = await workspace.call(method, path.replaceAll(/\{\w+\}/g, crypto.randomUUID()), {
        body,
      });
      await expectError(response, 403, "SESSION_REQUIRED");
    }
  });

  test("a changing operation requires the app's own origin and a workspace", async () => {
    for (const { id, method, path } of operations.filter(({ method }) => method !== "get")) {
      const address = path.replaceAll(/:\w+/g, crypto.randomUUID());
      for (const [headers, status, code] of [
        [{ Origin: null }, 403, "ORIGIN_MISMATCH"],
        [{ "X-SVC-Workspace": null }, 400, "VALIDATION_ERROR"],
      ] as const) {
        const response = await people.owner.call(method.toUpperCase(), address, { headers, env: unlimited });
        expect([id, response.status]).toEqual([id, status]);
        await expectError(response, status, code);
      }
    }
  });
});

describe("/v1/session", () => {
  test("returns the person, workspace and role in one call", async () => {
    const [first, second] = [await newWorkspace("free"), await newWorkspace("pro")];
    const member = await addMember(first, "editor");
    await addMember(second, "owner", member.email);
    const person = await signIn(first, member);
    const headers = { "X-SVC-Workspace": null, Origin: null };
    const { data } = await expectData(await person.call("GET", "/v1/session", { headers }), currentSession);
    expect(data).toMatchObject({
      email: member.email,
      role: "editor",
      workspace: { id: first.id, slug: first.slug, plan: "free" },
      workspaces: [
        { slug: first.slug, role: "editor" },
        { slug: second.slug, role: "owner" },
      ],
    });
    expect(data.scopes).toContain("links:write");
    expect(data.scopes).not.toContain("*");
    const inSecond = { headers: { "X-SVC-Workspace": second.slug } };
    const { data: other } = await expectData(
      await person.call("GET", "/v1/session", inSecond),
      currentSession,
    );
    expect(other).toMatchObject({ role: "owner", scopes: ["*"], workspace: { slug: second.slug } });
  });

  test("DELETE signs out", async () => {
    const person = await newPerson(await newWorkspace(), "viewer");
    const response = await person.call("DELETE", "/v1/session");
    await expectData(response, deletedResponse);
    expect(response.headers.get("Set-Cookie")).toMatch(/^signpost_session=; Max-Age=0; /);
    await expectError(await person.call("GET", "/v1/session"), 401, "INVALID_SESSION");
  });

  test("rejects a session whose person has no accepted membership", async () => {
    const person = await newPerson(await newWorkspace());
    await workerEnv.DIRECTORY.prepare("UPDATE members SET is_accepted = 0 WHERE id = ?")
      .bind(person.id)
      .run();
    const headers = { "X-SVC-Workspace": null };
    await expectError(await person.call("GET", "/v1/session", { headers }), 403, "NOT_A_MEMBER");
  });

  test("takes two levels of trips if the isolate has cached the session", async () => {
    const person = await newPerson(await newWorkspace());
    const measure = async () => {
      const { env, trips } = countTrips(workerEnv);
      expect((await person.call("GET", "/v1/links", { env })).status).toBe(200);
      return trips;
    };
    expect(await measure()).toMatchObject({ depth: 3, d1: 2, durableObject: 1 });
    expect(await measure()).toMatchObject({ depth: 2, d1: 2, durableObject: 1 });
  });
});

describe("/v1/sessions", () => {
  const list = async (person: TestPerson) =>
    (await expectData(await person.call("GET", "/v1/sessions"), z.array(sessionResponse))).data;

  test("lists and ends the person's browser sessions", async () => {
    const workspace = await newWorkspace();
    const member = await addMember(workspace, "viewer");
    const [first, second] = [await signIn(workspace, member), await signIn(workspace, member)];
    const stranger = await newPerson(workspace);
    const sessions = await list(second);
    expect(sessions.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
      ["Firefox on Linux", true],
      ["Firefox on Linux", false],
    ]);
    const path = `/v1/sessions/${sessions[1]?.id}`;
    await expectError(await stranger.call("DELETE", path), 404, "RESOURCE_NOT_FOUND");
    expect((await first.call("GET", "/v1/links")).status).toBe(200);
    await expectData(await second.call("DELETE", path), deletedResponse);
    await expectError(await first.call("GET", "/v1/links"), 401, "INVALID_SESSION");
    await expectError(await second.call("DELETE", path), 404, "RESOURCE_NOT_FOUND");
    expect(await list(second)).toHaveLength(1);
  });

  test("contain no token, and the directory only stores its hash", async () => {
    const person = await newPerson(await newWorkspace());
    for (const path of ["/v1/session", "/v1/sessions"]) {
      expect(await (await person.call("GET", path)).text()).not.toContain(person.token);
    }
    const { results } = await workerEnv.DIRECTORY.prepare("SELECT * FROM sessions WHERE email = ?")
      .bind(person.email)
      .all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(person.token);
  });

  test("are swept once they have expired, as are sign-in links", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace);
    await newSignInLink(workspace, person.email, Date.now() + DAY_MS);
    const directory = openDatabase(workerEnv.DIRECTORY);
    const count = () =>
      workerEnv.DIRECTORY.prepare(
        "SELECT (SELECT count(*) FROM sessions WHERE email = ?1) + (SELECT count(*) FROM sign_in_links WHERE email = ?1) AS n",
      )
        .bind(person.email)
        .first<number>("n");
    expect(await count()).toBe(2);
    await sweepSessions(directory, Date.now() + 13 * DAY_MS);
    await sweepSignInLinks(directory, Date.now() + DAY_MS - HOUR_MS);
    expect(await count()).toBe(2);
    await sweepSessions(directory, Date.now() + 14 * DAY_MS);
    await sweepSignInLinks(directory, Date.now() + DAY_MS);
    expect(await count()).toBe(0);
  });

  test("are erased with the workspace if the person belongs to no other workspace", async () => {
    const [deleted, kept] = [await newWorkspace(), await newWorkspace()];
    const [alone, both] = [await newPerson(deleted), await newPerson(deleted)];
    await addMember(kept, "viewer", both.email);
    expect(await eraseMembers(openDatabase(workerEnv.DIRECTORY), deleted.id)).toBe(2);
    await expectError(await alone.call("GET", "/v1/links"), 401, "INVALID_SESSION");
    expect((await both.call("GET", "/v1/links", { headers: { "X-SVC-Workspace": kept.slug } })).status).toBe(
      200,
    );
  });
});

describe("/v1/keys", () => {
  const make = async (owner: TestPerson, body: object = {}, headers = {}) =>
    owner.call("POST", "/v1/keys", { body: { name: "Shop", scopes: ["links:read"], ...body }, headers });
  const listOf = async (owner: TestPerson) =>
    (await expectData(await owner.call("GET", "/v1/keys"), z.array(keyResponse))).data;

  test("creates a working key, shows it once, and lists the day of its last use", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const { data } = await expectData(await make(owner), createdKeyResponse, 201);
    expect(data.key).toMatch(new RegExp(`^svc_pk_${data.prefix}\\.[A-Za-z0-9]{64}$`));
    const creator = { member_id: owner.id, name: "Ada", has_left: false };
    expect(data.created_by).toEqual(creator);
    const made = workspace.as(data.key);
    const find = async () => (await listOf(owner)).find(({ id }) => id === data.id);
    expect(await find()).toMatchObject({
      name: "Shop",
      scopes: ["links:read"],
      last_used_on: null,
      created_by: creator,
    });
    expect((await made.call("GET", "/v1/links")).status).toBe(200);
    await expectError(await made.call("GET", "/v1/assets"), 403, "INSUFFICIENT_SCOPE");
    expect(await find()).toMatchObject({ last_used_on: new Date().toISOString().slice(0, 10) });
    const text = await (await owner.call("GET", "/v1/keys")).text();
    expect(text).not.toContain(data.key.slice(-64));
    const others = (await listOf(owner)).filter(({ id }) => id !== data.id);
    expect(others.map(({ last_used_on }) => last_used_on)).toEqual([null]);
  });

  test("rejects a key with scopes that its creator lacks, and a key that has already expired", async () => {
    const owner = await newPerson(await newWorkspace());
    for (const body of [
      { scopes: ["keys"] },
      { scopes: ["session"] },
      { scopes: [] },
      { scopes: ["links:read", "links:read"] },
      { name: "" },
      { name: "x".repeat(201) },
      { expires_at: "2020-01-01T00:00:00Z" },
    ]) {
      await expectError(await make(owner, body), 400, "VALIDATION_ERROR");
    }
    expect(await listOf(owner)).toHaveLength(1);
  });

  test("replays a secret only to the same person", async () => {
    const workspace = await newWorkspace();
    const [owner, other] = [await newPerson(workspace), await newPerson(workspace)];
    const headers = { "Idempotency-Key": "the same" };
    const { data } = await expectData(await make(owner, {}, headers), createdKeyResponse, 201);
    const replay = await make(owner, {}, headers);
    expect(replay.headers.get("Idempotency-Replayed")).toBe("true");
    expect((await expectData(replay, createdKeyResponse, 201)).data).toEqual(data);
    const { data: another } = await expectData(await make(other, {}, headers), createdKeyResponse, 201);
    expect(another.id).not.toBe(data.id);
    expect(another.key).not.toBe(data.key);
  });

  test.each([0, 24])("rotates a key with an overlap of %i hours", async (overlap) => {
    const workspace = await newWorkspace();
    const [owner, rotator] = [await newPerson(workspace), await newPerson(workspace)];
    const { data: former } = await expectData(await make(owner), createdKeyResponse, 201);
    const nowMs = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const rotate = () =>
      rotator.call("POST", `/v1/keys/${former.id}/rotate`, { body: { overlap_hours: overlap } });
    const { data } = await expectData(await rotate(), createdKeyResponse, 201);
    expect(data).toMatchObject({ name: "Shop", scopes: ["links:read"], revoked_at: null });
    expect(data.created_by?.member_id).toBe(rotator.id);
    expect((await workspace.as(data.key).call("GET", "/v1/links")).status).toBe(200);
    const replaced = (await listOf(owner)).find(({ id }) => id === former.id);
    expect(replaced?.replaced_by).toBe(data.id);
    const error = await expectError(await rotate(), 409, "KEY_NOT_ACTIVE");
    expect(error.message).toContain("rotated");

    const endMs = nowMs + overlap * HOUR_MS;
    if (overlap > 0) {
      vi.setSystemTime(endMs - 1);
      expect((await workspace.as(former.key).call("GET", "/v1/links")).status).toBe(200);
    }
    vi.setSystemTime(endMs);
    await expectError(await workspace.as(former.key).call("GET", "/v1/links"), 401, "REVOKED_API_KEY");
    expect((await workspace.as(data.key).call("GET", "/v1/links")).status).toBe(200);
  });

  test("lets only one of two parallel rotations succeed", async () => {
    const owner = await newPerson(await newWorkspace());
    const { data } = await expectData(await make(owner), createdKeyResponse, 201);
    const rotate = () => owner.call("POST", `/v1/keys/${data.id}/rotate`);
    const responses = await Promise.all([rotate(), rotate(), rotate()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test("rotates active keys only, and says why not", async () => {
    const nowMs = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
    onTestFinished(() => void vi.useRealTimers());
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const expires = (atMs: number) => ({ expires_at: new Date(atMs).toISOString() });
    await expectError(await make(owner, expires(nowMs)), 400, "VALIDATION_ERROR");
    const { data: expiring } = await expectData(
      await make(owner, expires(nowMs + 1)),
      createdKeyResponse,
      201,
    );
    const { data: revoked } = await expectData(await make(owner), createdKeyResponse, 201);
    for (const _ of [1, 2]) await owner.call("DELETE", `/v1/keys/${revoked.id}`);
    vi.setSystemTime(nowMs + 1);
    for (const [{ id }, state] of [
      [expiring, "has expired"],
      [revoked, "is revoked"],
    ] as const) {
      const error = await expectError(
        await owner.call("POST", `/v1/keys/${id}/rotate`),
        409,
        "KEY_NOT_ACTIVE",
      );
      expect(error.message).toContain(`This key ${state}.`);
    }
    const changes = await readChanges(workspace, revoked.id);
    expect(changes.map(({ operation, changes: { revoked_at } }) => [operation, revoked_at])).toEqual([
      ["createKey", undefined],
      ["revokeKey", [null, new Date(nowMs).toISOString()]],
    ]);
  });

  test("revokes a key immediately, even during its overlap, and accepts a second revocation", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const { data } = await expectData(await make(owner), createdKeyResponse, 201);
    await owner.call("POST", `/v1/keys/${data.id}/rotate`, { body: { overlap_hours: 24 } });
    expect((await workspace.as(data.key).call("GET", "/v1/links")).status).toBe(200);
    for (const _ of [1, 2])
      await expectData(await owner.call("DELETE", `/v1/keys/${data.id}`), deletedResponse);
    await expectError(await workspace.as(data.key).call("GET", "/v1/links"), 401, "REVOKED_API_KEY");
  });

  test("say that their creator has left while the creator is deactivated or removed, and so does the log", async () => {
    const { workspace, patch, scim } = await provision("example.com");
    const [owner, creator] = [await newPerson(workspace), await newPerson(workspace)];
    const other = await newPerson(workspace);
    const { data: key } = await expectData(await make(creator), createdKeyResponse, 201);
    const { data: otherKey } = await expectData(await make(other), createdKeyResponse, 201);
    const { data: revoked } = await expectData(await make(creator), createdKeyResponse, 201);
    await creator.call("DELETE", `/v1/keys/${revoked.id}`);
    const hasLeft = async () => {
      const found = await listOf(owner);
      expect(found.filter(({ created_by }) => created_by === null)).toHaveLength(1);
      return found.find(({ id }) => id === key.id)?.created_by?.has_left;
    };
    expect(await hasLeft()).toBe(false);
    const path = `/Users/${creator.id}`;
    for (const [value, expected] of [
      [{ active: false }, true],
      [{ active: false, displayName: "Ada L." }, true],
      [{ active: true }, false],
    ] as const) {
      expect((await patch(path, { op: "replace", value })).status).toBe(200);
      expect(await hasLeft()).toBe(expected);
    }
    // The log says only once that the other creator has left, not again for the deletion.
    await patch(`/Users/${other.id}`, { op: "replace", value: { active: false } });
    expect((await scim("DELETE", `/Users/${other.id}`)).status).toBe(204);
    expect((await scim("DELETE", path)).status).toBe(204);
    expect(await hasLeft()).toBe(true);
    expect((await workspace.as(key.key).call("GET", "/v1/links")).status).toBe(200);
    const entries = await readLog(workspace, "?resource_type=key");
    expect(
      entries.flatMap(({ resource, operation, changes }) =>
        changes.creator_has_left ? [[resource.id, operation, changes]] : [],
      ),
    ).toEqual([
      [key.id, "deleteScimUser", { creator_has_left: [false, true] }],
      [otherKey.id, "updateScimUser", { creator_has_left: [false, true] }],
      [key.id, "updateScimUser", { creator_has_left: [true, false] }],
      [key.id, "updateScimUser", { creator_has_left: [false, true] }],
    ]);
  });

  test("returns 404 for keys of another workspace", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const [owner, stranger] = [await newPerson(workspace), await newPerson(other)];
    const { data } = await expectData(await make(owner), createdKeyResponse, 201);
    for (const id of [data.id, crypto.randomUUID(), "not-an-id"]) {
      await expectError(await stranger.call("POST", `/v1/keys/${id}/rotate`), 404, "RESOURCE_NOT_FOUND");
      await expectError(await stranger.call("DELETE", `/v1/keys/${id}`), 404, "RESOURCE_NOT_FOUND");
    }
    expect((await workspace.as(data.key).call("GET", "/v1/links")).status).toBe(200);
    expect((await listOf(stranger)).map(({ id }) => id)).not.toContain(data.id);
  });

  test("allows at most 100 active keys, also under parallel creation", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const rows = Array.from({ length: 98 }, (_, index) =>
      workerEnv.DIRECTORY.prepare(
        `INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, created_at)
         VALUES (?, ?, ?, 'x', '', '[]', 1)`,
      ).bind(crypto.randomUUID(), `${index}-${workspace.slug}`, workspace.id),
    );
    await workerEnv.DIRECTORY.batch(rows);
    const responses = await Promise.all([make(owner), make(owner), make(owner)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    await expectError(await make(owner), 409, "KEY_LIMIT_EXCEEDED");
    const made = (await listOf(owner)).find(({ name }) => name === "Shop");
    expect((await owner.call("POST", `/v1/keys/${made?.id}/rotate`)).status).toBe(201);
    await owner.call("DELETE", `/v1/keys/${(await listOf(owner))[0]?.id}`);
    expect((await make(owner)).status).toBe(201);
  });
});

test("lists the latest 1,000 keys, because the admin command can create more", async () => {
  const workspace = await newWorkspace();
  const owner = await newPerson(workspace);
  await workerEnv.DIRECTORY.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
     INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, created_at)
     SELECT printf('09990000-0000-7000-8000-%012d', n), n || ?1, ?2, n, '', '[]', 1 FROM numbers`,
  )
    .bind(workspace.slug, workspace.id)
    .run();
  const listed = await expectData(await owner.call("GET", "/v1/keys"), z.array(keyResponse));
  expect(listed.data).toHaveLength(1_000);
  expect(listed.data.at(-1)?.name).toBe("1001");
});

describe("ended keys", () => {
  /** Adds keys that are older than all others. */
  async function seedKeys(workspace: TestWorkspace, count: number, revokedAt: number | null) {
    await workerEnv.DIRECTORY.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1 - 1)
       INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, created_at, revoked_at)
       SELECT printf('%08x-0000-7000-8000-', n) || ?2, n || ?2, ?3, 'n' || n, '', '[]', 1, ?4 FROM numbers`,
    )
      .bind(count, workspace.id.slice(-12), workspace.id, revokedAt)
      .run();
  }
  const count = async ({ id }: TestWorkspace, condition: string) =>
    workerEnv.DIRECTORY.prepare(
      `SELECT count(*) AS n, min(name) AS first FROM api_keys WHERE workspace_id = ? AND ${condition}`,
    )
      .bind(id)
      .first();

  test("are kept up to 100, and the oldest are removed", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    await seedKeys(workspace, 101, 7);
    const make = () => owner.call("POST", "/v1/keys", { body: { name: "New", scopes: ["links:read"] } });
    expect((await make()).status).toBe(201);
    expect(await count(workspace, "revoked_at = 7")).toEqual({ n: 100, first: "n1" });
    expect((await make()).status).toBe(201);
    expect(await count(workspace, "revoked_at = 7")).toEqual({ n: 100, first: "n1" });
  });

  test("leave room for rotated ones: including these, 200 are active", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    // The workspace's own key is the 199th.
    await seedKeys(workspace, 198, null);
    const [{ id = "" } = {}] = (await expectData(await owner.call("GET", "/v1/keys"), z.array(keyResponse)))
      .data;
    const rotate = (key: string) =>
      owner.call("POST", `/v1/keys/${key}/rotate`, { body: { overlap_hours: 1 } });
    const { data } = await expectData(await rotate(id), createdKeyResponse, 201);
    await expectError(await rotate(data.id), 409, "KEY_LIMIT_EXCEEDED");
  });
});

test("a person has at most 50 sessions, the newest ones, and sees 200 workspaces", async () => {
  const email = `${crypto.randomUUID()}@many.example`;
  await workerEnv.DIRECTORY.prepare(
    `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50)
     INSERT INTO sessions (id, token_hash, email, name, user_agent, created_at, last_seen_at, expires_at)
     SELECT printf('%012d', n) || ?1, n || ?1, ?1, 'n' || n, '', 1, 1, 9e15 FROM numbers`,
  )
    .bind(email)
    .run();
  const list = () => listSessions(directory, email, 1);
  expect((await list()).map(({ name }) => name)).toEqual(
    Array.from({ length: 50 }, (_, index) => `n${50 - index}`),
  );
  for (const _ of [1, 2]) await endOldest(directory, email);
  const counted = await workerEnv.DIRECTORY.prepare("SELECT count(*) AS n FROM sessions WHERE email = ?")
    .bind(email)
    .first("n");
  expect(counted).toBe(50);

  await workerEnv.DIRECTORY.batch(
    [
      "INSERT INTO workspaces (id, slug, name, plan, shard, created_at)",
      "INSERT INTO members (id, workspace_id, email, name, created_at)",
    ].map((into) =>
      workerEnv.DIRECTORY.prepare(
        `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200) ${into} ${
          into.includes("members")
            ? "SELECT printf('%04d', n) || ?1, n || ?1, ?1, 'x', 1 FROM numbers"
            : "SELECT n || ?1, n || ?1, 'n' || n, 'pro', 0, 1 FROM numbers"
        }`,
      ).bind(email),
    ),
  );
  onTestFinished(async () => {
    await workerEnv.DIRECTORY.batch([
      workerEnv.DIRECTORY.prepare("DELETE FROM members WHERE email = ?").bind(email),
      workerEnv.DIRECTORY.prepare("DELETE FROM people_totals WHERE workspace_id LIKE '%' || ?").bind(email),
      workerEnv.DIRECTORY.prepare("DELETE FROM workspaces WHERE slug LIKE '%' || ?").bind(email),
    ]);
  });
  const memberships = await selectMemberships(directory, email);
  expect([memberships.length, memberships[0]?.name, memberships[199]?.name]).toEqual([200, "n0", "n199"]);
});

describe("the burst limit of a person", () => {
  test("is 20 calls in a second, and does not affect keys, other people and the quota", async () => {
    const workspace = await newWorkspace("pro");
    const [person, other] = [await newPerson(workspace), await newPerson(workspace)];
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    for (let left = 19; left >= 0; left--) {
      const response = await person.call("GET", "/v1/session");
      expect([response.status, response.headers.get("X-RateLimit-Remaining")]).toEqual([200, String(left)]);
    }
    const refused = await person.call("GET", "/v1/session");
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect(refused.headers.get("X-RateLimit-Burst-Limit")).toBe("20");
    await expectError(refused, 429, "BURST_LIMIT_EXCEEDED");
    expect((await other.call("GET", "/v1/session")).headers.get("X-RateLimit-Remaining")).toBe("19");
    const byKey = await workspace.call("GET", "/v1/workspace/usage");
    expect(byKey.headers.get("X-RateLimit-Remaining")).toBe("999");
    expect(byKey.headers.get("X-RateLimit-Burst-Remaining")).toBe("9");
    const { data } = await byKey.json<{ data: { usage: { api_calls_this_month: number } } }>();
    expect(data.usage.api_calls_this_month).toBe(1);
    vi.setSystemTime(Date.now() + 50);
    expect((await person.call("GET", "/v1/session")).status).toBe(200);
  });
});
