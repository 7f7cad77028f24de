import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { generateUuidv7 } from "../../src/core/id.ts";
import { send, workerEnv } from "../support/harness.ts";
import { ignoreWrites } from "../support/ignored-writes.ts";
import { newPerson } from "../support/people.ts";
import { callScim, GROUP, LIST, PATCH_OP, type Provisioned, provision, USER } from "../support/scim.ts";

/**
 * SCIM through the Worker. The call sequences come from the public documentation of Okta and Microsoft Entra:
 * https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20 and
 * https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
 */

const directory = workerEnv.DIRECTORY;

const filterUsers = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}&startIndex=1&count=100`;

async function createUser(provider: Provisioned, userName: string, more: object = {}): Promise<string> {
  const { status, body } = await provider.scim("POST", "/Users", { schemas: [USER], userName, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function createGroup(provider: Provisioned, displayName: string, ids: string[] = []): Promise<string> {
  const members = ids.map((value) => ({ value }));
  const { status, body } = await provider.scim("POST", "/Groups", { schemas: [GROUP], displayName, members });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

/** Returns the member's effective role. */
async function findRole(id: string): Promise<string | null> {
  return directory.prepare("SELECT role FROM members WHERE id = ?").bind(id).first<string>("role");
}

async function startSession(email: string): Promise<void> {
  const id = generateUuidv7(Date.now());
  await directory
    .prepare(
      `INSERT INTO sessions (id, token_hash, email, name, user_agent, created_at, last_seen_at, expires_at)
       VALUES (?1, ?1, ?2, 'x', 'x', 1, 1, 9e12)`,
    )
    .bind(id, email)
    .run();
}

const countSessions = (email: string) =>
  directory.prepare("SELECT count(*) AS n FROM sessions WHERE email = ?").bind(email).first<number>("n");

let shared: Provisioned;
beforeAll(async () => {
  shared = await provision();
});

test("Okta finds no user, creates one, replaces it, deactivates and activates it", async () => {
  const okta = await provision();
  const name = `test.user-${okta.workspace.slug}@okta.local`;
  const none = await okta.scim("GET", filterUsers(`userName eq "${name}"`));
  expect(none).toMatchObject({
    status: 200,
    body: { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
  });

  const sent = {
    schemas: [USER],
    userName: name,
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: name, type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
  };
  const created = await okta.scim("POST", "/Users", sent);
  const { id } = created.body;
  const location = `http://localhost:8787/scim/v2/Users/${id}`;
  expect(created.status).toBe(201);
  expect(created.headers.get("Location")).toBe(location);
  expect(created.body).toEqual({
    schemas: [USER],
    id,
    externalId: "00ujl29u0le5T6Aj10h7",
    userName: name,
    name: { formatted: "Test User", givenName: "Test", familyName: "User" },
    displayName: "Test User",
    active: true,
    emails: [{ value: name, type: "work", primary: true }],
    roles: [{ value: "viewer", primary: true }],
    meta: { resourceType: "User", created: expect.any(String), lastModified: expect.any(String), location },
  });
  expect(await okta.scim("POST", "/Users", sent)).toMatchObject({
    status: 409,
    body: { scimType: "uniqueness" },
  });
  const found = await okta.scim("GET", filterUsers(`userName eq "${name.toUpperCase()}"`));
  expect(found.body).toMatchObject({ totalResults: 1, itemsPerPage: 1, Resources: [{ id }] });

  const read = await okta.scim("GET", `/Users/${id}`);
  expect(read.body).toEqual(created.body);
  const replaced = await okta.scim("PUT", `/Users/${id}`, {
    ...read.body,
    name: { ...read.body.name, givenName: "Another" },
    displayName: "Another User",
  });
  expect(replaced).toMatchObject({
    status: 200,
    body: { displayName: "Another User", name: { givenName: "Another" } },
  });

  for (const active of [false, false, true]) {
    const changed = await okta.patch(`/Users/${id}`, { op: "replace", value: { active } });
    expect(changed).toMatchObject({ status: 200, body: { id, active } });
  }
  // The API's member list shows the same people.
  const list = await okta.workspace.call("GET", "/v1/workspace/members");
  expect(await list.json()).toMatchObject({ data: [{ id, email: name, name: "Another User" }] });
});

