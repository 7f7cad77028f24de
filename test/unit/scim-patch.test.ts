import fc from "fast-check";
import { expect, test } from "vitest";
import { applyOperation, applyResource, type Draft } from "../../src/scim/apply-patch.ts";
import { USER_KIND } from "../../src/scim/patch-path.ts";
import { parsePatchRequest } from "../../src/scim/patch-request.ts";
import { ScimError } from "../../src/scim/scim-error.ts";
import { fromDraft, toDraft, type UserColumns } from "../../src/scim/user-record.ts";

/**
 * Operations of PATCH on users, as identity providers send them. Facts from the public documentation:
 * - Microsoft Entra: https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups,
 *   …/application-provisioning-config-problem-scim-compatibility and …/customize-application-attributes
 * - Okta: https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
 */

const ADA: UserColumns = {
  userName: "ada@example.com",
  externalId: "e-1",
  email: "ada@example.com",
  name: "Ada Lovelace",
  givenName: "Ada",
  familyName: "Lovelace",
  formattedName: null,
  emails: null,
  isActive: true,
  ownRole: "viewer",
};
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/** Returns stored addresses, first the primary one. */
const keep = (...addresses: [value: string, type: string][]) =>
  JSON.stringify(
    addresses.map(([value, type], index) => ({ value, type, ...(index === 0 && { primary: true }) })),
  );

function patch(operations: object[], former: UserColumns = ADA): UserColumns {
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
  const draft = toDraft(former);
  for (const operation of parsePatchRequest({ schemas, Operations: operations })) {
    applyOperation(draft, operation, USER_KIND);
  }
  return fromDraft(draft, former.ownRole);
}

test("operations without effect leave a user unchanged", () => {
  expect(patch([{ op: "replace", path: "active", value: true }])).toEqual(ADA);
});

