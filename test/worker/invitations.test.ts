import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { openDatabase } from "../../src/db/database.ts";
import { deletedResponse } from "../../src/http/fields.ts";
import { memberResponse } from "../../src/members/members.schema.ts";
import { INVITATIONS_MAX, sweepInvitations } from "../../src/people/invitations.ts";
import {
  createdInvitationResponse,
  invitationResponse,
  recoveryResponse,
} from "../../src/people/people.schema.ts";
import { currentSession } from "../../src/sign-in/session.schema.ts";
import { expectData, expectError, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import {
  addMember,
  callAs,
  newPerson,
  readToken,
  sendForm,
  signIn,
  type TestPerson,
  visitApp,
} from "../support/people.ts";
import { setSuspended } from "../support/safety.ts";

const DAY_MS = 86_400_000;
const memberList = z.array(memberResponse);

async function invite(owner: TestPerson, email = newEmail(), role = "editor") {
  const response = await owner.call("POST", "/v1/members/invitations", { body: { email, role } });
  return (await expectData(response, createdInvitationResponse, 201)).data;
}

function newEmail(): string {
  return `invited-${crypto.randomUUID().slice(-12)}@example.com`;
}

/** Accepts an invitation without a session, and returns the new session's token. */
async function joinAnew(url: string, name = "Grace"): Promise<string> {
  const response = await sendForm(url, undefined, undefined, { name });
  const token = readToken(response);
  if (token === null) throw new Error(`the invitation failed with ${response.status}`);
  return token;
}

async function readSession(token: string, { slug }: TestWorkspace) {
  return (await expectData(await callAs(token, slug, "GET", "/v1/session"), currentSession)).data;
}

async function listMembers(person: TestPerson) {
  return (await expectData(await person.call("GET", "/v1/workspace/members"), memberList)).data;
}

async function countSessions(person: string): Promise<number | null> {
  return workerEnv.DIRECTORY.prepare("SELECT count(*) AS n FROM sessions WHERE person = ?")
    .bind(person)
    .first("n");
}

async function addScimToken({ id }: TestWorkspace): Promise<void> {
  await workerEnv.DIRECTORY.prepare(
    "INSERT INTO scim_tokens (token_hash, workspace_id, created_at, id, prefix) VALUES (?1, ?2, 0, ?1, substr(?1, 1, 8))",
  )
    .bind(crypto.randomUUID(), id)
    .run();
}

describe("an invitation", () => {
  test("lets a new person join once, with the invited role and their own name", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const { url, email, created_by } = await invite(owner);
    expect(created_by.member_id).toBe(owner.id);
    const page = await visitApp(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("invited you to join as editor");
    // Opening the page, as mail scanners do, uses nothing up.
    const token = await joinAnew(url, "Grace <b>");
    const session = await readSession(token, workspace);
    expect(session).toMatchObject({ email, name: "Grace <b>", role: "editor" });
    expect(session.workspaces.map(({ slug }) => slug)).toEqual([workspace.slug]);
    expect((await visitApp(url)).status).toBe(410);
    expect((await sendForm(url)).status).toBe(410);
    expect(await listMembers(owner)).toHaveLength(2);
  });

  test("makes one member when two browsers accept it at once", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const { url } = await invite(owner);
    const responses = await Promise.all(Array.from({ length: 10 }, () => sendForm(url)));
    expect(responses.filter((response) => readToken(response) !== null)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 410 || status === 409)).toHaveLength(9);
    expect(await listMembers(owner)).toHaveLength(2);
  });

  test("gives a signed-in person's account the workspace, under the address that the account has proved", async () => {
    const [workspace, own] = [await newWorkspace(), await newWorkspace()];
    const owner = await newPerson(workspace);
    const person = await newPerson(own);
    const { url, email } = await invite(owner, newEmail(), "viewer");
    expect(
      await (await visitApp(url, { headers: { Cookie: `signpost_session=${person.token}` } })).text(),
    ).toContain(person.email);
    const response = await sendForm(url, person.token);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`/?workspace=${workspace.slug}`);
    expect(readToken(response)).toBeNull();
    const { workspaces } = await readSession(person.token, workspace);
    expect(workspaces.map(({ slug, role }) => [slug, role])).toEqual([
      [own.slug, "owner"],
      [workspace.slug, "viewer"],
    ]);
    const emails = (await listMembers(owner)).map((member) => member.email);
    expect(emails).toContain(person.email);
    expect(emails).not.toContain(email);
  });

  test("can't be accepted while the workspace is suspended", async () => {
    const workspace = await newWorkspace();
    const { url } = await invite(await newPerson(workspace));
    await setSuspended(workspace, true);
    expect((await sendForm(url)).status).toBe(410);
    await setSuspended(workspace, false);
    await joinAnew(url);
  });

  test("stays open when a member of the workspace opens it, who gets an explanation", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const { url } = await invite(owner);
    expect((await visitApp(url, { headers: { Cookie: `signpost_session=${owner.token}` } })).status).toBe(
      409,
    );
    expect((await sendForm(url, owner.token)).status).toBe(409);
    await joinAnew(url);
  });

  test("proves no address: the same address in another workspace stays out of reach", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const owner = await newPerson(workspace);
    const victim = await newPerson(other);
    const { url } = await invite(owner, victim.email, "owner");
    const token = await joinAnew(url);
    expect((await readSession(token, workspace)).workspaces.map(({ slug }) => slug)).toEqual([
      workspace.slug,
    ]);
    await expectError(await callAs(token, other.slug, "GET", "/v1/links"), 403, "NOT_A_MEMBER");
    expect((await readSession(victim.token, other)).workspaces.map(({ slug }) => slug)).toEqual([other.slug]);
  });

  test("is listed until it is used, replaced, revoked or expired", async () => {
    const owner = await newPerson(await newWorkspace());
    const list = async () =>
      (await expectData(await owner.call("GET", "/v1/members/invitations"), z.array(invitationResponse)))
        .data;
    const first = await invite(owner);
    const second = await invite(owner, first.email.toUpperCase());
    expect(second.email).toBe(first.email);
    expect((await visitApp(first.url)).status).toBe(410);
    const third = await invite(owner);
    expect((await list()).map(({ id }) => id)).toEqual([second.id, third.id]);
    const path = `/v1/members/invitations/${third.id}`;
    const stranger = await newPerson(await newWorkspace());
    await expectError(await stranger.call("DELETE", path), 404, "RESOURCE_NOT_FOUND");
    await expectData(await owner.call("DELETE", path), deletedResponse);
    await expectError(await owner.call("DELETE", path), 404, "RESOURCE_NOT_FOUND");
    expect((await visitApp(third.url)).status).toBe(410);
    const expire = (expiresAt: number) =>
      workerEnv.DIRECTORY.prepare("UPDATE invitations SET expires_at = ? WHERE id = ?")
        .bind(expiresAt, second.id)
        .run();
    expect(Date.parse(second.expires_at) - Date.parse(second.created_at)).toBe(7 * DAY_MS);
    await expire(Date.now() + 5_000);
    expect((await visitApp(second.url)).status).toBe(200);
    await expire(Date.now());
    expect((await visitApp(second.url)).status).toBe(410);
    expect(await list()).toEqual([]);
    await sweepInvitations(openDatabase(workerEnv.DIRECTORY), Date.now() + 1);
    expect(
      await workerEnv.DIRECTORY.prepare("SELECT id FROM invitations WHERE id = ?").bind(second.id).first(),
    ).toBeNull();
  });

  test("is refused for a member's address, for nonsense, and beyond the limit", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const send = (body: object) => owner.call("POST", "/v1/members/invitations", { body });
    await expectError(await send({ email: owner.email, role: "viewer" }), 409, "ALREADY_A_MEMBER");
    for (const body of [
      { email: "ada", role: "viewer" },
      { email: newEmail(), role: "admin" },
      { email: newEmail() },
    ]) {
      await expectError(await send(body), 400, "VALIDATION_ERROR");
    }
    await workerEnv.DIRECTORY.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO invitations SELECT ?2 || i, ?2 || i, ?2, NULL, i || '@example.com', 'viewer', 'x', 'x', 0, ?3 FROM n`,
    )
      .bind(INVITATIONS_MAX - 1, workspace.id, Date.now() + DAY_MS)
      .run();
    await invite(owner);
    const error = await expectError(
      await send({ email: newEmail(), role: "viewer" }),
      409,
      "INVITATION_LIMIT_EXCEEDED",
    );
    expect(error.message).toContain("200");
  });
});

describe("a member", () => {
  test("has a changed role from the next call on, and the change is logged with the owner", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const member = await newPerson(workspace, "viewer");
    const response = await owner.call("PATCH", `/v1/members/${member.id}`, { body: { role: "editor" } });
    expect((await expectData(response, memberResponse)).data).toMatchObject({
      id: member.id,
      role: "editor",
    });
    expect((await member.call("POST", "/v1/links", { body: { url: "https://example.com/" } })).status).toBe(
      201,
    );
    const { data } = (await (await owner.call("GET", "/v1/audit?resource_type=member")).json()) as {
      data: { operation: string; changes: object; actor: { id: string } }[];
    };
    expect(data[0]).toMatchObject({ operation: "updateMember", changes: { role: ["viewer", "editor"] } });
    expect(data[0]?.actor.id).toBe(owner.id);
  });

  test("who is removed loses access at once, and the session ends if it was the last workspace", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const member = await newPerson(workspace, "viewer");
    await expectData(await owner.call("DELETE", `/v1/members/${member.id}`), deletedResponse);
    await expectError(await member.call("GET", "/v1/links"), 401, "INVALID_SESSION");
    await expectError(await owner.call("DELETE", `/v1/members/${member.id}`), 404, "RESOURCE_NOT_FOUND");
  });

  test("who was an owner can't come back with an invitation or a recovery of their own", async () => {
    const workspace = await newWorkspace();
    const [owner, member] = [await newPerson(workspace), await newPerson(workspace, "editor")];
    const former = await newPerson(workspace);
    const { url } = await invite(former);
    const response = await former.call("POST", `/v1/members/${member.id}/recovery`);
    const recovery = (await expectData(response, recoveryResponse, 201)).data;
    const setRole = (role: string) => owner.call("PATCH", `/v1/members/${former.id}`, { body: { role } });
    const readStatuses = () =>
      Promise.all([url, recovery.url].map(async (link) => (await sendForm(link)).status));
    await setRole("editor");
    expect(await readStatuses()).toEqual([410, 410]);
    const listed = await owner.call("GET", "/v1/members/invitations");
    expect((await expectData(listed, z.array(invitationResponse))).data).toEqual([]);
    await setRole("owner");
    expect((await visitApp(url)).status).toBe(200);
    await owner.call("DELETE", `/v1/members/${former.id}`);
    expect(await readStatuses()).toEqual([410, 410]);
  });

  test("who is the last owner stays, also when two owners step down at the same time", async () => {
    const workspace = await newWorkspace();
    const [first, second] = [await newPerson(workspace), await newPerson(workspace)];
    const stepDown = (person: TestPerson) =>
      person.call("PATCH", `/v1/members/${person.id}`, { body: { role: "viewer" } });
    const answers = await Promise.all([stepDown(first), stepDown(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const last = answers[0]?.status === 409 ? first : second;
    await expectError(await stepDown(last), 409, "LAST_OWNER");
    await expectError(await last.call("DELETE", `/v1/members/${last.id}`), 409, "LAST_OWNER");
    // A deactivated owner can't act, so they don't count.
    const inactive = await addMember(workspace, "owner");
    await workerEnv.DIRECTORY.prepare("UPDATE members SET is_active = 0 WHERE id = ?")
      .bind(inactive.id)
      .run();
    await expectError(await stepDown(last), 409, "LAST_OWNER");
    await addMember(workspace, "owner");
    expect((await stepDown(last)).status).toBe(200);
  });

  test("of another workspace cannot be changed, removed or recovered", async () => {
    const owner = await newPerson(await newWorkspace());
    const stranger = await newPerson(await newWorkspace());
    const path = `/v1/members/${stranger.id}`;
    for (const [method, target, body] of [
      ["PATCH", path, { role: "viewer" }],
      ["DELETE", path, undefined],
      ["POST", `${path}/recovery`, undefined],
    ] as const) {
      await expectError(await owner.call(method, target, body && { body }), 404, "RESOURCE_NOT_FOUND");
    }
  });
});

describe("a recovery", () => {
  const recover = async (owner: TestPerson, id: string) =>
    (await expectData(await owner.call("POST", `/v1/members/${id}/recovery`), recoveryResponse, 201)).data;

  test("gives a member access to this workspace only, with another account", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const owner = await newPerson(workspace);
    const member = await newPerson(workspace, "editor");
    await addMember(other, "owner", member.email);
    const { url } = await recover(owner, member.id);
    // The owner opens the address as an attacker would, without a session.
    const token = await joinAnew(url);
    const session = await readSession(token, workspace);
    expect(session).toMatchObject({ role: "editor", name: "Ada", email: member.email });
    expect(session.workspaces).toHaveLength(1);
    await expectError(await callAs(token, other.slug, "GET", "/v1/links"), 403, "NOT_A_MEMBER");
    // The former account keeps its other workspaces, and only those.
    await expectError(await member.call("GET", "/v1/links"), 403, "NOT_A_MEMBER");
    expect((await readSession(member.token, other)).workspaces.map(({ slug }) => slug)).toEqual([other.slug]);
    expect((await visitApp(url)).status).toBe(410);
  });

  test("ends the sessions of an account that has no other workspace, and works once", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const member = await newPerson(workspace, "viewer");
    const first = await recover(owner, member.id);
    const { url } = await recover(owner, member.id);
    expect((await visitApp(first.url)).status).toBe(410);
    expect((await sendForm(url, owner.token)).status).toBe(409);
    await joinAnew(url);
    expect(await countSessions(member.email)).toBe(0);
    expect((await sendForm(url)).status).toBe(410);
  });

  test("isn't listed as an invitation, and ends when the member leaves", async () => {
    const workspace = await newWorkspace();
    const owner = await newPerson(workspace);
    const member = await newPerson(workspace, "viewer");
    const { url } = await recover(owner, member.id);
    const { data } = await expectData(
      await owner.call("GET", "/v1/members/invitations"),
      z.array(invitationResponse),
    );
    expect(data).toEqual([]);
    await owner.call("DELETE", `/v1/members/${member.id}`);
    expect((await visitApp(url)).status).toBe(410);
  });
});

test("with a SCIM token, open invitations end and owners can no longer change people", async () => {
  const workspace = await newWorkspace("enterprise");
  const owner = await newPerson(workspace);
  const member = await newPerson(workspace, "viewer");
  const { url } = await invite(owner);
  await addScimToken(workspace);
  expect((await visitApp(url)).status).toBe(410);
  const path = `/v1/members/${member.id}`;
  for (const [method, target, body] of [
    ["POST", "/v1/members/invitations", { email: newEmail(), role: "viewer" }],
    ["PATCH", path, { role: "owner" }],
    ["DELETE", path, undefined],
    ["POST", `${path}/recovery`, undefined],
  ] as const) {
    const answer = await owner.call(method, target, body && { body });
    await expectError(answer, 409, "MEMBERS_MANAGED_BY_PROVIDER");
  }
  expect((await member.call("GET", "/v1/links")).status).toBe(200);
});

test("in random sequences, an account only reaches workspaces that it has accepted", async () => {
  const workspaces = await Promise.all([newWorkspace(), newWorkspace(), newWorkspace()]);
  const owners = await Promise.all(workspaces.map((workspace) => newPerson(workspace)));
  /** Accounts by their session, with the workspaces that they accepted. */
  const accounts = owners.map((owner, index) => ({ token: owner.token, reach: new Set([index]) }));
  const urls: { url: string; workspace: number; memberId: string | null }[] = [];
  let seed = 20_261_123;
  const pick = (bound: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * bound);
  };
  const holders = new Map<string, (typeof accounts)[number]>();
  owners.forEach((owner, index) => {
    const account = accounts[index];
    if (account !== undefined) holders.set(owner.id, account);
  });
  const checkAll = async () => {
    for (const { token, reach } of accounts) {
      const statuses = await Promise.all(
        workspaces.map(async ({ slug }) => (await callAs(token, slug, "GET", "/v1/session")).status === 200),
      );
      expect(statuses).toEqual(workspaces.map((_, index) => reach.has(index)));
    }
  };
  // Each step takes a second, so that no caller exceeds the calls per second.
  const startMs = Date.now();
  const clock = vi.spyOn(Date, "now");
  onTestFinished(() => void clock.mockRestore());
  for (let step = 0; step < 40; step++) {
    clock.mockReturnValue(startMs + step * 1_000);
    const index = pick(3);
    const [owner, workspace] = [owners[index], workspaces[index]];
    if (owner === undefined || workspace === undefined) continue;
    const others = (await listMembers(owner)).filter(({ id }) => id !== owner.id);
    const member = others[pick(others.length)];
    const action = pick(5);
    if (action === 0) {
      // Owners invite each other's addresses too.
      const email = pick(2) === 0 ? newEmail() : (owners[pick(3)]?.email ?? newEmail());
      const response = await owner.call("POST", "/v1/members/invitations", {
        body: { email, role: "viewer" },
      });
      if (response.status === 201) {
        const { data } = await expectData(response, createdInvitationResponse, 201);
        urls.push({ url: data.url, workspace: index, memberId: null });
      }
    } else if (action === 1 && member !== undefined) {
      const response = await owner.call("POST", `/v1/members/${member.id}/recovery`);
      const { data } = await expectData(response, recoveryResponse, 201);
      urls.push({ url: data.url, workspace: index, memberId: member.id });
    } else if (action === 2 && member !== undefined) {
      await owner.call("DELETE", `/v1/members/${member.id}`);
      holders.get(member.id)?.reach.delete(index);
      holders.delete(member.id);
    } else if (urls.length > 0) {
      const [offer] = urls.splice(pick(urls.length), 1);
      if (offer === undefined) continue;
      const present = pick(2) === 0 ? accounts[pick(accounts.length)] : undefined;
      const acting = present !== undefined && present.reach.size > 0 ? present : undefined;
      const before = await listMembers(owners[offer.workspace] as TestPerson);
      const response = await sendForm(offer.url, acting?.token);
      if (response.status !== 303) continue;
      const token = readToken(response);
      const account = acting ?? { token: token ?? "", reach: new Set<number>() };
      if (acting === undefined) accounts.push(account);
      const after = await listMembers(owners[offer.workspace] as TestPerson);
      const id =
        offer.memberId ?? after.find((one) => before.every((former) => former.id !== one.id))?.id ?? "";
      holders.get(id)?.reach.delete(offer.workspace);
      holders.set(id, account);
      account.reach.add(offer.workspace);
    }
    if (step % 8 === 7) await checkAll();
  }
  expect(accounts.length).toBeGreaterThan(4);
}, 60_000);

test("existing members and sessions belong to the account of their email address", async () => {
  const workspace = await newWorkspace();
  const person = await signIn(workspace, await addMember(workspace, "viewer"));
  const row = await workerEnv.DIRECTORY.prepare("SELECT person FROM members WHERE id = ?")
    .bind(person.id)
    .first();
  expect(row).toEqual({ person: person.email });
});
