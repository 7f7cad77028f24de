import { expect, test } from "vitest";
import type { PatchOperation } from "../../src/scim/apply-patch.ts";
import { applyToGroup, applyWholeGroup, type MemberChange } from "../../src/scim/group-patch.ts";
import { fromGroupDraft, toGroupDraft } from "../../src/scim/group-record.ts";
import { buildList, parsePage } from "../../src/scim/list-response.ts";
import { isShown, parseProjection, projectResource } from "../../src/scim/project-resource.ts";
import { findHighestRole, parseRoleName, parseRoleValue } from "../../src/scim/role-name.ts";
import { generateScimToken, parseScimAuthorization } from "../../src/scim/scim-token.ts";
import { buildUser, foldName } from "../../src/scim/user-record.ts";

test.each([
  ["owner", "owner"],
  ["Owners", "owner"],
  [" EDITOR ", "editor"],
  ["signpost-viewers", "viewer"],
  ["Signpost-Owner", "owner"],
  ["owners of things", null],
  ["co-owner", null],
  ["ownerss", null],
  ["signpost-", null],
  ["", null],
])("the name %j gives the role %s", (name, role) => {
  expect(parseRoleName(name)).toBe(role);
});

test.each([
  ['{"id":"1","value":"Editor"}', "editor"],
  ['{"value":7}', null],
  ["{", null],
  ["{}", null],
  ["viewer", "viewer"],
  [`{"value":"editor","x":"${"x".repeat(1_000)}"}`, null],
])("the value %j of roles gives the role %s", (value, role) => {
  expect(parseRoleValue(value)).toBe(role);
});

test("the highest role is the one with the most scopes", () => {
  expect(findHighestRole(["viewer", null, "owner", "editor"])).toBe("owner");
  expect(findHighestRole(["viewer", "editor"])).toBe("editor");
  expect(findHighestRole([null])).toBeNull();
});

/** Returns the changes of members as texts. */
function describe({ isReplaced, added, removed }: MemberChange): string {
  return `${isReplaced ? "=" : ""} +${[...added].join(",")} -${[...removed].join(",")}`;
}

const apply = (...operations: Partial<PatchOperation>[]) =>
  describe(
    applyToGroup(
      new Map(),
      operations.map((operation) => ({ verb: "add", path: null, value: undefined, ...operation })),
    ),
  );

test.each<[string, Partial<PatchOperation>[], string]>([
  ["one is added", [{ path: "members", value: [{ value: "a" }] }], " +a -"],
  ["one without a list is added", [{ path: "Members", value: { value: "a" } }], " +a -"],
  ["ids as texts are added", [{ path: "members", value: ["a", "b"] }], " +a,b -"],
  ["without a path", [{ value: { members: [{ value: "a" }] } }], " +a -"],
  ["without a path, replaced", [{ verb: "replace", value: { members: [{ value: "a" }] } }], "= +a -"],
  ["without a path, null says nothing", [{ verb: "replace", value: { members: null } }], " + -"],
  ["removed by value", [{ verb: "remove", path: "members", value: [{ value: "a" }] }], " + -a"],
  ["removed by a filter", [{ verb: "remove", path: 'members[value eq "a"]' }], " + -a"],
  ["removed by several", [{ verb: "remove", path: 'members[value eq "a" or value eq "b"]' }], " + -a,b"],
  ["all removed", [{ verb: "remove", path: "members" }], "= + -"],
  ["replaced", [{ verb: "replace", path: "members", value: [{ value: "a" }] }], "= +a -"],
  [
    "added, then removed",
    [
      { path: "members", value: ["a", "b"] },
      { verb: "remove", path: 'members[value eq "a"]' },
    ],
    " +b -a",
  ],
  [
    "removed, then added",
    [
      { verb: "remove", path: 'members[value eq "a"]' },
      { path: "members", value: ["a"] },
    ],
    " +a -",
  ],
  [
    "added, then replaced",
    [
      { path: "members", value: ["a"] },
      { verb: "remove", path: 'members[value eq "c"]' },
      { verb: "replace", path: "members", value: ["b"] },
    ],
    "= +b -",
  ],
])("members of a group: %s", (_, operations, change) => {
  expect(apply(...operations)).toBe(change);
});

test.each<[string, Partial<PatchOperation>, string]>([
  ["another filter", { verb: "remove", path: 'members[display eq "a"]' }, "invalidFilter"],
  ["another operator", { verb: "remove", path: 'members[value co "a"]' }, "invalidFilter"],
  ["a filter to add", { path: 'members[value eq "a"]', value: {} }, "invalidPath"],
  ["a part of a member", { verb: "replace", path: "members.value", value: "a" }, "mutability"],
  ["a member without an id", { path: "members", value: [{ display: "a" }] }, "invalidValue"],
  [
    "1,001 members",
    { path: "members", value: Array.from({ length: 1_001 }, (_, i) => `${i}`) },
    "invalidValue",
  ],
])("members of a group: %s is rejected", (_, operation, scimType) => {
  try {
    apply(operation);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ status: 400, scimType });
  }
});

