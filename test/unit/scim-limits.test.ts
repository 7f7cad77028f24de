import { expect, test } from "vitest";
import { applyOperation, type Draft } from "../../src/scim/apply-patch.ts";
import { fromGroupDraft } from "../../src/scim/group-record.ts";
import { USER_KIND } from "../../src/scim/patch-path.ts";
import { parsePatchRequest } from "../../src/scim/patch-request.ts";
import { parseProjection } from "../../src/scim/project-resource.ts";
import { parseRoleValue } from "../../src/scim/role-name.ts";
import { readScimBody } from "../../src/scim/scim-body.ts";
import { fromDraft } from "../../src/scim/user-record.ts";

/** Limits of requests from identity providers, tested with the last valid and the first invalid value. */

const text = (length: number) => "x".repeat(length);
const user = (attributes: Record<string, unknown>) =>
  fromDraft(new Map(Object.entries({ userName: "ada@example.com", ...attributes })) as Draft, "viewer");
const emails = [{ value: "ada@example.com" }];
const patch = (operation: { path: string; value: unknown }) =>
  applyOperation(new Map(), { verb: "add", ...operation }, USER_KIND);

test.each<[string, number, string, (size: number) => unknown]>([
  ["userName", 256, "at most 256", (size) => user({ userName: text(size), emails })],
  ["externalId", 256, "at most 256", (size) => user({ externalId: text(size) })],
  ["displayName", 200, "at most 200", (size) => user({ displayName: text(size) })],
  ["name.formatted", 200, "at most 200", (size) => user({ name: { formatted: text(size) } })],
  ["name.givenName", 200, "at most 200", (size) => user({ name: { givenName: text(size) } })],
  ["name.familyName", 200, "at most 200", (size) => user({ name: { familyName: text(size) } })],
  ["name of a group", 256, "at most 256", (size) => fromGroupDraft(new Map([["displayName", text(size)]]))],
  ["text of a PATCH", 1_000, "at most 1000", (size) => patch({ path: "userName", value: text(size) })],
  [
    "addresses",
    50,
    "at most 50",
    (size) => patch({ path: "emails", value: Array(size).fill("a@example.com") }),
  ],
  [
    "path",
    1_000,
    "not a valid attribute path",
    (size) => patch({ path: `emails[value eq "${text(size - 19)}"]`, value: { type: "work" } }),
  ],
  [
    "operations of a PATCH",
    100,
    "at most 100",
    (size) =>
      parsePatchRequest({
        schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        Operations: Array(size).fill({ op: "remove", path: "title" }),
      }),
  ],
])("%s: accepted up to %i, and not beyond", (_, max, message, act) => {
  expect(() => act(max)).not.toThrow();
  expect(() => act(max + 1)).toThrow(message);
});

test("the display name is cut if its parts are longer together", () => {
  const name = { givenName: text(200), familyName: "y" };
  expect(user({ name }).name).toBe(text(200));
  expect(user({ name: { givenName: text(198), familyName: "y" } }).name).toBe(`${text(198)} y`);
});

test("a value of roles is read as JSON up to 1,000 characters", () => {
  const build = (length: number) => `{"value":"editor","x":"${text(length - 25)}"}`;
  expect(build(1_000)).toHaveLength(1_000);
  expect([parseRoleValue(build(1_000)), parseRoleValue(build(1_001))]).toEqual(["editor", null]);
});

test("attributes are read from the first 2,000 characters of their list", () => {
  const parse = (length: number) =>
    parseProjection(new URLSearchParams({ attributes: `${text(length - 3)},id` })).attributes?.has("id");
  expect([parse(2_000), parse(2_001)]).toEqual([true, false]);
});

test("a body has at most 256 KiB", async () => {
  const read = (bytes: number) =>
    readScimBody(
      new Request("http://x.example/", {
        method: "POST",
        headers: { "Content-Type": "application/scim+json" },
        body: `{"a":"${text(bytes - 8)}"}`,
      }),
    );
  expect((await read(262_144)).a).toHaveLength(262_136);
  await expect(read(262_145)).rejects.toMatchObject({ status: 413 });
});
