import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { EntryResponse } from "../../src/audit/audit.schema.ts";
import { formatOperation, RESOURCES } from "../../src/scim/serve-scim.ts";
import { readLog } from "../support/audit.ts";
import {
  breakingEnv,
  expectError,
  newWorkspace,
  type TestWorkspace,
  TRANSIENT_FAILURE,
  workerEnv,
} from "../support/harness.ts";
import {
  APP,
  addMember,
  newPerson,
  newSignInLink,
  readToken,
  sendForm,
  signIn,
  visitApp,
} from "../support/people.ts";
import {
  callScim,
  GROUP,
  PATCH_OP,
  type Provisioned,
  provision,
  type Result,
  USER,
  unlimited,
} from "../support/scim.ts";
import { type Jar, StubProvider } from "../support/stub-provider.ts";

/** Audit entries about people: changes by identity providers, and sessions. */

/** Entry without the fields that differ in each run. */
const shorten = ({ operation, resource, changes }: EntryResponse) => [operation, resource.type, changes];

/** Runs a function and returns the entries that it created, oldest first. */
async function listNew(workspace: TestWorkspace, run: () => Promise<unknown>): Promise<EntryResponse[]> {
  const before = await readLog(workspace);
  await run();
  return (await readLog(workspace)).slice(0, -before.length || undefined).reverse();
}

const user = (userName: string, more: object = {}) => ({ schemas: [USER], userName, ...more });
const group = (displayName: string, ids: readonly string[] = []) => ({
  schemas: [GROUP],
  displayName,
  members: ids.map((value) => ({ value })),
});

/** Creates a resource by SCIM and returns its id. */
async function create(provider: Provisioned, path: string, body: object): Promise<string> {
  const result = await provider.scim("POST", path, body);
  expect(result.status, JSON.stringify(result.body)).toBe(201);
  return result.body.id;
}

/** Calls with which each operation changes something. `userId` and `groupId` already exist. */
type Call = (provider: Provisioned, ids: { userId: string; groupId: string }) => Promise<Result>;
const CALLS: Record<string, Call> = {
  createScimUser: ({ scim }) => scim("POST", "/Users", user("new@scim.example")),
  replaceScimUser: ({ scim }, { userId }) =>
    scim("PUT", `/Users/${userId}`, user("other@scim.example", { displayName: "O" })),
  updateScimUser: ({ patch }, { userId }) =>
    patch(`/Users/${userId}`, { op: "replace", value: { active: false } }),
  deleteScimUser: ({ scim }, { userId }) => scim("DELETE", `/Users/${userId}`),
  createScimGroup: ({ scim }) => scim("POST", "/Groups", group("New")),
  replaceScimGroup: ({ scim }, { groupId }) => scim("PUT", `/Groups/${groupId}`, group("Other")),
  updateScimGroup: ({ patch }, { groupId, userId }) =>
    patch(`/Groups/${groupId}`, { op: "add", path: "members", value: [{ value: userId }] }),
  deleteScimGroup: ({ scim }, { groupId }) => scim("DELETE", `/Groups/${groupId}`),
};

describe("every operation of an identity provider that changes something creates an entry", () => {
  const operations = Object.values(RESOURCES).flatMap((resource) =>
    [...Object.keys(resource.list), ...Object.keys(resource.one)]
      .filter((method) => method !== "GET")
      .map((method) => formatOperation(method, resource)),
  );

  test.each(operations)("%s", async (operation) => {
    const provider = await provision();
    const userId = await create(provider, "/Users", user("one@scim.example"));
    const groupId = await create(provider, "/Groups", group("Team"));
    let result: Result | undefined;
    const log = await listNew(provider.workspace, async () => {
      result = await CALLS[operation]?.(provider, { userId, groupId });
      expect(result?.status).toBeLessThan(300);
    });
    expect(log.length).toBeGreaterThan(0);
    const token = await workerEnv.DIRECTORY.prepare(
      "SELECT id, prefix FROM scim_tokens WHERE workspace_id = ?",
    )
      .bind(provider.workspace.id)
      .first<{ id: string; prefix: string }>();
    for (const entry of log) {
      expect(entry).toMatchObject({
        operation,
        actor: { type: "scim", id: token?.id, name: `svc_scim_${token?.prefix}` },
        request_id: result?.headers.get("X-Request-Id"),
      });
    }
    const { workspace } = provider;
    expect(
      await readLog(workspace, `?actor=${token?.id}&operation=${operation}&resource=${log[0]?.resource.id}`),
    ).not.toEqual([]);
  });
});