test("1,000 members of a request are accepted", () => {
  const value = Array.from({ length: 1_000 }, (_, i) => `${i}`);
  expect(apply({ path: "members", value })).toContain("+0,1,");
});

test("a complete group without members has none", () => {
  const draft = new Map();
  const change = applyWholeGroup(draft, { displayName: " Staff ", externalId: "x", members: null });
  expect(describe(change)).toBe("= + -");
  expect(fromGroupDraft(draft)).toEqual({ displayName: "Staff", externalId: "x" });
});

test("a change of a group keeps attributes that it does not name", () => {
  const draft = toGroupDraft({ displayName: "Staff", externalId: "x" });
  applyToGroup(draft, [{ verb: "replace", path: "displayName", value: "Crew" }]);
  expect(fromGroupDraft(draft)).toEqual({ displayName: "Crew", externalId: "x" });
  expect(() => fromGroupDraft(new Map())).toThrow("displayName is required");
  expect(() => fromGroupDraft(new Map([["displayName", "x".repeat(257)]]))).toThrow("at most 256");
  expect(() => fromGroupDraft(new Map([["displayName", "a\nb"]]))).toThrow("control");
});

test.each([
  ["", { startIndex: 1, count: 100 }],
  ["startIndex=7&count=3", { startIndex: 7, count: 3 }],
  ["startIndex=0&count=-1", { startIndex: 1, count: 0 }],
  ["startIndex=10001&count=200", { startIndex: 10_001, count: 200 }],
  ["startIndex=10002&count=201", { startIndex: 10_001, count: 200 }],
  ["startIndex=&count=", { startIndex: 1, count: 100 }],
  ["startIndex=999999999999999", { startIndex: 10_001, count: 100 }],
])("the page of %j", (query, page) => {
  expect(parsePage(new URLSearchParams(query))).toEqual(page);
});

test("an index of 16 digits is rejected", () => {
  expect(() => parsePage(new URLSearchParams("startIndex=1000000000000000"))).toThrow("must be an integer");
});

test("a list contains the number of all resources and of shown resources", () => {
  expect(buildList([1, 2], 7, 3)).toMatchObject({
    totalResults: 7,
    startIndex: 3,
    itemsPerPage: 2,
    Resources: [1, 2],
  });
});

test.each([
  ["", ["schemas", "id", "userName", "emails"], true],
  ["attributes=userName", ["schemas", "id", "userName"], false],
  ["attributes=emails.value", ["schemas", "id", "emails"], true],
  ["attributes=urn:ietf:params:scim:schemas:core:2.0:User:userName", ["schemas", "id", "userName"], false],
  ["excludedAttributes=emails, userName,id", ["schemas", "id"], false],
])("with %j, a resource shows %j", (query, names, hasEmails) => {
  const projection = parseProjection(new URLSearchParams(query));
  const resource = { schemas: [], id: "1", userName: "u", emails: [{ value: "a", type: "work" }] };
  expect(Object.keys(projectResource(resource, projection))).toEqual(names);
  expect(isShown(projection, "emails")).toBe(hasEmails);
});

test("parts of an attribute are shown as requested", () => {
  const resource = { id: "1", emails: [{ value: "a", type: "work" }] };
  const show = (query: string) =>
    projectResource(resource, parseProjection(new URLSearchParams(query))).emails;
  expect(show("attributes=emails.value")).toEqual([{ value: "a" }]);
  expect(show("attributes=emails")).toEqual([{ value: "a", type: "work" }]);
  expect(show("excludedAttributes=emails.type")).toEqual([{ value: "a" }]);
});

test("a token is only read from a valid header", () => {
  const { token, prefix } = generateScimToken();
  expect(token).toMatch(/^svc_scim_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}$/);
  expect(token).toContain(`_${prefix}.`);
  expect(parseScimAuthorization(`Bearer ${token}`)).toBe(token);
  expect(parseScimAuthorization(`bearer  ${token} `)).toBe(token);
  for (const header of [
    null,
    "",
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer x${token}`,
    `Bearer ${token} x`,
  ]) {
    expect(parseScimAuthorization(header)).toBeNull();
  }
});

test("a user created by an administrator has the email as userName", () => {
  const row = {
    id: "1",
    userName: null,
    externalId: null,
    email: "a@x",
    name: "Ada",
    givenName: null,
    familyName: null,
    formattedName: null,
    emails: null,
    isActive: false,
    ownRole: "owner" as const,
    createdAt: 5_000,
    updatedAt: 0,
  };
  expect(buildUser(row, "https://api/Users")).toMatchObject({
    userName: "a@x",
    displayName: "Ada",
    name: { formatted: "Ada" },
    active: false,
    roles: [{ value: "owner" }],
    meta: {
      created: "1970-01-01T00:00:05.000Z",
      lastModified: "1970-01-01T00:00:05.000Z",
      location: "https://api/Users/1",
    },
  });
  expect(buildUser(row, "")).not.toHaveProperty("externalId");
});

test("names are compared regardless of case and Unicode composition", () => {
  expect(foldName("A\u030Angstrom")).toBe(foldName("ÅNGSTROM"));
});
