import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { deletedResponse } from "../../src/http/fields.ts";
import { passkeyOptionsResponse, passkeyResponse } from "../../src/sign-in/passkeys.schema.ts";
import { currentSession } from "../../src/sign-in/session.schema.ts";
import { Authenticator, type AuthenticatorFaults } from "../support/authenticator.ts";
import { expectData, expectError, newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import {
  APP,
  addMember,
  callAs,
  newPerson,
  readToken,
  type TestPerson,
  visitApp,
} from "../support/people.ts";

const MINUTE_MS = 60_000;
const passkeyList = z.array(passkeyResponse);

async function begin(person: TestPerson) {
  return (await expectData(await person.call("POST", "/v1/passkeys/options"), passkeyOptionsResponse)).data;
}

async function add(
  person: TestPerson,
  authenticator = new Authenticator(APP),
  faults: AuthenticatorFaults = {},
) {
  const { options, state } = await begin(person);
  const response = await authenticator.create(options, faults);
  return person.call("POST", "/v1/passkeys", { body: { name: "Phone", state, response } });
}

async function addOne(person: TestPerson, faults: AuthenticatorFaults = {}) {
  const authenticator = new Authenticator(APP);
  const { data } = await expectData(await add(person, authenticator, faults), passkeyResponse, 201);
  return { authenticator, ...data };
}

function post(path: string, body?: unknown, origin = APP): Promise<Response> {
  return visitApp(path, {
    method: "POST",
    headers: { Origin: origin },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function beginSignIn() {
  return (await (await post("/sign-in/passkey/options")).json()) as {
    options: Record<string, unknown>;
    state: string;
  };
}

async function signInBy(authenticator: Authenticator, faults: AuthenticatorFaults = {}): Promise<Response> {
  const { options, state } = await beginSignIn();
  return post("/sign-in/passkey", { state, response: await authenticator.sign(options, faults) });
}

async function readSession(token: string | null, { slug }: TestWorkspace) {
  return (await expectData(await callAs(token ?? "", slug, "GET", "/v1/session"), currentSession)).data;
}

async function listPasskeys(person: TestPerson) {
  return (await expectData(await person.call("GET", "/v1/passkeys"), passkeyList)).data;
}

describe("a passkey", () => {
  test("signs its person in without an address, to all their workspaces", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const person = await newPerson(workspace);
    await addMember(other, "viewer", person.email);
    expect((await readSession(person.token, workspace)).has_passkey).toBe(false);
    const { authenticator, last_used_at } = await addOne(person);
    expect(last_used_at).toBeNull();
    const response = await signInBy(authenticator);
    expect(await response.json()).toEqual({ location: "/" });
    const session = await readSession(readToken(response), workspace);
    expect(session).toMatchObject({ email: person.email, has_passkey: true });
    expect(session.workspaces.map(({ slug }) => slug)).toEqual([workspace.slug, other.slug]);
    expect((await listPasskeys(person))[0]?.last_used_at).not.toBeNull();
  });

  test("is listed, renamed and removed only by its person", async () => {
    const person = await newPerson(await newWorkspace());
    const stranger = await newPerson(await newWorkspace());
    const { authenticator, id } = await addOne(person);
    const path = `/v1/passkeys/${id}`;
    const body = { name: "Key ring" };
    await expectError(await stranger.call("PATCH", path, { body }), 404, "RESOURCE_NOT_FOUND");
    await expectError(await stranger.call("DELETE", path), 404, "RESOURCE_NOT_FOUND");
    expect(await listPasskeys(stranger)).toEqual([]);
    await expectData(await person.call("PATCH", path, { body }), passkeyResponse);
    expect((await listPasskeys(person)).map(({ name }) => name)).toEqual(["Key ring"]);
    await expectData(await person.call("DELETE", path), deletedResponse);
    expect((await signInBy(authenticator)).status).toBe(403);
  });

  test.each<[string, AuthenticatorFaults]>([
    ["a page of another origin", { origin: "https://evil.example" }],
    ["another deployment", { relyingPartyId: "app.other.example" }],
    ["no user verification", { isUserVerified: false }],
    ["another challenge", { challenge: "b3RoZXI" }],
  ])("is neither added nor accepted with %s", async (_, faults) => {
    const person = await newPerson(await newWorkspace());
    const refused = await expectError(
      await add(person, new Authenticator(APP), faults),
      400,
      "VALIDATION_ERROR",
    );
    expect(refused.message).toContain("response");
    const { authenticator } = await addOne(person);
    expect((await signInBy(authenticator, faults)).status).toBe(403);
    expect((await signInBy(authenticator)).status).toBe(200);
  });

  test("is refused once its counter no longer grows, because it was cloned", async () => {
    const { authenticator } = await addOne(await newPerson(await newWorkspace()), { counter: 5 });
    expect((await signInBy(authenticator, { counter: 6 })).status).toBe(200);
    expect((await signInBy(authenticator, { counter: 6 })).status).toBe(403);
    expect((await signInBy(authenticator, { counter: 2 })).status).toBe(403);
    expect((await signInBy(authenticator, { counter: 7 })).status).toBe(200);
  });

  test("needs a challenge that was neither used nor is older than five minutes", async () => {
    const person = await newPerson(await newWorkspace());
    const { authenticator } = await addOne(person);
    const { options, state } = await beginSignIn();
    const body = { state, response: await authenticator.sign(options) };
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => post("/sign-in/passkey", body)));
    const statuses = [first, ...others].map((response) => response?.status).sort();
    expect(statuses).toEqual([200, 403, 403]);
    const late = await beginSignIn();
    const response = await authenticator.sign(late.options);
    const nowMs = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs + 5 * MINUTE_MS);
    onTestFinished(() => clock.mockRestore());
    expect((await post("/sign-in/passkey", { state: late.state, response })).status).toBe(403);
    clock.mockReturnValue(nowMs + 5 * MINUTE_MS - 5_000);
    expect((await post("/sign-in/passkey", { state: late.state, response })).status).toBe(200);
  });

  test("cannot be added to another account, twice, or with the state of a sign-in", async () => {
    const [person, other] = [await newPerson(await newWorkspace()), await newPerson(await newWorkspace())];
    const { options, state } = await begin(person);
    const response = await new Authenticator(APP).create(options);
    const body = { name: "Phone", state, response };
    await expectError(await other.call("POST", "/v1/passkeys", { body }), 400, "VALIDATION_ERROR");
    expect((await person.call("POST", "/v1/passkeys", { body })).status).toBe(201);
    await expectError(await person.call("POST", "/v1/passkeys", { body }), 400, "VALIDATION_ERROR");
    const signIn = await beginSignIn();
    const misused = { ...body, state: signIn.state };
    await expectError(await person.call("POST", "/v1/passkeys", { body: misused }), 400, "VALIDATION_ERROR");
    expect((await post("/sign-in/passkey", { state: (await begin(person)).state, response })).status).toBe(
      403,
    );
  });

  test("is the person's tenth at most, also under parallel requests", async () => {
    const person = await newPerson(await newWorkspace());
    await workerEnv.DIRECTORY.prepare(
      `INSERT INTO passkeys SELECT value, ?1, ?1, 'Ada', 'Phone', value, 'key', 0, '[]', 1, NULL FROM json_each(?2)`,
    )
      .bind(person.email, JSON.stringify(Array.from({ length: 8 }, () => crypto.randomUUID())))
      .run();
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => add(person))))
      .map(({ status }) => status)
      .sort();
    expect(statuses).toEqual([201, 201, 409, 409]);
    await expectError(await add(person), 409, "PASSKEY_LIMIT_EXCEEDED");
    expect(await listPasskeys(person)).toHaveLength(10);
  });

  test("stops working when its person is deactivated, and is deleted with the last membership", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace);
    const { authenticator } = await addOne(person);
    const setActive = (isActive: number) =>
      workerEnv.DIRECTORY.prepare("UPDATE members SET is_active = ? WHERE id = ?")
        .bind(isActive, person.id)
        .run();
    await setActive(0);
    expect((await signInBy(authenticator)).status).toBe(403);
    await setActive(1);
    expect((await signInBy(authenticator)).status).toBe(200);
    await workerEnv.DIRECTORY.prepare("DELETE FROM members WHERE id = ?").bind(person.id).run();
    const again = await addMember(workspace, "viewer", person.email);
    expect(again.email).toBe(person.email);
    expect((await signInBy(authenticator)).status).toBe(403);
  });

  test.each([
    ["no JSON", "{"],
    ["other fields", JSON.stringify({ state: 1 })],
    ["a long body", `"${"x".repeat(20_000)}"`],
  ])("is refused with %s instead of an error of the service", async (_, body) => {
    const response = await visitApp("/sign-in/passkey", { method: "POST", headers: { Origin: APP }, body });
    expect(response.status).toBe(403);
  });

  test("cannot be used from a page of another origin", async () => {
    expect((await post("/sign-in/passkey/options", undefined, "https://evil.example")).status).toBe(403);
    expect((await visitApp("/sign-in/passkey")).status).toBe(405);
  });
});