test("Okta pushes a group, renames it, changes and replaces its members, and unlinks it", async () => {
  const okta = await provision();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await createUser(okta, `u${n}@okta.example`));
  const [one = "", two = "", three = ""] = ids;
  const id = await createGroup(okta, "Test SCIMv2");
  const path = `/Groups/${id}`;

  expect(
    (await okta.patch(path, { op: "add", path: "members", value: [{ value: one, display: "u1" }] })).status,
  ).toBe(204);
  const renamed = await okta.patch(path, { op: "replace", value: { id, displayName: "Signpost-Editors" } });
  expect(renamed.status).toBe(204);
  expect(await findRole(one)).toBe("editor");

  await okta.patch(
    path,
    { op: "remove", path: `members[value eq "${one}"]` },
    { op: "add", path: "members", value: [{ value: two, display: "u2" }] },
  );
  expect([await findRole(one), await findRole(two)]).toEqual(["viewer", "editor"]);
  await okta.patch(path, { op: "replace", path: "members", value: [{ value: one }, { value: three }] });
  expect((await okta.scim("GET", path)).body).toMatchObject({
    schemas: [GROUP],
    id,
    displayName: "Signpost-Editors",
    members: [one, three].map((value) => ({ value, $ref: `http://localhost:8787/scim/v2/Users/${value}` })),
  });
  // An app of the integration wizard sends the whole group.
  const put = await okta.scim("PUT", path, {
    schemas: [GROUP],
    displayName: "Viewers",
    members: [{ value: two }],
  });
  expect(put).toMatchObject({ status: 200, body: { displayName: "Viewers", members: [{ value: two }] } });
  expect(await okta.scim("GET", "/Groups?startIndex=1&count=100")).toMatchObject({
    body: { totalResults: 1, itemsPerPage: 1, Resources: [{ id, members: [{ value: two }] }] },
  });
  expect((await okta.scim("DELETE", path)).status).toBe(204);
  expect((await okta.scim("DELETE", path)).status).toBe(404);
  expect((await okta.scim("GET", `/Users/${two}`)).status).toBe(200);
});