test.each<[string, object[], Partial<UserColumns>]>([
  ["Okta deactivates", [{ op: "replace", value: { active: false } }], { isActive: false }],
  ["Entra deactivates", [{ op: "Replace", path: "active", value: "False" }], { isActive: false }],
  ["Entra with its flag deactivates", [{ op: "replace", path: "active", value: false }], { isActive: false }],
  [
    "Entra changes the address of the work and a name",
    [
      { op: "Replace", path: 'emails[type eq "work"].value', value: "Ada@New.example" },
      { op: "Replace", path: "name.familyName", value: "King" },
    ],
    { email: "ada@new.example", familyName: "King", name: "Ada King" },
  ],
  [
    "Entra adds an address of a kind that is not there",
    [{ op: "Add", path: 'emails[type eq "other"].Value', value: "Home@example.com" }],
    { emails: keep(["ada@example.com", "work"], ["Home@example.com", "other"]) },
  ],
  [
    "Entra changes the userName alone",
    [{ op: "Replace", path: "userName", value: "countess" }],
    { userName: "countess" },
  ],
  [
    "Entra replaces several attributes",
    [
      { op: "Replace", path: "displayName", value: "Countess" },
      { op: "Replace", path: "name.givenName", value: "Augusta" },
      { op: "Replace", path: "externalId", value: "e-2" },
      { op: "Replace", path: `${ENTERPRISE}:employeeNumber`, value: "7" },
      { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "1" },
      { op: "Add", path: "nickName", value: "A" },
      { op: "Add", path: "title", value: "Countess" },
    ],
    { name: "Countess", givenName: "Augusta", externalId: "e-2" },
  ],
  [
    "Entra with its flag replaces several attributes with names that have a dot",
    [
      {
        op: "replace",
        value: {
          displayName: "D",
          "name.givenName": "G",
          "name.familyName": "F",
          [`${ENTERPRISE}:employeeNumber`]: "7",
        },
      },
    ],
    { name: "D", givenName: "G", familyName: "F" },
  ],
  [
    "Entra adds roles as the text of JSON",
    [{ op: "Add", path: "roles", value: [{ value: '{"id":"06b0","value":"Editor","displayName":"x"}' }] }],
    { ownRole: "editor" },
  ],
  [
    "Entra sets the primary role",
    [{ op: "Add", path: 'roles[primary eq "True"].value', value: "Owner" }],
    { ownRole: "owner" },
  ],
  [
    "of several roles, the highest counts; others are no roles",
    [
      {
        op: "replace",
        path: "roles",
        value: [{ value: "User" }, { value: "signpost-Editors" }, { value: "viewer" }],
      },
    ],
    { ownRole: "editor" },
  ],
  ["without roles, a user is a viewer", [{ op: "remove", path: "roles" }], { ownRole: "viewer" }],
  ["a removed attribute has no value", [{ op: "Remove", path: "externalId" }], { externalId: null }],
  ["null is no value", [{ op: "replace", path: "externalId", value: null }], { externalId: null }],
  [
    "a removed part of the name is gone from the name",
    [{ op: "remove", path: "name.givenName", value: "Ada" }],
    { givenName: null, name: "Lovelace" },
  ],
  [
    "parts of a name that are not given stay",
    [{ op: "replace", path: "name", value: { familyName: "K" } }],
    { familyName: "K", name: "Ada K" },
  ],
  ["names of attributes have no case", [{ op: "replace", path: "DISPLAYNAME", value: "X" }], { name: "X" }],
  [
    "a path may have the URN of the schema",
    [{ op: "replace", path: "urn:ietf:params:scim:schemas:core:2.0:User:name.familyName", value: "K" }],
    { familyName: "K", name: "Ada K" },
  ],
  [
    "a whole list of addresses is replaced",
    [
      {
        op: "replace",
        path: "emails",
        value: [
          { value: "x@example.com", type: "home" },
          { value: "y@example.com", primary: true },
        ],
      },
    ],
    { email: "y@example.com", emails: keep(["y@example.com", "work"], ["x@example.com", "home"]) },
  ],
  [
    "an added primary address comes before the former one",
    [{ op: "add", path: "emails", value: [{ value: "z@example.com", primary: true }] }],
    { email: "z@example.com", emails: keep(["z@example.com", "work"], ["ada@example.com", "work"]) },
  ],
  [
    "the only address keeps another type than work",
    [{ op: "replace", path: "emails", value: [{ value: "z@example.com", type: "home" }] }],
    { email: "z@example.com", emails: keep(["z@example.com", "home"]) },
  ],
  [
    "a formatted name is kept beside its parts",
    [{ op: "replace", path: "name.formatted", value: "Ms. Ada Lovelace, Countess" }],
    { formattedName: "Ms. Ada Lovelace, Countess", name: "Ms. Ada Lovelace, Countess" },
  ],
  [
    "a formatted name that its parts give is not kept, so that it changes with them",
    [{ op: "replace", path: "name.formatted", value: "Ada Lovelace" }],
    {},
  ],
  [
    "without addresses, the userName is the address",
    [
      { op: "remove", path: 'emails[value eq "ADA@example.com"]' },
      { op: "replace", path: "userName", value: "b@example.com" },
    ],
    { email: "b@example.com", userName: "b@example.com" },
  ],
])("%s", (_, operations, changed) => {
  expect(patch(operations)).toEqual({ ...ADA, ...changed });
});

test("a display name that was set stays when the name's parts change", () => {
  const former = { ...ADA, name: "Countess" };
  expect(patch([{ op: "replace", path: "name.givenName", value: "A" }], former).name).toBe("Countess");
});