describe("by SCIM", () => {
  test("a user's entries record the changes and the effective role", async () => {
    const provider = await provision();
    const { workspace, scim, patch } = provider;
    const owners = await create(provider, "/Groups", group("Owners"));
    let path = "";
    const log = await listNew(workspace, async () => {
      const more = { name: { givenName: "Ada", familyName: "L" }, externalId: "e1" };
      path = `/Users/${await create(provider, "/Users", user("Ada@scim.example", more))}`;
      await patch(path, { op: "replace", path: "roles", value: [{ value: "editor" }] });
      await patch(`/Groups/${owners}`, { op: "add", path: "members", value: [{ value: path.slice(7) }] });
      await patch(path, { op: "replace", path: "roles", value: [{ value: "viewer" }] });
      await patch(path, { op: "replace", value: { active: false, displayName: "Ada" } });
      await patch(path, { op: "replace", value: { active: false } });
      await scim("DELETE", path);
      await scim("DELETE", path);
    });
    const fields = {
      email: "ada@scim.example",
      user_name: "Ada@scim.example",
      given_name: "Ada",
      family_name: "L",
      external_id: "e1",
    };
    expect(log.map(shorten)).toEqual([
      [
        "createScimUser",
        "member",
        expect.objectContaining({
          email: [null, fields.email],
          name: [null, "Ada L"],
          role: [null, "viewer"],
          active: [null, true],
        }),
      ],
      ["updateScimUser", "member", { role: ["viewer", "editor"] }],
      ["updateScimGroup", "member", { group: [null, "Owners"], role: ["editor", "owner"] }],
      ["updateScimUser", "member", { own_role: ["editor", "viewer"] }],
      ["updateScimUser", "member", { name: ["Ada L", "Ada"], active: [true, false] }],
      [
        "deleteScimUser",
        "member",
        {
          ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value, null]])),
          name: ["Ada", null],
          role: ["owner", null],
          active: [false, null],
        },
      ],
    ]);
    expect(new Set(log.map(({ resource }) => resource.id))).toEqual(new Set([path.slice(7)]));
  });

  test("joining or leaving a group, or getting another role from it, creates an entry", async () => {
    const provider = await provision();
    const { workspace, scim, patch } = provider;
    const ids: string[] = [];
    for (const name of ["a", "b", "c"])
      ids.push(await create(provider, "/Users", user(`${name}@scim.example`)));
    const [a = "", b = "", c = ""] = ids;
    const names = new Map([
      [a, "a"],
      [b, "b"],
      [c, "c"],
    ]);
    const list = async (run: () => Promise<unknown>) =>
      (await listNew(workspace, run)).map(({ resource, changes }) => [
        names.get(resource.id) ?? resource.type,
        changes,
      ]);
    let path = "";
    expect(
      await list(async () => {
        path = `/Groups/${await create(provider, "/Groups", group("Editors", [a, b]))}`;
      }),
    ).toEqual([
      ["a", { group: [null, "Editors"], role: ["viewer", "editor"] }],
      ["b", { group: [null, "Editors"], role: ["viewer", "editor"] }],
      ["group", { display_name: [null, "Editors"], role: [null, "editor"] }],
    ]);
    await create(provider, "/Groups", group("Owners", [b]));
    // A group with a lower role than another group only changes its members' group list.
    expect(await list(() => scim("PUT", path, group("Editors", [b, c])))).toEqual([
      ["a", { group: ["Editors", null], role: ["editor", "viewer"] }],
      ["c", { group: [null, "Editors"], role: ["viewer", "editor"] }],
    ]);
    expect(await list(() => scim("PUT", path, group("Editors", [b, c])))).toEqual([]);
    expect(await list(() => patch(path, { op: "add", path: "members", value: [{ value: c }] }))).toEqual([]);
    expect(await list(() => patch(path, { op: "remove", path: `members[value eq "${a}"]` }))).toEqual([]);
    expect(await list(() => patch(path, { op: "replace", value: { displayName: "Readers" } }))).toEqual([
      ["group", { display_name: ["Editors", "Readers"], role: ["editor", null] }],
      ["c", { role: ["editor", "viewer"] }],
    ]);
    expect(await list(() => patch(path, { op: "replace", value: { displayName: "owners of old" } }))).toEqual(
      [["group", { display_name: ["Readers", "owners of old"] }]],
    );
    expect(await list(() => scim("DELETE", path))).toEqual([
      ["group", { display_name: ["owners of old", null] }],
      ["b", { group: ["owners of old", null] }],
      ["c", { group: ["owners of old", null] }],
    ]);
    // Roles in the log are the members' effective roles.
    const { results } = await workerEnv.DIRECTORY.prepare(
      "SELECT id, role FROM members WHERE workspace_id = ? ORDER BY id",
    )
      .bind(workspace.id)
      .all();
    expect(results).toEqual([
      { id: a, role: "viewer" },
      { id: b, role: "owner" },
      { id: c, role: "viewer" },
    ]);
  });

  test("a rejected change creates no entry, and a failing change is neither made nor logged", async () => {
    const provider = await provision();
    const id = await create(provider, "/Users", user("one@scim.example"));
    await create(provider, "/Users", user("two@scim.example"));
    const log = await listNew(provider.workspace, async () => {
      const taken = { op: "replace", path: "userName", value: "TWO@scim.example" };
      expect((await provider.patch(`/Users/${id}`, taken)).status).toBe(409);
      expect((await provider.scim("POST", "/Users", user("two@scim.example"))).status).toBe(409);
      expect((await provider.scim("POST", "/Groups", group("G", [crypto.randomUUID()]))).status).toBe(400);
      expect((await provider.patch(`/Groups/${crypto.randomUUID()}`, { op: "add", value: {} })).status).toBe(
        404,
      );
      expect((await provider.scim("DELETE", `/Users/${crypto.randomUUID()}`)).status).toBe(404);
    });
    expect(log).toEqual([]);
    vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const body = { schemas: [PATCH_OP], Operations: [{ op: "replace", value: { active: false } }] };
    for (const [lostMessage, entries] of [
      ["request", 0],
      ["response", 1],
    ] as const) {
      // The token and the user are read first.
      const { env, isBroken } = breakingEnv(3, lostMessage, unlimited);
      const left = await listNew(provider.workspace, async () => {
        expect((await callScim(provider.token, "PATCH", `/Users/${id}`, body, {}, env)).status).toBe(503);
      });
      expect(isBroken()).toBe(true);
      expect(left).toHaveLength(entries);
      const isActive = await workerEnv.DIRECTORY.prepare("SELECT is_active FROM members WHERE id = ?")
        .bind(id)
        .first("is_active");
      expect(isActive).toBe(1 - entries);
    }
  });
});

