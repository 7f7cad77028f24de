import { beforeAll, expect, test } from "vitest";
import { executeStatements, type Row } from "../../src/cli/admin-database.ts";
import { CommandError } from "../../src/cli/command-error.ts";
import { removeDomain } from "../../src/cli/domain-records.ts";
import { addMember, createSignInLink, removeMember, setRole } from "../../src/cli/member-records.ts";
import { buildMoveRequest } from "../../src/cli/move-statements.ts";
import { listNames, releaseName, reserveName } from "../../src/cli/name-records.ts";
import {
  createKey,
  listOperatorLog,
  listWorkspaces,
  revokeKey,
  rotateKey,
  setPlan,
} from "../../src/cli/records.ts";
import {
  listBanned,
  listBlocked,
  setBanned,
  setBlocked,
  setSuspended,
} from "../../src/cli/safety-records.ts";
import { sql } from "../../src/cli/sql.ts";
import { createScimToken, revokeScimToken } from "../../src/cli/token-records.ts";
import { addDomain, createWorkspace } from "../../src/cli/workspace-creation.ts";
import { deleteWorkspace } from "../../src/cli/workspace-deletion.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { parseSettings } from "../../src/env.ts";
import { useAdminDatabases } from "./support/admin-databases.ts";

/** Tests the audit log entries of admin commands. */

const deployment = useAdminDatabases();

const settings = parseSettings({
  API_URL: "http://localhost:8787",
  SHORT_DOMAIN: "localhost:8787",
  BIO_URL: "http://bio.localhost:8787",
  APP_URL: "http://app.localhost:8787",
  CDN_URL: "http://cdn.localhost:8787",
  ALLOW_LOOPBACK: "true",
});

let workspaceId = "";
beforeAll(async () => {
  const workspace = { name: "It's", plan: "pro", description: "", shard: 0 } as const;
  const created = await createWorkspace(deployment, {
    ...workspace,
    slug: "acme",
    hostname: "acme.localhost",
  });
  workspaceId = created.id;
});

async function readEntries(): Promise<Row[]> {
  const [rows = []] = await executeStatements(deployment, "DIRECTORY", [
    sql`SELECT * FROM audit_log WHERE workspace_id = ${workspaceId} ORDER BY id`,
  ]);
  return rows;
}

/** Runs a command. Returns the operation, resource type and changes of the entries it logged. */
async function listNew(run: () => Promise<unknown>) {
  const before = await readEntries();
  await run();
  const entries = (await readEntries()).slice(before.length);
  return entries.map(({ operation, resource_type, changes }) => [
    operation,
    resource_type,
    JSON.parse(String(changes)),
  ]);
}

test("creating a workspace logs the workspace and its domain", async () => {
  const entries = await readEntries();
  expect(entries).toMatchObject([
    { resource_type: "workspace", resource_id: workspaceId, actor_type: "admin", actor_id: "admin" },
    {
      resource_type: "domain",
      operation: "workspace create",
      changes: expect.stringContaining("acme.localhost"),
    },
  ]);
  expect(JSON.parse(String(entries[0]?.changes))).toEqual({
    slug: [null, "acme"],
    name: [null, "It's"],
    description: [null, ""],
    plan: [null, "pro"],
  });
});

test("setting a plan is logged only if the plan changes", async () => {
  const set = () => setPlan(deployment, "acme", "business");
  expect(await listNew(set)).toEqual([["workspace set-plan", "workspace", { plan: ["pro", "business"] }]]);
  expect(await listNew(set)).toEqual([]);
  await expect(setPlan(deployment, "nobody", "free")).rejects.toThrow("workspace nobody not found");
});

test("commands continue the sum of bytes of the day, and don't count towards it", async () => {
  const read = `SELECT at, day_bytes FROM audit_log ORDER BY id DESC LIMIT 1`;
  await executeStatements(deployment, "DIRECTORY", ["UPDATE audit_log SET day_bytes = 7"]);
  const [[before] = []] = await executeStatements(deployment, "DIRECTORY", [read]);
  await setPlan(deployment, "acme", "enterprise");
  const [[after] = []] = await executeStatements(deployment, "DIRECTORY", [read]);
  const isSameDay = toDay(before?.at) === toDay(after?.at);
  expect(after).toMatchObject({ day_bytes: isSameDay ? 7 : 0 });
  await setPlan(deployment, "acme", "business");
});