test.each<[string, object, string, string]>([
  ["an unknown attribute", { op: "replace", path: "userNmae", value: "x" }, "invalidPath", "does not have"],
  [
    "an invalid path",
    { op: "replace", path: "emails[", value: "x" },
    "invalidPath",
    "not a valid attribute path",
  ],
  [
    "a filter on a single value",
    { op: "replace", path: 'userName[a eq "b"]', value: "x" },
    "invalidPath",
    "single-valued",
  ],
  ["a part of a text", { op: "replace", path: "userName.x", value: "x" }, "invalidPath", "none"],
  ["a path that is not a string", { op: "replace", path: 7, value: "x" }, "invalidPath", "must be a string"],
  ["a wrong filter", { op: "replace", path: "emails[type zz]", value: "x" }, "invalidFilter", "operator"],
  ["the id", { op: "replace", path: "id", value: "x" }, "mutability", "cannot be changed"],
  [
    "a value that is no boolean",
    { op: "replace", path: "active", value: "perhaps" },
    "invalidValue",
    "true or false",
  ],
  [
    "a name that is not a string",
    { op: "replace", path: "userName", value: {} },
    "invalidValue",
    "must be a string",
  ],
  ["an empty userName", { op: "remove", path: "userName" }, "invalidValue", "userName must be given"],
  [
    "an address that is none",
    { op: "replace", path: "emails", value: "ada" },
    "invalidValue",
    "email address",
  ],
  [
    "51 addresses",
    { op: "add", path: "emails", value: Array(51).fill("a@b.c") },
    "invalidValue",
    "at most 50",
  ],
  [
    "a text that is too long",
    { op: "replace", path: "displayName", value: "x".repeat(201) },
    "invalidValue",
    "200",
  ],
  [
    "a control character",
    { op: "replace", path: "displayName", value: "a\u0007" },
    "invalidValue",
    "control",
  ],
  ["a removal without a path", { op: "remove" }, "noTarget", "path"],
  ["an operation without a path or an object", { op: "add", value: "x" }, "invalidValue", "an object"],
  [
    "a filter that selects nothing",
    { op: "replace", path: 'emails[type sw "h"].value', value: "x" },
    "noTarget",
    "No value",
  ],
  ["an unknown operation", { op: "move", path: "userName" }, "invalidSyntax", "op must be"],
])("%s is rejected", (_, operation, scimType, detail) => {
  expect(() => patch([operation])).toThrow(ScimError);
  expect(() => patch([operation])).toThrow(detail);
  try {
    patch([operation]);
  } catch (error) {
    expect(error).toMatchObject({ status: 400, scimType });
  }
});

test.each(["__proto__.x", "constructor.prototype.x", "toString"])(
  "the path %s changes no prototype",
  (path) => {
    expect(() => patch([{ op: "add", path, value: "polluted" }])).toThrow(ScimError);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  },
);

test("a complete resource has the attributes that Okta sends, and others are ignored", () => {
  const draft: Draft = new Map();
  const resource = {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    userName: "Test.User@okta.local",
    id: 7,
    name: { givenName: "Test", middleName: "E", familyName: "User" },
    emails: [{ primary: true, value: "test.user@okta.local", type: "work", display: "x" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
    meta: { resourceType: "User" },
    unknownThing: { a: 1 },
  };
  applyResource(draft, resource, USER_KIND);
  expect(fromDraft(draft, "editor")).toEqual({
    userName: "Test.User@okta.local",
    externalId: "00ujl29u0le5T6Aj10h7",
    email: "test.user@okta.local",
    name: "Test User",
    givenName: "Test",
    familyName: "User",
    formattedName: null,
    emails: null,
    isActive: true,
    ownRole: "editor",
  });
});

test("any operation is applied or rejected", () => {
  const paths = fc.constantFrom(
    ...[
      "active",
      "emails",
      'emails[type eq "work"]',
      'emails[type eq "work"].value',
      "emails.value",
      "name",
      "roles",
    ],
    ...["name.formatted", "members", "meta", "a[b", "__proto__", "", null],
  );
  const operations = fc.record(
    {
      op: fc.constantFrom("add", "Replace", "REMOVE", 1),
      path: fc.oneof(paths, fc.string()),
      value: fc.jsonValue(),
    },
    { requiredKeys: ["op"] },
  );
  fc.assert(
    fc.property(fc.array(operations, { minLength: 1, maxLength: 5 }), (list) => {
      try {
        patch(list);
      } catch (error) {
        expect(error).toMatchObject({ name: "ScimError", status: 400 });
      }
    }),
  );
});