describe("a session", () => {
  const SESSION = { email: expect.any(Array), user_agent: expect.any(Array), created_at: expect.any(Array) };

  test("from a sign-in link has entries for its start and end, in the workspace of the link", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const member = await addMember(workspace, "viewer");
    await addMember(other, "owner", member.email);
    const link = await newSignInLink(workspace, member.email);
    await visitApp(link);
    const begun = await sendForm(link);
    await sendForm(link);
    const token = readToken(begun) ?? "";
    const ended = await sendForm("/sign-out", token);
    await sendForm("/sign-out", token);
    const [first, last, ...others] = (await readLog(workspace)).reverse();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      operation: "signInByLink",
      actor: { type: "person", id: member.id, name: "Ada" },
      resource: { type: "session" },
      changes: { email: [null, member.email], user_agent: [null, "Firefox on Linux"] },
      request_id: begun.headers.get("X-Request-Id"),
    });
    expect(last).toMatchObject({
      operation: "signOut",
      actor: first?.actor,
      resource: first?.resource,
      changes: { email: [member.email, null], user_agent: ["Firefox on Linux", null] },
      request_id: ended.headers.get("X-Request-Id"),
    });
    expect(await readLog(other)).toEqual([]);
  });

  test("from the identity provider is logged in the workspace that the person joined first", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const member = await addMember(workspace, "editor");
    await addMember(other, "owner", member.email);
    const provider = new StubProvider();
    provider.claims = { email: member.email, email_verified: true };
    const jar: Jar = new Map();
    expect((await provider.signIn(jar)).status).toBe(303);
    await provider.visit("/sign-out", jar, { method: "POST", headers: { Origin: APP } });
    expect((await readLog(workspace)).reverse().map(shorten)).toEqual([
      ["signInAtProvider", "session", { ...SESSION, identity_provider: [null, provider.issuer] }],
      ["signOut", "session", { ...SESSION, identity_provider: [provider.issuer, null] }],
    ]);
    expect(await readLog(other)).toEqual([]);
  });

  test("has one entry if its start is repeated after a lost response, and none if it does not start", async () => {
    const workspace = await newWorkspace();
    const member = await addMember(workspace);
    vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const init = { method: "POST", headers: { Origin: APP } };
    for (const lostMessage of ["request", "response"] as const) {
      const link = await newSignInLink(workspace, member.email);
      const { env, isBroken } = breakingEnv(2, lostMessage, workerEnv, TRANSIENT_FAILURE);
      const log = await listNew(workspace, async () => {
        expect((await visitApp(link, init, env)).status).toBe(303);
      });
      expect([lostMessage, log.length, isBroken()]).toEqual([lostMessage, 1, true]);
    }
    await workerEnv.DIRECTORY.prepare("UPDATE members SET is_active = 0 WHERE id = ?").bind(member.id).run();
    const link = await newSignInLink(workspace, member.email);
    expect(await listNew(workspace, () => sendForm(link))).toEqual([]);
    const provider = new StubProvider();
    provider.claims = { email: member.email, email_verified: true };
    expect(await listNew(workspace, () => provider.signIn())).toEqual([]);
  });

  test("that is ended in a workspace is in its log, with the person who ended it", async () => {
    const workspace = await newWorkspace();
    const person = await newPerson(workspace);
    const other = await signIn(workspace, person);
    const { data } = await (await other.call("GET", "/v1/session")).json<{ data: { id: string } }>();
    const log = await listNew(workspace, async () => {
      await person.call("DELETE", `/v1/sessions/${data.id}`);
      await expectError(await person.call("DELETE", `/v1/sessions/${data.id}`), 404, "RESOURCE_NOT_FOUND");
      await person.call("DELETE", "/v1/session");
    });
    expect(log.map(shorten)).toEqual([
      ["endSession", "session", SESSION],
      ["endCurrentSession", "session", SESSION],
    ]);
    expect(log[0]?.resource.id).toBe(data.id);
  });
});