test("Entra creates, finds, changes, disables and deletes a user", async () => {
  const entra = await provision();
  const { body } = await entra.scim("POST", "/Users", {
    schemas: [USER, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
    externalId: "0a21f0f2",
    userName: "Test_User_1",
    active: true,
    roles: [],
    meta: { resourceType: "User" },
    emails: [{ primary: true, type: "work", value: "Test_User_1@testuser.com" }],
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
  });
  const path = `/Users/${body.id}`;
  for (const filter of [
    'userName eq "test_user_1"',
    'externalId eq "0a21f0f2"',
    "externalId eq 0a21f0f2",
    'emails[type eq "work"].value eq "TEST_user_1@testuser.com"',
    'emails.value eq "test_user_1@testuser.com" and active eq true',
  ]) {
    expect((await entra.scim("GET", filterUsers(filter))).body.Resources, filter).toEqual([body]);
  }
  expect((await entra.scim("GET", filterUsers('externalId eq "0A21F0F2"'))).body.totalResults).toBe(0);
  // Entra asks whether the manager is set, before and after it sets one.
  const hasManager = `${filterUsers(`id eq "${body.id}" and manager eq "2819c223"`)}&attributes=id`;
  expect(await entra.scim("GET", hasManager)).toMatchObject({ status: 200, body: { totalResults: 0 } });
  const manager = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager";
  expect((await entra.patch(path, { op: "Add", path: manager, value: "2819c223" })).status).toBe(200);

  const changed = await entra.patch(
    path,
    { op: "Replace", path: 'emails[type eq "work"].value', value: "updated@microsoft.com" },
    { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
    {
      op: "Add",
      path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
      value: "Ops",
    },
    { op: "Add", path: 'addresses[type eq "work"].locality', value: "Oslo" },
  );
  expect(changed).toMatchObject({
    status: 200,
    body: {
      name: {
        formatted: "givenName updatedFamilyName",
        givenName: "givenName",
        familyName: "updatedFamilyName",
      },
      emails: [{ value: "updated@microsoft.com", type: "work", primary: true }],
    },
  });
  const disabled = await entra.patch(path, { op: "Replace", path: "active", value: "False" });
  expect(disabled.body.active).toBe(false);
  expect((await entra.scim("GET", filterUsers('userName eq "Test_User_1"'))).body.Resources[0].active).toBe(
    false,
  );
  expect((await entra.scim("DELETE", path)).status).toBe(204);
  expect((await entra.scim("GET", path)).status).toBe(404);
  expect((await entra.scim("DELETE", path)).status).toBe(404);
});

test("Entra creates a group, finds it without its members, adds and removes members", async () => {
  const entra = await provision();
  const user = await createUser(entra, "e@entra.example");
  const created = await entra.scim("POST", "/Groups", {
    schemas: [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
    externalId: "8aa1a0c0",
    displayName: "OWNERS",
    meta: { resourceType: "Group" },
  });
  const { id } = created.body;
  expect(created).toMatchObject({
    status: 201,
    body: { externalId: "8aa1a0c0", displayName: "OWNERS", members: [] },
  });
  const again = await entra.scim("POST", "/Groups", { schemas: [GROUP], displayName: "owners" });
  expect(again).toMatchObject({ status: 409, body: { scimType: "uniqueness" } });

  const path = `/Groups/${id}`;
  const added = { op: "Add", path: "members", value: [{ $ref: null, value: user }] };
  for (const _ of [1, 2]) expect((await entra.patch(path, added)).status).toBe(204);
  expect(await findRole(user)).toBe("owner");

  const filter = encodeURIComponent('displayName eq "Owners"');
  const found = await entra.scim("GET", `/Groups?excludedAttributes=members&filter=${filter}`);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  expect(found.body.Resources[0]).not.toHaveProperty("members");
  expect((await entra.scim("GET", `${path}?excludedAttributes=members`)).body).not.toHaveProperty("members");
  const isMember = encodeURIComponent(`id eq "${id}" and members eq "${user}"`);
  expect((await entra.scim("GET", `/Groups?attributes=id&filter=${isMember}`)).body.Resources).toEqual([
    { schemas: [GROUP], id },
  ]);

  const removed = { op: "Remove", path: "members", value: [{ $ref: null, value: user }] };
  for (const _ of [1, 2]) expect((await entra.patch(path, removed)).status).toBe(204);
  expect(await findRole(user)).toBe("viewer");
});

test("the highest role of a user's groups applies, otherwise the user's own role", async () => {
  const provider = await provision();
  const user = await createUser(provider, "r@role.example", { roles: [{ value: "editor" }] });
  expect(await findRole(user)).toBe("editor");
  const viewers = await createGroup(provider, "viewer", [user]);
  expect(await findRole(user)).toBe("viewer");
  const owners = await createGroup(provider, "signpost-owner", [user]);
  const others = await createGroup(provider, "the owners", [user]);
  expect(await findRole(user)).toBe("owner");
  // The user's own role has no effect while groups give one.
  await provider.patch(`/Users/${user}`, { op: "replace", path: "roles", value: [{ value: "viewer" }] });
  expect(await findRole(user)).toBe("owner");
  await provider.patch(`/Groups/${owners}`, { op: "replace", path: "displayName", value: "editors" });
  expect(await findRole(user)).toBe("editor");
  await provider.scim("DELETE", `/Groups/${owners}`);
  expect(await findRole(user)).toBe("viewer");
  await provider.patch(`/Users/${user}`, { op: "replace", path: "roles", value: [{ value: "owner" }] });
  await provider.scim("DELETE", `/Groups/${viewers}`);
  expect(await findRole(user)).toBe("owner");
  expect((await provider.scim("GET", `/Groups/${others}`)).body.members).toHaveLength(1);
});

test("a PUT without roles keeps the role set by the administrator", async () => {
  const provider = await provision();
  const id = generateUuidv7(Date.now());
  await directory
    .prepare(
      "INSERT INTO members (id, workspace_id, email, name, created_at, role) VALUES (?, ?, ?, 'Ada', 1, 'owner')",
    )
    .bind(id, provider.workspace.id, "ada@own.example")
    .run();
  const { body } = await provider.scim("GET", filterUsers('userName eq "Ada@own.example"'));
  expect(body.Resources).toMatchObject([{ id, userName: "ada@own.example", displayName: "Ada" }]);
  const user = { schemas: [USER], userName: "ada", emails: [{ value: "ada@own.example" }] };
  expect((await provider.scim("PUT", `/Users/${id}`, user)).status).toBe(200);
  expect(await findRole(id)).toBe("owner");
  await provider.scim("PUT", `/Users/${id}`, { ...user, roles: [] });
  expect(await findRole(id)).toBe("viewer");
  await directory.prepare("UPDATE members SET role = 'editor', updated_at = 7 WHERE id = ?").bind(id).run();
  await createGroup(provider, "viewers", [id]);
  expect(await findRole(id)).toBe("viewer");
});

test.each([
  [
    "deactivation",
    (provider: Provisioned, id: string) =>
      provider.patch(`/Users/${id}`, { op: "replace", value: { active: false } }),
  ],
  ["deletion", (provider: Provisioned, id: string) => provider.scim("DELETE", `/Users/${id}`)],
  [
    "another address",
    (provider: Provisioned, id: string) =>
      provider.patch(`/Users/${id}`, { op: "replace", path: "emails.value", value: "new@x.example" }),
  ],
])("%s ends sessions unless the person is an active member of another workspace", async (name, end) => {
  const [one, two] = [await provision("end.example"), await provision("end.example")];
  const email = `${name.replaceAll(" ", "-")}@end.example`;
  const ids = [await createUser(one, email), await createUser(two, email)] as const;
  await startSession(email);
  for (const { workspace } of [one, two]) {
    await directory
      .prepare(
        "INSERT INTO sign_in_links (token_hash, workspace_id, email, expires_at) VALUES (?, ?, ?, 9e12)",
      )
      .bind(generateUuidv7(Date.now()), workspace.id, email)
      .run();
  }
  const countLinks = () =>
    directory
      .prepare("SELECT count(*) AS n FROM sign_in_links WHERE email = ?")
      .bind(email)
      .first<number>("n");
  await end(one, ids[0]);
  expect([await countSessions(email), await countLinks()]).toEqual([1, 1]);
  await end(two, ids[1]);
  expect([await countSessions(email), await countLinks()]).toEqual([0, 0]);
});

test("a person acts with the role of their groups, and has no access after a deactivation", async () => {
  const provider = await provision();
  const person = await newPerson(provider.workspace, "viewer");
  await createGroup(provider, "Editors", [person.id]);
  const session = await person.call("GET", "/v1/session");
  expect(await session.json()).toMatchObject({ data: { role: "editor" } });
  const elsewhere = await provision("example.com");
  await createUser(elsewhere, person.email);
  await provider.patch(`/Users/${person.id}`, { op: "Replace", path: "active", value: "False" });
  expect((await person.call("GET", "/v1/session")).status).toBe(403);
  const other = { headers: { "X-SVC-Workspace": elsewhere.workspace.slug } };
  expect((await person.call("GET", "/v1/session", other)).status).toBe(200);
  await elsewhere.scim("DELETE", `/Users/${(await elsewhere.scim("GET", "/Users")).body.Resources[0].id}`);
  expect((await person.call("GET", "/v1/session", other)).status).toBe(401);
});

test("a failing change ends no session", async () => {
  const id = await createUser(shared, "keeps@session.example");
  await createUser(shared, "taken@session.example");
  await startSession("keeps@session.example");
  const conflict = await shared.patch(
    `/Users/${id}`,
    { op: "replace", path: "userName", value: "TAKEN@session.example" },
    { op: "replace", path: "active", value: false },
  );
  expect(conflict).toMatchObject({ status: 409, body: { scimType: "uniqueness" } });
  expect(await countSessions("keeps@session.example")).toBe(1);
});

test("parallel changes of a user are all made, and only one of parallel creations succeeds", async () => {
  const id = await createUser(shared, "parallel@x.example");
  const changes = ["name.givenName", "name.familyName", "externalId"].map((path) =>
    shared.patch(`/Users/${id}`, { op: "replace", path, value: `new ${path}` }),
  );
  for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
  expect((await shared.scim("GET", `/Users/${id}`)).body).toMatchObject({
    name: { givenName: "new name.givenName", familyName: "new name.familyName" },
    externalId: "new externalId",
  });
  const creations = [1, 2, 3].map(() =>
    shared.scim("POST", "/Users", { schemas: [USER], userName: "Same@x.example" }),
  );
  const statuses = (await Promise.all(creations)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409, 409]);
});

test("a change that always conflicts with others is tried 5 times", async () => {
  const id = await createUser(shared, "overtaken@x.example");
  const countTries = await ignoreWrites(directory, "UPDATE ON members", `NEW.id = '${id}'`);
  const result = await shared.patch(`/Users/${id}`, { op: "replace", path: "externalId", value: "x" });
  expect([result.status, result.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(await countTries()).toBe(5);
});

test("names are unique regardless of case, in every script, and with SQL wildcards", async () => {
  const names = ["Ägir%_'\"\\;--@x.example", "ΣΊΣΥΦΟΣ@x.example", "İ@x.example"];
  for (const name of names) {
    const id = await createUser(shared, name);
    const again = await shared.scim("POST", "/Users", { schemas: [USER], userName: name.toLowerCase() });
    expect(again.status, name).toBe(409);
    const found = await shared.scim("GET", filterUsers(`userName eq ${JSON.stringify(name.toLowerCase())}`));
    expect(found.body.Resources, name).toMatchObject([{ id, userName: name }]);
  }
  expect((await shared.scim("GET", filterUsers('userName co "%_\'"'))).body.totalResults).toBe(1);
  expect((await shared.scim("GET", filterUsers('userName eq "%"'))).body.totalResults).toBe(0);
});

test("filters support every attribute and operator", async () => {
  const provider = await provision();
  const id = await createUser(provider, "b@f.example", { displayName: "Bea", name: { givenName: "B" } });
  const other = await createUser(provider, "c@f.example", {
    active: false,
    externalId: "x",
    roles: [{ value: "editor" }],
  });
  const third = await createUser(provider, "d@f.example", {
    name: { formatted: "Dr. D", givenName: "D" },
    emails: [
      { value: "D@f.example", primary: true, type: "home" },
      { value: "D.Work@f.example", type: "work" },
    ],
  });
  const all = [id, other, third];
  const cases: [string, string[]][] = [
    ['userName sw "B@"', [id]],
    ['userName ew ".EXAMPLE"', all],
    ['userName ne "b@f.example"', [other, third]],
    ['userName gt "b@f.example"', [other, third]],
    ['userName ge "b@f.example" and userName lt "c"', [id]],
    ['userName le "b@f.example"', [id]],
    ["externalId pr", [other]],
    ["not (externalId pr)", [id, third]],
    ['not (externalId eq "x")', [id, third]],
    ["externalId eq null", [id, third]],
    ["externalId ne null", [other]],
    ['displayName eq "BEA"', [id]],
    ['name.givenName co "b"', [id]],
    ["active eq false", [other]],
    ['active ne "True"', [other]],
    ['roles.value eq "editor"', [other]],
    ['meta.created gt "2020-01-01T00:00:00Z"', all],
    ['meta.lastModified le "2020-01-01T00:00:00Z"', []],
    ['emails[type eq "home"]', [third]],
    ['emails[type eq "work"].value eq "d.WORK@f.example"', [third]],
    ['emails[type eq "home"].value eq "d.work@f.example"', []],
    ['emails co "work@"', [third]],
    ["emails.primary eq true", all],
    ["emails[primary eq false]", [third]],
    ['name.formatted eq "dr. d"', [third]],
    ['name.formatted eq "Bea"', []],
    ['name.formatted eq "b"', [id]],
    ['title eq "x"', []],
    ['title ne "x" or name.honorificPrefix pr or emails.display sw "x"', []],
    ['not (manager eq "x") and phoneNumbers[type eq "work"].value eq "1"', []],
    [`id eq "${id}" or externalId eq "x"`, [id, other]],
  ];
  for (const [filter, ids] of cases) {
    const { body } = await provider.scim("GET", filterUsers(filter));
    expect(
      body.Resources?.map((user: { id: string }) => user.id),
      filter,
    ).toEqual(ids);
    expect(body.totalResults).toBe(ids.length);
  }
  expect((await provider.scim("GET", `/Users/${third}`)).body).toMatchObject({
    name: { formatted: "Dr. D", givenName: "D" },
    emails: [
      { value: "d@f.example", primary: true, type: "home" },
      { value: "D.Work@f.example", type: "work" },
    ],
  });
  for (const filter of [
    'titel eq "x"',
    'emails.colour eq "x"',
    'active co "t"',
    'meta.created eq "x"',
    "meta.created gt 5",
    "displayName gt null",
    'constructor eq "x"',
    "(",
  ]) {
    expect(await provider.scim("GET", filterUsers(filter)), filter).toMatchObject({
      status: 400,
      body: { scimType: "invalidFilter" },
    });
  }
  const badMembers = `/Groups?filter=${encodeURIComponent('members co "x"')}`;
  expect((await provider.scim("GET", badMembers)).body.scimType).toBe("invalidFilter");
});

test("responses only contain the attributes that a request names", async () => {
  const id = await createUser(shared, "p@attributes.example");
  const { body } = await shared.scim("GET", `/Users/${id}?attributes=USERNAME,emails.value`);
  expect(body).toEqual({
    schemas: [USER],
    id,
    userName: "p@attributes.example",
    emails: [{ value: "p@attributes.example" }],
  });
  const without = await shared.scim("GET", `/Users/${id}?excludedAttributes=meta,name,emails.type,id`);
  expect(without.body).toMatchObject({ id, emails: [{ value: "p@attributes.example", primary: true }] });
  expect(Object.keys(without.body)).not.toContain("name");
});

test("a workspace lists 1,200 users in pages", async () => {
  const provider = await provision();
  const prefix = generateUuidv7(Date.now()).slice(0, 24);
  await directory
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1199)
       INSERT INTO members (id, workspace_id, email, name, created_at)
       SELECT ?1 || printf('%012x', i), ?2, 'u' || i || '@many.example', 'U', 1 FROM n`,
    )
    .bind(prefix, provider.workspace.id)
    .run();
  await createUser(provider, "last@many.example");

  const page = async (query: string) => (await provider.scim("GET", `/Users?${query}`)).body;
  expect(await page("count=500")).toMatchObject({ totalResults: 1_200, startIndex: 1, itemsPerPage: 200 });
  expect(await page("startIndex=1151&count=100")).toMatchObject({ totalResults: 1_200, itemsPerPage: 50 });
  expect(await page("startIndex=999999999999")).toMatchObject({ totalResults: 1_200, Resources: [] });
  expect(await page("startIndex=-5&count=-1")).toMatchObject({
    totalResults: 1_200,
    startIndex: 1,
    Resources: [],
  });
  expect(await page("startIndex=101&count=1")).toMatchObject({
    Resources: [{ userName: "u101@many.example" }],
  });
  expect(await page(`filter=${encodeURIComponent("active eq true")}&count=1`)).toMatchObject({
    totalResults: 1_200,
  });
  expect(await page(`filter=${encodeURIComponent('userName eq "last@many.example"')}`)).toMatchObject({
    totalResults: 1,
  });
  for (const query of ["startIndex=x", "count=1.5"]) {
    expect((await provider.scim("GET", `/Users?${query}`)).body.scimType).toBe("invalidValue");
  }

  // Groups of these users: a thousand members per request, and a page that is cut before it exceeds the
  // limit.
  const ids = Array.from({ length: 1_001 }, (_, i) => `${prefix}${(i + 1).toString(16).padStart(12, "0")}`);
  const group = await createGroup(provider, "editors", ids.slice(0, 1_000));
  expect(await findRole(ids[999] as string)).toBe("editor");
  expect((await provider.scim("GET", `/Groups/${group}`)).body.members).toHaveLength(1_000);
  const tooMany = { op: "add", path: "members", value: ids.map((value) => ({ value })) };
  expect((await provider.patch(`/Groups/${group}`, tooMany)).body.scimType).toBe("invalidValue");
  expect((await provider.scim("DELETE", `/Groups/${group}`)).status).toBe(204);
  expect(await findRole(ids[999] as string)).toBe("viewer");
});

test("a page of groups shows at most 10,000 members", async () => {
  const provider = await provision();
  const user = await createUser(provider, "g@page.example");
  const ids = [
    await createGroup(provider, "a", [user]),
    await createGroup(provider, "b"),
    await createGroup(provider, "c"),
  ];
  const show = async (...counts: number[]) => {
    const set = directory.prepare("UPDATE scim_groups SET member_count = ? WHERE id = ?");
    await directory.batch(counts.map((count, index) => set.bind(count, ids[index])));
    return (await provider.scim("GET", "/Groups")).body;
  };
  expect(await show(6_000, 4_000, 1)).toMatchObject({ totalResults: 3, itemsPerPage: 2 });
  expect(await show(6_000, 4_001)).toMatchObject({
    totalResults: 3,
    itemsPerPage: 1,
    Resources: [{ members: [{ value: user }] }],
  });
  expect((await show(10_001)).itemsPerPage).toBe(1);
  expect((await provider.scim("GET", "/Groups?excludedAttributes=members")).body.itemsPerPage).toBe(3);
});

test("another workspace's users and groups do not exist", async () => {
  const [one, two] = [await provision(), await provision()];
  const user = await createUser(one, "mine@tenancy.example");
  const group = await createGroup(one, "mine", [user]);
  for (const path of [`/Users/${user}`, `/Groups/${group}`]) {
    const schemas = [path.startsWith("/Users") ? USER : GROUP];
    const mine = { schemas, userName: "other@x.example", displayName: "other" };
    const missing = await two.scim("GET", path.replace(/[^/]+$/, generateUuidv7(Date.now())));
    for (const [method, body] of [["GET"], ["DELETE"], ["PUT", mine]] as const) {
      const result = await two.scim(method, path, body);
      expect([result.status, result.body], method).toEqual([404, missing.body]);
    }
    expect((await two.patch(path, { op: "replace", path: "externalId", value: "x" })).status).toBe(404);
  }
  expect((await two.scim("GET", filterUsers('userName eq "mine@tenancy.example"'))).body.totalResults).toBe(
    0,
  );
  const theirs = await createGroup(two, "theirs");
  const added = await two.patch(`/Groups/${theirs}`, {
    op: "add",
    path: "members",
    value: [{ value: user }],
  });
  expect(added).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
  const isMember = encodeURIComponent(`members eq "${user}"`);
  expect((await two.scim("GET", `/Groups?filter=${isMember}`)).body.totalResults).toBe(0);
  expect((await one.scim("GET", `/Users/${user}`)).status).toBe(200);
});

test("only the workspace's token is accepted", async () => {
  const { workspace, token } = await provision();
  const wrong = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
  for (const candidate of [null, "", "x", workspace.key, wrong, `${token}A`]) {
    const result = await callScim(candidate, "GET", "/Users");
    expect(result.status).toBe(401);
    const error = candidate === null ? "" : ', error="invalid_token"';
    expect(result.headers.get("WWW-Authenticate")).toBe(`Bearer realm="SCIM"${error}`);
  }
  expect((await callScim(token, "GET", "/Users")).status).toBe(200);
  await directory.prepare("UPDATE workspaces SET slug = 'deleted:x:1' WHERE id = ?").bind(workspace.id).run();
  expect((await callScim(token, "GET", "/Users")).status).toBe(401);
});

test("a token is limited to a number of requests per second", async () => {
  const { token } = await provision();
  const refused = {
    ...workerEnv,
    LIMITER: {
      getByName: () => ({
        takeToken: async (bucket: string, perSecond: number) => ({
          verdict: bucket.startsWith("scim:") && perSecond === 25 ? "burst_exhausted" : "allowed",
        }),
      }),
    },
  } as unknown as Env;
  const limited = await callScim(token, "GET", "/Users", undefined, {}, refused);
  expect([limited.status, limited.headers.get("Retry-After")]).toEqual([429, "1"]);
  expect((await callScim(token, "GET", "/Users", undefined, {}, workerEnv)).status).toBe(200);
});

test("discovery documents list the supported features without a token", async () => {
  const config = await callScim(null, "GET", "/ServiceProviderConfig");
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    sort: { supported: false },
    etag: { supported: false },
    changePassword: { supported: false },
  });
  const types = await callScim(null, "GET", "/ResourceTypes");
  expect(types.body).toMatchObject({
    totalResults: 2,
    Resources: [{ id: "User", schema: USER }, { id: "Group" }],
  });
  expect((await callScim(null, "GET", "/ResourceTypes/Group")).body.endpoint).toBe("/Groups");
  const { body } = await callScim(null, "GET", "/Schemas");
  expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual([USER, GROUP]);
  expect((await callScim(null, "GET", `/Schemas/${USER}`)).body.attributes[0]).toMatchObject({
    name: "userName",
    required: true,
    uniqueness: "server",
    mutability: "readWrite",
    multiValued: false,
  });
  expect((await callScim(null, "GET", "/Schemas/x")).status).toBe(404);
  expect((await callScim(null, "GET", "/Schemas?filter=x")).status).toBe(403);
  expect((await callScim(null, "POST", "/Schemas", {})).headers.get("Allow")).toBe("GET");
});

test("unsupported paths, methods and bodies return SCIM errors", async () => {
  const { scim } = shared;
  const user = { schemas: [USER], userName: "a@b.example" };
  expect((await scim("GET", "/")).status).toBe(404);
  expect((await scim("GET", "/Things")).status).toBe(404);
  expect((await scim("GET", "/constructor")).status).toBe(404);
  expect((await scim("GET", "/Users/x")).status).toBe(404);
  expect((await scim("GET", `/Users/${generateUuidv7(1)}/x`)).status).toBe(404);
  for (const path of ["/Me", "/Bulk", "/Users/.search"])
    expect((await scim("POST", path, {})).status).toBe(501);
  const wrongMethod = await scim("DELETE", "/Users");
  expect([wrongMethod.status, wrongMethod.headers.get("Allow")]).toEqual([405, "GET, POST"]);
  expect((await scim("POST", "/Users", user, { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await scim("POST", "/Users", `{"userName":"${"x".repeat(262_144)}"}`)).status).toBe(413);
  for (const body of [
    "",
    "{",
    "[]",
    "null",
    '{"a":"\ud800"}',
    "[".repeat(70),
    { userName: "a@b.example" },
    { ...user, schemas: [GROUP] },
  ]) {
    expect(await scim("POST", "/Users", body), String(body)).toMatchObject({
      status: 400,
      body: { scimType: "invalidSyntax" },
    });
  }
  for (const body of [
    { ...user, userName: "" },
    { ...user, userName: "no address" },
    { ...user, userName: "a\u0000b@x" },
  ]) {
    expect(await scim("POST", "/Users", body)).toMatchObject({
      status: 400,
      body: { scimType: "invalidValue" },
    });
  }
  const id = await createUser(shared, "bounds@x.example");
  const operation = { op: "replace", path: "active", value: true };
  expect((await shared.patch(`/Users/${id}`, ...Array(101).fill(operation))).body.scimType).toBe(
    "invalidSyntax",
  );
  expect((await shared.patch(`/Users/${id}`, ...Array(100).fill(operation))).status).toBe(200);
  const headers = { Authorization: `Bearer ${shared.token}` };
  const http = await send(new Request("http://localhost:8787/scim/v1/Users", { headers }));
  expect(http.status).toBe(404);
});

test("no request causes an unexpected error", async () => {
  const id = await createUser(shared, "fuzz@x.example");
  const group = await createGroup(shared, "fuzzed", [id]);
  const attributes = [
    "userName",
    "emails",
    "active",
    "roles",
    "name",
    "displayName",
    "members",
    "externalId",
    "schemas",
    "id",
  ];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("x@y.example", "True", id, { value: id }, [{ value: id }], null),
  );
  const path = fc.oneof(
    fc.constantFrom(
      ...attributes,
      'emails[type eq "work"].value',
      `members[value eq "${id}"]`,
      "members[",
      "__proto__",
    ),
    fc.string(),
  );
  const resource = fc.dictionary(fc.oneof(fc.constantFrom(...attributes), fc.string()), value, {
    maxKeys: 6,
  });
  const operation = fc.record(
    { op: fc.constantFrom("add", "Replace", "remove"), path, value },
    { requiredKeys: ["op"] },
  );
  const target = fc.constantFrom("/Users", "/Groups", `/Users/${id}`, `/Groups/${group}`);
  await fc.assert(
    fc.asyncProperty(
      target,
      resource,
      fc.array(operation),
      fc.string(),
      async (target, members, operations, text) => {
        const schemas = [USER, GROUP, PATCH_OP];
        const method = target.lastIndexOf("/") === 0 ? "POST" : "PUT";
        const query = `filter=${encodeURIComponent(text.toWellFormed())}&attributes=${encodeURIComponent(text.toWellFormed())}`;
        const results = [
          await shared.scim(method, target, { ...members, schemas }),
          await shared.scim("PATCH", target, { schemas, Operations: operations }),
          await shared.scim("GET", `${target}?${query}`),
        ];
        for (const { status } of results) expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 60 },
  );
});

test("an id that is no string and an incomplete body return client errors", async () => {
  const { token, scim } = await provision();
  expect((await scim("GET", "/Schemas/%E0%A4%A")).status).toBe(404);
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("connection lost")) });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/scim+json" };
  const request = new Request("http://localhost:8787/scim/v2/Users", {
    method: "POST",
    headers,
    body: broken,
    // Node requires it for streams.
    duplex: "half",
  } as RequestInit);
  const response = await send(request);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ detail: "The body must be complete." });
});

test("a workspace has at most 10,000 users, 500 groups and 100,000 group members", async () => {
  const { scim, workspace } = await provision();
  const setTotal = (column: "members" | "groups" | "group_members", value: number) =>
    directory
      .prepare(`UPDATE people_totals SET ${column} = ? WHERE workspace_id = ?`)
      .bind(value, workspace.id)
      .run();
  const addUser = () =>
    scim("POST", "/Users", { schemas: [USER], userName: `${crypto.randomUUID()}@example.com` });
  const addGroup = (...ids: string[]) =>
    scim("POST", "/Groups", {
      schemas: [GROUP],
      displayName: crypto.randomUUID(),
      members: ids.map((value) => ({ value })),
    });
  const refusal = (limit: string) => ({
    status: 403,
    body: { detail: `A workspace can have at most ${limit}.` },
  });
  const { body: user } = await addUser();
  await setTotal("members", 9_999);
  expect((await addUser()).status).toBe(201);
  expect(await addUser()).toMatchObject(refusal("10000 users"));
  await setTotal("group_members", 99_999);
  expect((await addGroup(user.id)).status).toBe(201);
  expect(await addGroup(user.id)).toMatchObject(refusal("100000 members in all groups together"));
  await setTotal("groups", 499);
  expect((await addGroup()).status).toBe(201);
  expect(await addGroup()).toMatchObject(refusal("500 groups"));
});