function toDay(at: unknown): string {
  return new Date(Number(at)).toISOString().slice(0, 10);
}

test("keys are logged without their secrets", async () => {
  const key = { name: "K", scopes: ["links:read"], expiresAtMs: 4_102_444_800_000 };
  let prefix = "";
  let secret = "";
  const fields = (shown: string) => ({
    name: [null, "K"],
    prefix: [null, shown],
    scopes: [null, ["links:read"]],
    expires_at: [null, "2100-01-01T00:00:00.000Z"],
  });
  const created = await listNew(async () => {
    const shown = await createKey(deployment, "acme", key);
    ({ prefix } = shown);
    secret = shown.key.split(".")[1] ?? "";
  });
  expect(created).toEqual([["key create", "key", fields(prefix)]]);
  let next = "";
  const rotated = await listNew(async () => {
    next = (await rotateKey(deployment, prefix)).prefix;
  });
  expect(rotated).toEqual([
    ["key rotate", "key", fields(next)],
    ["key rotate", "key", { revoked_at: [null, expect.any(String)] }],
  ]);
  await expect(rotateKey(deployment, prefix)).rejects.toThrow("is revoked");
  const revoke = () => revokeKey(deployment, next);
  expect(await listNew(revoke)).toEqual([["key revoke", "key", { revoked_at: [null, expect.any(String)] }]]);
  expect(await listNew(revoke)).toEqual([]);
  expect(JSON.stringify(await readEntries())).not.toContain(secret);
});

