import { describe, expect, test } from "vitest";
import { EXAMPLE_ID } from "../../src/http/fields.ts";
import { SHARED_HEADERS } from "../../src/openapi/headers.ts";
import type { Content, OperationObject } from "../../src/openapi/objects.ts";
import { contract, findSchemaFaults } from "../support/contract.ts";
import { EXAMPLE_RULES, listObjects, listTimes } from "../support/example-rules.ts";

/** Examples of the OpenAPI document must be valid and consistent. */

type Json = Record<string, unknown>;

const operations = [contract.paths, contract.webhooks].flatMap((items) =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path,
      method,
      operation,
    })),
  ),
);

/** Examples of all bodies of requests, responses, events and errors. */
const samples = [
  ...operations.flatMap(({ name, operation: { requestBody, responses } }) => [
    ...listSamples(`request of ${name}`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      listSamples(`${status} of ${name}`, content),
    ),
  ]),
  ...Object.entries(contract.components.responses).flatMap(([name, { content }]) =>
    listSamples(name, content),
  ),
];

function listSamples(name: string, content: Content = {}) {
  return Object.values(content).flatMap(({ schema = {}, example }) =>
    example === undefined ? [] : [{ name, schema, example: example as Json }],
  );
}

test("every example is valid for its schema", () => {
  expect(samples.length).toBeGreaterThan(80);
  const faults = samples.flatMap(({ name, schema, example }) =>
    findSchemaFaults(schema, example).map((fault) => `${name}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test.each(EXAMPLE_RULES.map((rule) => [rule.title, rule] as const))("in every example, %s", (_, rule) => {
  const objects = samples.flatMap(({ name, example }) =>
    listObjects(example).map((object) => ({ name, object })),
  );
  const concerned = objects.filter(({ object }) =>
    rule.fields.every((field) => Object.hasOwn(object, field)),
  );
  expect(concerned).not.toEqual([]);
  expect(concerned.filter(({ object }) => !rule.isKept(object as never))).toEqual([]);
});

/** Successful JSON responses with the operation and its request. */
const exchanges = operations.flatMap(({ name, path, method, operation }) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const response = content?.["application/json"]?.example as { data: unknown; meta: Json } | undefined;
    return response?.meta === undefined
      ? []
      : [{ name, path, method, operation, status, request: getRequest(operation), ...response }];
  }),
);

function getRequest({ requestBody }: OperationObject): Json {
  return (requestBody?.content["application/json"]?.example ?? {}) as Json;
}

/** Response fields that repeat a request field under another name. */
const RESPONSE_NAMES: Record<string, string> = {
  url: "destination",
  custom_slug: "short_code",
  page_data_patch: "page_data",
};

/** Returns true if a response contains a sent value. Null removes a member, and times are in UTC. */
function isRepeated(sent: unknown, received: unknown): boolean {
  if (sent === null) return received === undefined || received === null;
  if (typeof sent === "string" && listTimes(sent).length > 0) {
    return Date.parse(sent) === Date.parse(received as string);
  }
  if (typeof sent !== "object") return sent === received;
  if (typeof received !== "object" || received === null) return false;
  const isSameLength = !Array.isArray(sent) || sent.length === (received as unknown[]).length;
  return (
    isSameLength && Object.entries(sent).every(([name, value]) => isRepeated(value, (received as Json)[name]))
  );
}

describe.each(exchanges.map((exchange) => [exchange.name, exchange] as const))("%s", (_, exchange) => {
  const { path, method, operation, status, request, data, meta } = exchange;
  const { parameters = [] } = operation;
  const resource = data as Json;

  test("returns the fields of the request", () => {
    for (const [field, sent] of Object.entries(request)) {
      const name = Object.hasOwn(resource, field) ? field : RESPONSE_NAMES[field];
      if (name === undefined || !Object.hasOwn(resource, name)) continue;
      expect([field, isRepeated(sent, resource[name])]).toEqual([field, true]);
    }
  });

  test("returns the resource of the path, new or changed", () => {
    if (resource.id !== undefined && path.includes("{")) {
      const ids = parameters.filter((parameter) => parameter.in === "path");
      expect(ids.at(-1)?.name === "external_id" ? resource.external_id : resource.id).toBe(
        ids.at(-1)?.schema.examples?.[0],
      );
    }
    if (resource.updated_at === undefined) return;
    if (status === "201" || method === "put") expect(resource.updated_at).toBe(resource.created_at);
    if (method === "patch") expect(resource.updated_at).not.toBe(resource.created_at);
  });

  test("has the same quota as the headers, which resets at the end of the latest time's month", () => {
    const { limit, remaining, reset, reset_at } = meta.rate_limit as Json;
    const fromHeader = (name: string) => Number(SHARED_HEADERS[name]?.schema.examples?.[0]);
    expect(remaining).toBe(fromHeader("X-RateLimit-Remaining"));
    if (limit !== undefined) expect(limit).toBe(fromHeader("X-RateLimit-Limit"));
    const resetMs = reset_at === undefined ? Number(reset) * 1_000 : Date.parse(String(reset_at));
    expect(resetMs).toBe(fromHeader("X-RateLimit-Reset") * 1_000);

    const past = listObjects(data).flatMap(({ expires_at: _, ...others }: Json) =>
      Object.values(others).flatMap((value) => (typeof value === "string" ? listTimes(value) : [])),
    );
    const latest = new Date(past.sort().at(-1) ?? "2026-11-30T00:00:00.000Z");
    expect(Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth() + 1, 1)).toBe(resetMs);
  });

  test("has the page and range of its parameters", () => {
    const query = Object.fromEntries(
      parameters.map(({ name, schema }) => [name, schema.default ?? schema.examples?.[0]]),
    );
    if (meta.total !== undefined) expect([meta.limit, meta.offset]).toEqual([query.limit, query.offset ?? 0]);
    if (resource.by !== undefined) expect(resource.by).toBe(query.by);
    if (resource.interval === undefined) return;
    expect(resource.interval).toBe(query.interval);
    const dates = (resource.points as { date: string }[]).map(({ date }) => date);
    expect([dates[0], dates.at(-1)]).toEqual([query.from_date, query.to_date]);
  });
});

test("the headers have a quota that the plan allows", () => {
  const read = (name: string) => Number(SHARED_HEADERS[`X-RateLimit-${name}`]?.schema.examples?.[0]);
  expect(read("Remaining")).toBeLessThanOrEqual(read("Limit"));
  expect(read("Burst-Remaining")).toBeLessThanOrEqual(read("Burst-Limit"));
  const usage = findExchange("getUsage").data as { usage: Json; limits: Json };
  expect(usage.limits.api_calls_per_month).toBe(read("Limit"));
  expect(Number(usage.usage.api_calls_this_month) + read("Remaining")).toBe(read("Limit"));
});

test("bulk operations return one result for each item", () => {
  const bulk = findExchange("bulkCreateLinks");
  const items = bulk.request.links as Json[];
  const { created, errors } = bulk.data as { created: Json[]; errors: { index: number; message: string }[] };
  expect(created.length + errors.length).toBe(items.length);
  const failed = new Set(errors.map(({ index }) => index));
  for (const index of failed) expect(items[index]).toBeDefined();
  const successful = items.filter((_, index) => !failed.has(index));
  for (const [index, { url, custom_slug, labels }] of successful.entries()) {
    expect(created[index]).toMatchObject({ destination: url, short_code: custom_slug, labels });
  }
  const status = findExchange("bulkUpdateLinkStatus");
  expect(status.data).toEqual({ updated: (status.request.ids as unknown[]).length });
});

test("the payload of a delivery is a valid body of its event", () => {
  const { payload } = findExchange("getDelivery").data as { payload: { event: string } };
  const body = contract.webhooks[payload.event]?.post?.requestBody?.content["application/json"];
  expect(findSchemaFaults(body?.schema ?? {}, payload)).toEqual([]);
  expect(payload).toEqual(body?.example);
});

test("the URL of a presigned upload matches the upload operation and its parameters", () => {
  const { upload } = findExchange("presignUpload").data as { upload: { url: string } };
  const { pathname, searchParams } = new URL(upload.url);
  const { operation, path } =
    operations.find(({ operation }) => operation.operationId === "uploadFile") ?? {};
  expect(pathname).toBe(path?.replaceAll(/\{\w+\}/g, EXAMPLE_ID));
  const parameters = operation?.parameters?.filter((parameter) => parameter.in === "query") ?? [];
  expect(Object.fromEntries(searchParams)).toEqual(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, String(schema.examples?.[0])])),
  );
});

function findExchange(operationId: string) {
  const found = exchanges.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`the document has no response of ${operationId}`);
  return found;
}
