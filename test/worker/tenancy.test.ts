import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonSchema } from "../../src/openapi/json-schema.ts";
import { contract } from "../support/contract.ts";
import { newWorkspace, type TestWorkspace, workerEnv } from "../support/harness.ts";
import {
  createResources,
  fillPath,
  getExampleBody,
  getExampleQuery,
  type Ids,
  operations,
  quietEnv,
  readStored,
} from "../support/resources.ts";

/** A request with another workspace's id gets the same response as one with an unknown id, and changes nothing. */

const operationsById = operations.map((entry) => [entry.operation.operationId, entry] as const);

/**
 * Builds the sets of ids for a path: one or all of its ids belong to another workspace. `others` has the same
 * sets with unknown and malformed ids instead.
 */
function buildForeignIds(own: Ids, foreign: Ids, names: readonly string[]) {
  const groups = names.length > 1 ? [...names.map((name) => [name]), names] : [names];
  return groups.map((group) => {
    const replaceIds = (getId: (name: string) => string): Ids => ({
      ...own,
      ...Object.fromEntries(group.map((name) => [name, getId(name)])),
    });
    return {
      foreign: replaceIds((name) => foreign[name] ?? ""),
      others: [
        replaceIds(() => crypto.randomUUID()),
        replaceIds(() => "not-an-id"),
        replaceIds((name) => `${own[name]}0`),
      ],
    };
  });
}

/** Returns status, headers and body of a response as text, without its request id and the remaining rate limit. */
async function formatResponse(response: Response): Promise<string> {
  const headers = [...response.headers].filter(
    ([name]) => !["x-request-id", "x-ratelimit-remaining", "x-ratelimit-burst-remaining"].includes(name),
  );
  const text = await response.text();
  return `${response.status} ${text.replaceAll(response.headers.get("X-Request-Id") ?? "", "").replace(/"remaining":\d+/, "")} ${JSON.stringify(headers)}`;
}

/** Reads everything stored for a workspace, including its files' sizes and entity tags. */
async function readStoredWithFiles(workspace: TestWorkspace): Promise<string> {
  const { objects } = await workerEnv.PRIVATE_FILES.list({ prefix: workspace.id });
  return `${await readStored(workspace)} ${JSON.stringify(objects.map(({ key, etag, size }) => [key, etag, size]))}`;
}

async function createTwoWorkspaces() {
  const [ours, theirs] = [await newWorkspace("enterprise"), await newWorkspace("enterprise")];
  expect(ours.shardNumber, "only a condition keeps their rows apart").toBe(theirs.shardNumber);
  return { ours, theirs, own: await createResources(ours), foreign: await createResources(theirs) };
}

/** Workspaces for tests that change nothing. */
let shared: Awaited<ReturnType<typeof createTwoWorkspaces>> & { empty: TestWorkspace };
beforeAll(async () => {
  shared = { ...(await createTwoWorkspaces()), empty: await newWorkspace("enterprise") };
});

describe.each(operationsById.filter(([, { path }]) => path.replace("{external_id}", "").includes("{")))(
  "%s",
  (_, { path, method, operation }) => {
    test("returns the same 404 for an id of another workspace as for an unknown one in its path", async () => {
      const { ours, theirs, own, foreign } = shared;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const [oursBefore, theirsBefore] = [await readStoredWithFiles(ours), await readStoredWithFiles(theirs)];
      const request = async (ids: Ids) => {
        const body = getExampleBody(operation);
        const address = fillPath(path, ids) + getExampleQuery(operation);
        return formatResponse(await ours.call(method, address, { body, env: quietEnv }));
      };
      for (const ids of buildForeignIds(own, foreign, names)) {
        const response = await request(ids.foreign);
        expect(response).toMatch(/^404 /);
        for (const other of ids.others) expect(await request(other)).toBe(response);
      }
      expect(await readStoredWithFiles(ours)).toBe(oursBefore);
      expect(await readStoredWithFiles(theirs)).toBe(theirsBefore);
    });
  },
);

describe.each(operationsById.filter(([, { path, method }]) => method === "GET" && !path.includes("{")))(
  "%s",
  (_, { path, operation }) => {
    test("returns an empty workspace no data of its neighbours", async () => {
      const { empty, own, foreign } = shared;
      const response = await empty.call("GET", path + getExampleQuery(operation), { env: quietEnv });
      const text = await response.text();
      for (const [name, id] of [...Object.entries(own), ...Object.entries(foreign)])
        expect(text, name).not.toContain(id);
      const total = /"total":(\d+)/.exec(text)?.[1] ?? "0";
      // The workspace has the host of its short URLs.
      expect(total).toBe(path === "/v1/domains" ? "1" : "0");
    });
  },
);

const operationsWithIdInQuery = operationsById.flatMap(([id, entry]) =>
  (entry.operation.parameters ?? [])
    .filter(
      ({ name, in: location }) => location === "query" && name.endsWith("_id") && name !== "external_id",
    )
    .map(({ name }) => [id, name, entry] as const),
);