test("a key is rotated only once, even by two simultaneous commands, and not after it was revoked or expired", async () => {
  const key = { name: "Once", scopes: ["*"], expiresAtMs: null };
  const { id, prefix } = await createKey(deployment, "acme", key);
  const outcomes = await Promise.allSettled([rotateKey(deployment, prefix), rotateKey(deployment, prefix)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [rows = []] = await executeStatements(deployment, "DIRECTORY", [
    sql`SELECT id, replaced_by FROM api_keys WHERE name = 'Once' ORDER BY id = ${id} DESC`,
  ]);
  expect(rows).toEqual([
    { id, replaced_by: rows[1]?.id },
    { id: expect.any(String), replaced_by: null },
  ]);
  const expired = await createKey(deployment, "acme", { ...key, expiresAtMs: Date.now() - 1 });
  await expect(rotateKey(deployment, expired.prefix)).rejects.toThrow("has expired");
});

test("SCIM tokens are logged without their secrets", async () => {
  let made = { prefix: "", token: "" };
  const created = await listNew(async () => {
    made = await createScimToken(deployment, "acme", "https://api.example.com/scim/v2", ["acme.com"]);
  });
  expect(created).toEqual([
    ["scim-token create", "scim_token", { prefix: [null, made.prefix], email_domains: [null, ["acme.com"]] }],
  ]);
  await expect(createScimToken(deployment, "nobody", "")).rejects.toThrow("workspace nobody not found");
  expect(await listNew(() => revokeScimToken(deployment, made.prefix))).toEqual([
    ["scim-token revoke", "scim_token", { prefix: [made.prefix, null], email_domains: [["acme.com"], null] }],
  ]);
  await expect(revokeScimToken(deployment, made.prefix)).rejects.toThrow("not found");
  expect(JSON.stringify(await readEntries())).not.toContain(made.token.split(".")[1]);
});

test("adding and removing members and domains is logged", async () => {
  const member = { email: "ada@example.com", name: "Ada", role: "viewer" } as const;
  expect(await listNew(() => addMember(deployment, "acme", member))).toEqual([
    [
      "member add",
      "member",
      { email: [null, member.email], name: [null, member.name], role: [null, "viewer"] },
    ],
  ]);
  const promote = () => setRole(deployment, "acme", member.email, "owner");
  expect(await listNew(promote)).toEqual([["member set-role", "member", { role: ["viewer", "owner"] }]]);
  expect(await listNew(promote)).toEqual([]);
  const invite = () => createSignInLink(deployment, "acme", member.email, "https://app.example.com");
  expect(await listNew(invite)).toEqual([["sign-in-link", "member", {}]]);
  await expect(addMember(deployment, "acme", member)).rejects.toThrow("already a member");
  await executeStatements(deployment, "DIRECTORY", [
    `INSERT INTO api_keys (id, prefix, workspace_id, name, secret_hash, scopes, revoked_at, created_at, created_by)
     SELECT value ->> 0, value ->> 0, workspace_id, '', '', '[]', value ->> 1, 1, members.id
       FROM members, json_each('[["k1", null], ["k2", null], ["k3", 1]]') WHERE ${sql`email = ${member.email}`}`,
  ]);
  expect(await listNew(() => removeMember(deployment, "acme", member.email))).toEqual([
    [
      "member remove",
      "member",
      { email: [member.email, null], name: [member.name, null], role: ["owner", null] },
    ],
    ["member remove", "key", { creator_has_left: [false, true] }],
    ["member remove", "key", { creator_has_left: [false, true] }],
  ]);
  expect(await listNew(() => addDomain(deployment, "acme", "go.example.com"))).toEqual([
    ["domain add", "domain", { hostname: [null, "go.example.com"], status: [null, "active"] }],
  ]);
  expect(await listNew(() => removeDomain(deployment, "acme", "go.example.com"))).toEqual([
    ["domain remove", "domain", { hostname: ["go.example.com", null] }],
  ]);
});

test("a role that a group overrides is logged as the member's own role, and the command returns the group's role", async () => {
  const member = { email: "grace@example.com", name: "Grace", role: "viewer" } as const;
  const { id } = await addMember(deployment, "acme", member);
  await executeStatements(deployment, "DIRECTORY", [
    sql`INSERT INTO scim_groups (id, workspace_id, display_name, role, created_at, updated_at)
        VALUES ('editors', ${workspaceId}, 'Editors', 'editor', 1, 1)`,
    sql`INSERT INTO scim_group_members (workspace_id, group_id, member_id)
        VALUES (${workspaceId}, 'editors', ${String(id)})`,
  ]);
  const give = (role: "owner" | "viewer") => setRole(deployment, "acme", member.email, role);
  expect(await listNew(async () => expect(await give("owner")).toMatchObject({ role: "editor" }))).toEqual([
    ["member set-role", "member", { own_role: ["viewer", "owner"] }],
  ]);
  expect(await listNew(() => give("owner"))).toEqual([]);
  await executeStatements(deployment, "DIRECTORY", ["DELETE FROM scim_group_members"]);
  expect(await listNew(async () => expect(await give("viewer")).toMatchObject({ role: "viewer" }))).toEqual([
    ["member set-role", "member", { role: ["owner", "viewer"] }],
  ]);
  await expect(setRole(deployment, "acme", "nobody@example.com", "owner")).rejects.toThrow("not found");
  await removeMember(deployment, "acme", member.email);
});

test("removing a member deletes their sign-in links, and their sessions unless they are in another workspace", async () => {
  const directory = (...statements: string[]) => executeStatements(deployment, "DIRECTORY", statements);
  const other = { slug: "other", name: "Other", plan: "pro", description: "", shard: 0 } as const;
  await createWorkspace(deployment, { ...other, hostname: "other.localhost" });
  const member = { email: "eve@example.com", name: "Eve", role: "owner" } as const;
  for (const slug of ["acme", "other"]) {
    await addMember(deployment, slug, member);
    await createSignInLink(deployment, slug, member.email, "https://app.example.com");
  }
  await directory(
    sql`INSERT INTO sessions (id, token_hash, email, name, user_agent, created_at, last_seen_at, expires_at)
        VALUES ('eve', 'eve', ${member.email}, 'Eve', 'Firefox', 1, 1, 2),
               ('ada', 'ada', 'ada@example.com', 'Ada', 'Firefox', 1, 1, 2)`,
  );
  const countLeft = () =>
    directory(
      "SELECT count(*) AS links FROM sign_in_links WHERE email = 'eve@example.com'",
      "SELECT group_concat(id) AS sessions FROM (SELECT id FROM sessions ORDER BY id)",
    );
  await removeMember(deployment, "acme", member.email);
  expect(await countLeft()).toEqual([[{ links: 1 }], [{ sessions: "ada,eve" }]]);
  await directory("UPDATE members SET is_active = 0 WHERE email = 'eve@example.com'");
  await addMember(deployment, "acme", member);
  await removeMember(deployment, "acme", member.email);
  expect(await countLeft()).toEqual([[{ links: 0 }], [{ sessions: "ada" }]]);
  await removeMember(deployment, "other", member.email);
  expect(await countLeft()).toEqual([[{ links: 0 }], [{ sessions: "ada" }]]);
});

test("names are reserved, released and kept, and the commands are logged", async () => {
  const other = { slug: "late", name: "Late", plan: "pro", description: "", shard: 0 } as const;
  await expect(addDomain(deployment, "other", "go.example.com")).rejects.toThrow(
    "go.example.com was used by another workspace and is kept for it until 20",
  );
  await expect(createWorkspace(deployment, { ...other, hostname: "go.example.com" })).rejects.toThrow(
    "npm run admin -- name release go.example.com",
  );
  await addDomain(deployment, "acme", "go.example.com");
  await removeDomain(deployment, "acme", "go.example.com");
  expect(await listNames(deployment)).toMatchObject([{ name: "go.example.com", workspace: "acme" }]);
  await releaseName(deployment, settings, "go.example.com");
  await expect(releaseName(deployment, settings, "go.example.com")).rejects.toThrow("neither reserved nor");
  await addDomain(deployment, "other", "go.example.com");
  await reserveName(deployment, "/ada");
  await releaseName(deployment, settings, "paypal.localhost");
  expect(await listNames(deployment)).toEqual([
    { name: "/ada", rule: "reserved", workspace: null, held_until: null },
    { name: "paypal.localhost", rule: "allowed", workspace: null, held_until: null },
  ]);
  expect(await listOperatorLog(deployment)).toMatchObject([
    { operation: "name release", name: "paypal.localhost" },
    { operation: "name reserve", name: "/ada" },
    { operation: "name release", name: "go.example.com" },
  ]);
});

test("suspending and resuming a workspace are logged once each, and shown in the list", async () => {
  const suspend = (isSuspended: boolean) => listNew(() => setSuspended(deployment, "acme", isSuspended));
  const time = expect.stringMatching(/Z$/);
  expect(await suspend(true)).toEqual([["workspace suspend", "workspace", { suspended_at: [null, time] }]]);
  expect(await suspend(true)).toEqual([]);
  expect((await listWorkspaces(deployment))[0]?.suspended_at).toEqual(expect.any(Number));
  expect(await suspend(false)).toEqual([["workspace resume", "workspace", { suspended_at: [time, null] }]]);
  expect(await suspend(false)).toEqual([]);
  await expect(setSuspended(deployment, "unknown", true)).rejects.toThrow("workspace unknown not found");
});

test("a link is banned by its short URL, an alias or its id, and logged on its shard", async () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  await executeStatements(deployment, "SHARD_0", [
    sql`INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host, rule_hosts,
                           labels, routing_rules, aliases, created_at, updated_at)
        VALUES (${id}, ${workspaceId}, 'Sale', 'sale', 1, 'https://example.com/', 'example.com', '[]', '[]', '[]',
                '["menu/1"]', 1, 1)`,
  ]);
  const ban = (link: string, isBanned = true) => setBanned(deployment, settings, link, isBanned);
  const link = {
    id,
    workspace: "acme",
    short_url: "http://acme.localhost:8787/Sale",
    destination: "https://example.com/",
  };
  for (const given of [id, "http://ACME.localhost:8787/sAlE?x=1", "acme.localhost/menu/1/"]) {
    expect(await ban(given)).toEqual({ ...link, banned_at: expect.stringMatching(/Z$/) });
    expect(await listBanned(deployment, settings)).toMatchObject([{ id }]);
    expect(await ban(given, false)).toEqual({ ...link, banned_at: null });
    expect(await listBanned(deployment, settings)).toEqual([]);
  }
  const [entries] = await executeStatements(deployment, "SHARD_0", [
    sql`SELECT operation, resource_id FROM audit_log WHERE workspace_id = ${workspaceId} ORDER BY id LIMIT 2`,
    sql`INSERT INTO trash SELECT '1', workspace_id, 'link', id,
          json_object('short_code', short_code, 'code_key', code_key, 'destination', destination, 'banned_at', NULL)
          FROM links WHERE id = ${id}`,
    sql`DELETE FROM links WHERE id = ${id}`,
  ]);
  for (const given of [id, "acme.localhost/SALE"]) {
    expect(await ban(given)).toEqual({ ...link, banned_at: expect.stringMatching(/Z$/) });
    expect(await listBanned(deployment, settings)).toMatchObject([{ id }]);
    expect(await ban(given, false)).toEqual({ ...link, banned_at: null });
  }
  expect(entries).toEqual([
    { operation: "link ban", resource_id: id },
    { operation: "link unban", resource_id: id },
  ]);
  for (const unknown of [
    crypto.randomUUID(),
    "http://acme.localhost/MENU/1",
    "http://unknown.localhost/sale",
    "::",
  ]) {
    await expect(ban(unknown), unknown).rejects.toThrow(CommandError);
  }
});

test("a host is blocked in the directory and on all shards, and logged", async () => {
  await setBlocked(deployment, "evil.example", true);
  expect(await listBlocked(deployment)).toMatchObject([{ host: "evil.example" }]);
  const readCopies = async () => {
    const names = ["SHARD_0", "SHARD_1"] as const;
    const rows = names.map((name) =>
      executeStatements(deployment, name, ["SELECT is_blocked FROM blocked_hosts"]),
    );
    return (await Promise.all(rows)).flat(2);
  };
  expect(await readCopies()).toEqual([{ is_blocked: 1 }, { is_blocked: 1 }]);
  await setBlocked(deployment, "evil.example", false);
  expect(await listBlocked(deployment)).toEqual([]);
  expect(await readCopies()).toEqual([{ is_blocked: 0 }, { is_blocked: 0 }]);
  expect((await listOperatorLog(deployment)).slice(0, 2)).toMatchObject([
    { operation: "destination unblock", name: "evil.example" },
    { operation: "destination block", name: "evil.example" },
  ]);
});

test("a deleted workspace keeps its hosts and the slugs of its pages for a year", async () => {
  await executeStatements(deployment, "DIRECTORY", [
    sql`INSERT INTO bio_slugs (slug, workspace_id, page_id)
        SELECT value, w.id, value FROM workspaces w, json_each('["ada", "grace"]') WHERE w.slug = 'other'`,
  ]);
  await deleteWorkspace(deployment, "other", true);
  const held = (await listNames(deployment)).filter(({ rule }) => rule === "used");
  expect(held.map(({ name }) => name)).toEqual(["/grace", "go.example.com", "other.localhost"]);
  for (const { held_until } of held) {
    expect(Date.parse(String(held_until)) - Date.now()).toBeGreaterThan(364.9 * DAY_MS);
  }
});

test("moving or deleting a workspace is logged when it is requested", async () => {
  const request = () => executeStatements(deployment, "DIRECTORY", buildMoveRequest("acme", 1, Date.now()));
  expect(await listNew(request)).toEqual([["workspace move", "workspace", { shard: [0, 1] }]]);
  expect(await listNew(request)).toEqual([]);
  await executeStatements(deployment, "DIRECTORY", ["DELETE FROM workspace_moves"]);
  expect(await listNew(() => deleteWorkspace(deployment, "acme", true))).toEqual([
    ["workspace delete", "workspace", { slug: ["acme", null], name: ["It's", null] }],
  ]);
});
