import { beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/openapi/json-schema.ts";
import { contract } from "../support/contract.ts";
import { newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import {
  exampleBody,
  type Ids,
  makeResources,
  operations,
  pathWith,
  quietEnv,
  storedBy,
} from "../support/resources.ts";

/** Another workspace's id answers as an unknown one does, and nothing changes. */

const named = operations.map((each) => [each.operation.operationId, each] as const);

/**
 * Calls in which one of the ids that they name, or every one, is another workspace's; and the same calls with an id that
 * is nobody's, and with none.
 */
function strangers(own: Ids, foreign: Ids, names: readonly string[]) {
  const groups = names.length > 1 ? [...names.map((name) => [name]), names] : [names];
  return groups.map((group) => {
    const but = (id: (name: string) => string): Ids => ({
      ...own,
      ...Object.fromEntries(group.map((name) => [name, id(name)])),
    });
    return {
      foreign: but((name) => foreign[name] ?? ""),
      others: [but(() => crypto.randomUUID()), but(() => "not-an-id"), but((name) => `${own[name]}0`)],
    };
  });
}

/** What an answer says, but for the id of its request and what is left of the quota and the burst. */
async function said(response: Response): Promise<string> {
  const headers = [...response.headers].filter(
    ([name]) => !["x-request-id", "x-ratelimit-remaining", "x-ratelimit-burst-remaining"].includes(name),
  );
  const text = await response.text();
  return `${response.status} ${text.replaceAll(response.headers.get("X-Request-Id") ?? "", "").replace(/"remaining":\d+/, "")} ${JSON.stringify(headers)}`;
}

/** Everything that is stored for a workspace, the bytes of its files included. */
async function keptBy({ id }: TestWorkspace): Promise<string> {
  const { objects } = await workerEnv.PRIVATE_FILES.list({ prefix: id });
  return `${await storedBy(id)} ${JSON.stringify(objects.map(({ key, etag, size }) => [key, etag, size]))}`;
}

async function twoWorkspaces() {
  const [ours, theirs] = [await newWorkspace("enterprise"), await newWorkspace("enterprise")];
  return { ours, theirs, own: await makeResources(ours), foreign: await makeResources(theirs) };
}

/** For tests after which nothing is to have changed. */
let shared: Awaited<ReturnType<typeof twoWorkspaces>>;
beforeAll(async () => {
  shared = await twoWorkspaces();
});

describe.each(named.filter(([, { path }]) => path.includes("{")))("%s", (_, { path, method, operation }) => {
  test("takes no id of another workspace in its path", async () => {
    const { ours, theirs, own, foreign } = shared;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const [oursBefore, theirsBefore] = [await keptBy(ours), await keptBy(theirs)];
    const ask = async (ids: Ids) => {
      const body = exampleBody(operation);
      return said(await ours.call(method, pathWith(path, ids), { body, env: quietEnv }));
    };
    for (const ids of strangers(own, foreign, names)) {
      const answer = await ask(ids.foreign);
      expect(answer).toMatch(/^404 /);
      for (const other of ids.others) expect(await ask(other)).toBe(answer);
    }
    expect(await keptBy(ours)).toBe(oursBefore);
    expect(await keptBy(theirs)).toBe(theirsBefore);
  });
});

const withIdInQuery = named.flatMap(([id, each]) =>
  (each.operation.parameters ?? [])
    .filter(({ name, in: place }) => place === "query" && name.endsWith("_id"))
    .map(({ name }) => [id, name, each] as const),
);

describe.each(withIdInQuery)("%s", (_, name, { path, method, operation }) => {
  test(`takes no ${name} of another workspace in its query`, async () => {
    const { ours, own, foreign } = shared;
    const needed = (operation.parameters ?? []).filter(
      ({ in: place, required }) => place === "query" && required,
    );
    const query = new URLSearchParams(
      needed.map((parameter) => [parameter.name, String(parameter.schema.enum?.[0] ?? "")]),
    );
    const ask = async (value: string) => {
      query.set(name, value);
      return said(await ours.call(method, `${pathWith(path, own)}?${query}`));
    };
    expect(await ask(own[name] ?? "")).toMatch(/^200 /);
    const answer = await ask(foreign[name] ?? "");
    expect(answer).toMatch(/^404 /);
    expect(answer).toBe(await ask(crypto.randomUUID()));
  });
});

test("no operation takes ids in its body but the bulk update below", () => {
  const named = operations.flatMap(({ operation }) => {
    const names = namesIn(operation.requestBody?.content["application/json"]?.schema ?? {});
    return names
      .filter((name) => /(?:^|_)ids?$/.test(name))
      .map((name) => `${operation.operationId}: ${name}`);
  });
  expect(named).toEqual(["bulkUpdateLinkStatus: ids"]);
});

/** Names of all members that values of a schema may have, at any depth. */
function namesIn(schema: JsonSchema): string[] {
  const component = contract.components.schemas[schema.$ref?.split("/").at(-1) ?? ""];
  const { properties = {}, items, anyOf = [], additionalProperties } = component ?? schema;
  const parts = [...Object.values(properties), items, ...anyOf, additionalProperties];
  const schemas = parts.filter((part) => typeof part === "object");
  return [...Object.keys(properties), ...schemas.flatMap(namesIn)];
}

test("a bulk update skips another workspace's links as it skips unknown ones", async () => {
  const { ours, theirs, own, foreign } = await twoWorkspaces();
  const before = await storedBy(theirs.id);
  const update = (workspace: TestWorkspace, ids: unknown[]) =>
    workspace.call("PATCH", "/v1/links/bulk/status", { body: { ids, enabled: false }, env: quietEnv });
  const strange = await said(await update(ours, [own.link_id, foreign.link_id]));
  expect(strange).toContain('"updated":1');
  expect(strange).toBe(await said(await update(ours, [own.link_id, crypto.randomUUID()])));
  expect(await storedBy(theirs.id)).toBe(before);
});

test("every example, of a body as of a parameter, is one that its operation takes", async () => {
  const { ours, own } = await twoWorkspaces();
  const deletions = operations.filter(({ method }) => method === "DELETE");
  const others = operations.filter(({ method }) => method !== "DELETE");
  for (const { path, method, operation } of [...others, ...deletions]) {
    // The resources were made of the examples; a second link cannot have the same slug.
    if (method === "POST" && path === "/v1/links") continue;
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    const query = new URLSearchParams(
      parameters.map((parameter) => [parameter.name, own[parameter.name] ?? exampleOf(parameter.schema)]),
    );
    const response = await ours.call(method, `${pathWith(path, own)}?${query}`, {
      body: exampleBody(operation),
      env: quietEnv,
    });
    const told = `${operation.operationId}?${query}: ${await response.text()}`;
    expect([200, 201], told).toContain(response.status);
  }
});

function exampleOf({ examples, enum: values, default: value, ...schema }: JsonSchema): string {
  const example = examples?.[0] ?? value ?? values?.[0] ?? (schema.type === "boolean" ? true : "text");
  return String(example);
}