describe.each(operationsWithIdInQuery)("%s", (_, name, { path, method, operation }) => {
  test(`returns the same 404 for a ${name} of another workspace as for an unknown one in its query`, async () => {
    const { ours, own, foreign } = shared;
    const required = (operation.parameters ?? []).filter(
      ({ in: location, required }) => location === "query" && required,
    );
    const query = new URLSearchParams(
      required.map((parameter) => [parameter.name, String(parameter.schema.enum?.[0] ?? "")]),
    );
    const request = async (value: string) => {
      query.set(name, value);
      return formatResponse(await ours.call(method, `${fillPath(path, own)}?${query}`));
    };
    expect(await request(own[name] ?? "")).toMatch(/^200 /);
    const response = await request(foreign[name] ?? "");
    expect(response).toMatch(/^404 /);
    expect(response).toBe(await request(crypto.randomUUID()));
  });
});

test("three operations have ids of resources in their bodies", () => {
  const idFields = operations.flatMap(({ operation }) => {
    const names = listMemberNames(operation.requestBody?.content["application/json"]?.schema ?? {});
    return (
      names
        // External ids are the caller's own. A link's template has a test in link-fields.test.ts.
        .filter((name) => /(?:^|_)ids?$/.test(name) && !["external_id", "qr_template_id"].includes(name))
        .map((name) => `${operation.operationId}: ${name}`)
    );
  });
  expect(idFields).toEqual(["bulkUpdateLinks: id", "bulkUpdateLinkStatus: ids", "generateQr: template_id"]);
});

test("POST /v1/qr/generate returns the same 404 for a template of another workspace as for an unknown one", async () => {
  const { ours, own, foreign } = await createTwoWorkspaces();
  const request = async (template_id: string | undefined) =>
    formatResponse(await ours.call("POST", "/v1/qr/generate", { body: { content: "x", template_id } }));
  expect(
    (await ours.call("POST", "/v1/qr/generate", { body: { content: "x", template_id: own.template_id } }))
      .status,
  ).toBe(200);
  expect(await request(foreign.template_id)).toMatch(/^404 /);
  expect(await request(foreign.template_id)).toBe(await request(crypto.randomUUID()));
});

/** Lists the names of all members that values of a schema can have, at any depth. */
function listMemberNames(schema: JsonSchema): string[] {
  const component = contract.components.schemas[schema.$ref?.split("/").at(-1) ?? ""];
  const { properties = {}, items, anyOf = [], additionalProperties } = component ?? schema;
  const parts = [...Object.values(properties), items, ...anyOf, additionalProperties];
  const schemas = parts.filter((part) => typeof part === "object");
  return [...Object.keys(properties), ...schemas.flatMap(listMemberNames)];
}

test("PATCH /v1/links/bulk/status skips another workspace's links in the same way as unknown ones", async () => {
  const { ours, theirs, own, foreign } = await createTwoWorkspaces();
  const before = await readStored(theirs);
  const update = (workspace: TestWorkspace, ids: unknown[]) =>
    workspace.call("PATCH", "/v1/links/bulk/status", { body: { ids, enabled: false }, env: quietEnv });
  const response = await formatResponse(await update(ours, [own.link_id, foreign.link_id]));
  expect(response).toContain('"updated":1');
  expect(response).toBe(await formatResponse(await update(ours, [own.link_id, crypto.randomUUID()])));
  expect(await readStored(theirs)).toBe(before);
});

test("every operation accepts the examples of its body and parameters", async () => {
  // Analytics keep the data for the examples' dates only for a limited time.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-21T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { ours, own } = await createTwoWorkspaces();
  const deletions = operations.filter(({ method }) => method === "DELETE");
  const others = operations.filter(({ method }) => method !== "DELETE");
  for (const { path, method, operation } of [...others, ...deletions]) {
    // The resources were created from the examples: a second link cannot have the same slug, or a second
    // domain the same host.
    if (["createLink", "upsertLink", "createDomain"].includes(operation.operationId)) continue;
    const parameters = (operation.parameters ?? []).filter(
      (parameter) => parameter.in === "query" && hasExample(parameter.schema),
    );
    const query = new URLSearchParams(
      parameters.map((parameter) => [parameter.name, own[parameter.name] ?? getExample(parameter.schema)]),
    );
    const response = await ours.call(method, `${fillPath(path, own)}?${query}`, {
      body: getExampleBody(operation),
      env: quietEnv,
    });
    const context = `${operation.operationId}?${query}: ${await response.text()}`;
    expect([200, 201], context).toContain(response.status);
  }
});

/**
 * Returns false for a number without example or default, because numbers that exclude each other have none.
 */
function hasExample({ examples, default: value, type }: JsonSchema): boolean {
  return (examples?.[0] ?? value) !== undefined || (type !== "integer" && type !== "number");
}

function getExample({ examples, enum: values, default: value, ...schema }: JsonSchema): string {
  const example = examples?.[0] ?? value ?? values?.[0] ?? (schema.type === "boolean" ? true : "text");
  return String(example);
}