describe("secrets", () => {
  /** All output of the service that a test recorded: responses, log lines, cache entries and rows. */
  interface Seen {
    answers: string[];
    lines: string[];
    cached: string[];
  }

  function watchService(): Seen {
    const seen: Seen = { answers: [], lines: [], cached: [] };
    for (const method of ["error", "warn", "log", "info", "debug"] as const) {
      vi.spyOn(console, method).mockImplementation(
        (...line) => void seen.lines.push(line.map(String).join(" ")),
      );
    }
    vi.spyOn(caches.default, "put").mockImplementation(async (request, response) => {
      seen.cached.push(`${new Request(request).url} ${await describeResponse(response)}`);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    return seen;
  }

  async function describeResponse(response: Response): Promise<string> {
    return JSON.stringify([response.status, [...response.headers], await response.clone().text()]);
  }

  async function readAllRows(): Promise<string> {
    const { DIRECTORY, SHARD_0, SHARD_1 } = workerEnv as Env & Record<"SHARD_1", D1Database>;
    const texts: string[] = [];
    for (const d1 of [DIRECTORY, SHARD_0, SHARD_1]) {
      const { results } = await d1
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND sql NOT GLOB 'CREATE VIRTUAL*'",
        )
        .all<{ name: string }>();
      for (const { name } of results) {
        const rows = await d1.prepare(`SELECT * FROM "${name}"`).raw();
        texts.push(JSON.stringify(rows));
      }
    }
    return texts.join("\n");
  }

  test("appear in no log line, cache, row or export, and only in the response that shows them", async () => {
    const seen = watchService();
    const provider = await provision();
    const { workspace } = provider;
    const member = await addMember(workspace);
    const keep = async (response: Response) => {
      seen.answers.push(await describeResponse(response));
      return response;
    };
    /** Hides the headers of the response that gives a browser its session. */
    const keepSignIn = async (response: Response) => {
      expect(response.status).toBe(303);
      await keep(new Response(await response.clone().text(), { status: 303 }));
      return readToken(response) ?? "";
    };

    const link = await newSignInLink(workspace, member.email);
    await keep(await visitApp(link));
    const byLink = await keepSignIn(await sendForm(link));
    await keep(await sendForm(link));

    const clientSecret = "client-secret-of-ours-4711";
    const idp = new StubProvider({ OIDC_CLIENT_SECRET: clientSecret });
    idp.claims = { email: member.email, email_verified: true };
    const jar: Jar = new Map();
    await keepSignIn(await idp.signIn(jar));
    const atProvider = jar.get("signpost_session") ?? "";
    // A provider that repeats the request in every part of an error.
    idp.intercept = (path, { body }) =>
      path === "/token"
        ? new Response(
            JSON.stringify({ error: String(body), error_description: String(body), iss: String(body) }),
            {
              status: 400,
              headers: { "Content-Type": "application/json" },
            },
          )
        : null;
    await keep(await idp.signIn());
    vi.unstubAllGlobals();

    const person = await signIn(workspace, member);
    const made = await person.call("POST", "/v1/keys", {
      body: { name: "K", scopes: ["*"] },
      headers: { "Idempotency-Key": "one" },
    });
    const { data: key } = await made.json<{ data: { id: string; key: string } }>();
    const rotated = await person.call("POST", `/v1/keys/${key.id}/rotate`, { body: { overlap_hours: 1 } });
    const { data: next } = await rotated.json<{ data: { id: string; key: string } }>();

    const own = workspace.as(next.key);
    const { id } = await (await own.call("POST", "/v1/links", { body: { url: "https://example.com/" } }))
      .json<{ data: { id: string } }>()
      .then(({ data }) => data);
    for (const path of [
      "/v1/audit",
      "/v1/links/export",
      `/v1/links/${id}/history`,
      "/v1/workspace/members",
    ]) {
      await keep(await own.call("GET", path));
    }
    for (const path of ["/v1/session", "/v1/sessions", "/v1/keys"])
      await keep(await person.call("GET", path));
    await keep(await visitApp("/sign-in", { headers: { Cookie: `signpost_session=${person.token}` } }));
    // Fails storage at each step, which is logged, and makes requests that are rejected.
    for (const trip of [1, 2, 3]) {
      for (const failure of [undefined, TRANSIENT_FAILURE]) {
        const { env } = breakingEnv(trip, "request", workerEnv, failure);
        await keep(await person.call("GET", "/v1/keys", { env }));
        await keep(await own.call("GET", "/v1/links", { env }));
        await keep(
          await visitApp("/sign-in", { headers: { Cookie: `signpost_session=${byLink}` } }, env).catch(
            (error) => new Response(String(error)),
          ),
        );
        const { env: scimEnv } = breakingEnv(trip, "request", unlimited, failure);
        const body = user(`f${trip}-${failure?.length}@scim.example`);
        const failed = await callScim(provider.token, "POST", "/Users", body, {}, scimEnv);
        seen.answers.push(JSON.stringify([failed.body, [...failed.headers]]));
      }
    }
    await keep(await person.call("GET", "/v1/links", { headers: { Authorization: `Bearer ${next.key}` } }));
    await keep(await sendForm("/sign-out", person.token));

    const secrets = {
      "token of a sign-in link": link.slice(-48),
      "session by a link": byLink,
      "session at the provider": atProvider,
      "last session": person.token,
      "SCIM token": provider.token.split(".")[1] ?? "",
      key: key.key.split(".")[1] ?? "",
      "rotated key": next.key.split(".")[1] ?? "",
      "client secret": clientSecret,
    };
    for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(20);
    expect(seen.lines.length).toBeGreaterThan(5);
    expect(seen.answers.length).toBeGreaterThan(20);
    const places = { ...seen, rows: [await readAllRows()] };
    for (const [place, texts] of Object.entries(places)) {
      for (const [name, secret] of Object.entries(secrets)) {
        expect(
          texts.filter((text) => text.includes(secret)),
          `${name} in ${place}`,
        ).toEqual([]);
      }
    }
  });
});
