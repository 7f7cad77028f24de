import { expect, test } from "vitest";
import * as z from "zod";
import { ErrorResponseComponents, listErrorCodes } from "../../src/openapi/error-responses.ts";
import {
  buildKeylessHeaders,
  buildResponseHeaders,
  writeHeaderComponents,
} from "../../src/openapi/headers.ts";
import {
  buildExample,
  changeExample,
  type JsonSchema,
  SchemaComponents,
} from "../../src/openapi/json-schema.ts";
import { writePathParameter, writeQueryParameters } from "../../src/openapi/parameters.ts";
import { formatResponseName } from "../../src/openapi/response-name.ts";

/** Parts of the OpenAPI document. */

const QUOTA = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Burst-Limit",
  "X-RateLimit-Burst-Remaining",
];

test.each([
  [200, QUOTA, []],
  [400, [], QUOTA],
  [401, ["WWW-Authenticate"], []],
  [403, [], QUOTA],
  [405, [...QUOTA, "Allow"], []],
  [429, ["Retry-After"], QUOTA],
  [500, [], QUOTA],
  [503, ["Retry-After"], QUOTA],
] as const)("a response with %i has X-Request-Id and %j, and %j if they apply", (status, names, optional) => {
  const headers = Object.entries(buildResponseHeaders(status));
  const isOptional = ([, header]: (typeof headers)[number]) => "required" in header && !header.required;
  const listNames = (some: typeof headers) => some.map(([name]) => name);
  expect(listNames(headers.filter((header) => !isOptional(header)))).toEqual(["X-Request-Id", ...names]);
  expect(listNames(headers.filter(isOptional))).toEqual(optional);
});

test("a response to a request without an API key has no quota", () => {
  expect(Object.keys(buildKeylessHeaders())).toEqual(["X-Request-Id"]);
  expect(Object.keys(buildKeylessHeaders(405))).toEqual(["X-Request-Id", "Allow"]);
  expect(buildResponseHeaders(200, "Idempotency-Replayed")["Idempotency-Replayed"]).toEqual({
    $ref: "#/components/headers/IdempotencyReplayed",
  });
});

test("a header has a component whose name has only letters and digits", () => {
  const names = Object.keys(writeHeaderComponents());
  expect(names).toContain("XRateLimitBurstLimit");
  expect(names.filter((name) => !/^[A-Za-z]+$/.test(name))).toEqual([]);
});

test("an operation can return the errors of its method, path, body and own checks", () => {
  const operation = { id: "x", tag: "Links", summary: "", rateLimit: "A", scope: "links:read" } as const;
  const list = (members: Partial<Parameters<typeof listErrorCodes>[0]>) =>
    listErrorCodes({ ...operation, method: "get", path: "/v1/x", ...members });
  const common = list({});
  expect(common).toContain("INTERNAL_ERROR");
  const listOwn = (members: Parameters<typeof list>[0]) => list(members).slice(common.length);
  expect(listOwn({ path: "/v1/x/:id" })).toEqual(["RESOURCE_NOT_FOUND"]);
  expect(listOwn({ method: "delete" })).toEqual(["WORKSPACE_MOVING"]);
  expect(listOwn({ method: "patch", body: z.strictObject({}), errors: ["SLUG_TAKEN"] })).toEqual([
    "SLUG_TAKEN",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "WORKSPACE_MOVING",
    "QUOTA_EXCEEDED",
  ]);
  expect(listOwn({ method: "post", data: z.string() })).toEqual([
    "IDEMPOTENCY_CONFLICT",
    "WORKSPACE_MOVING",
    "QUOTA_EXCEEDED",
  ]);
});

test("errors are grouped by status, a key conflict is 409 and 422, and only stored responses are replayed", () => {
  const errors = new ErrorResponseComponents(new SchemaComponents());
  const references = errors.writeReferences(["VALIDATION_ERROR", "IDEMPOTENCY_CONFLICT", "SLUG_TAKEN"], {
    isIdempotent: true,
  });
  expect(references).toEqual({
    400: { $ref: "#/components/responses/BadRequestReplayable" },
    409: { $ref: "#/components/responses/ConflictSlugTakenReplayable" },
    422: { $ref: "#/components/responses/UnprocessableContent" },
  });
  const names = Object.keys(errors.listComponents());
  expect(names).toEqual(["BadRequestReplayable", "ConflictSlugTakenReplayable", "UnprocessableContent"]);
  const listHeaders = (name: string) => Object.keys(errors.listComponents()[name]?.headers ?? {});
  expect(listHeaders("BadRequestReplayable")).toContain("Idempotency-Replayed");
  expect(listHeaders("UnprocessableContent")).not.toContain("Idempotency-Replayed");
  expect(errors.writeReferences(["VALIDATION_ERROR"])).toEqual({
    400: { $ref: "#/components/responses/BadRequest" },
  });
  const lower = { names: { SLUG_TAKEN: "slug_taken" } };
  errors.writeReferences(["SLUG_TAKEN"], lower);
  expect(() => errors.writeReferences(["SLUG_TAKEN"], { names: { SLUG_TAKEN: "taken" } })).toThrow(
    "two different responses have the name ConflictSlugTakenLowercase",
  );
});

test.each([
  [{ status: 403, codes: ["INSUFFICIENT_SCOPE", "PLAN_LIMIT_EXCEEDED"] }, "ForbiddenPlanLimitExceeded"],
  [{ status: 409, codes: ["SLUG_TAKEN", "DOMAIN_TAKEN"] }, "ConflictSlugTakenOrDomainTaken"],
  [{ status: 418, codes: [] }, "Status418"],
  [{ status: 404, codes: ["RESOURCE_NOT_FOUND"], hasLowercaseCodes: true }, "NotFoundLowercase"],
  [{ status: 405, codes: [], isKeyless: true, isReplayable: true }, "MethodNotAllowedKeylessReplayable"],
] as const)("the response %j has the name %s", (response, name) => {
  const flags = { hasLowercaseCodes: false, isKeyless: false, isReplayable: false };
  expect(formatResponseName({ ...flags, ...response })).toBe(name);
});

test("parameters of paths and queries have a description, and whether they are required", () => {
  expect(writePathParameter("bio_page_id").description).toBe("Identifier of the bio page.");
  const schema = {
    properties: { a: { type: "string", description: "A." }, b: { type: "integer" } },
    required: ["b"],
  };
  expect(writeQueryParameters(schema)).toEqual([
    { name: "a", in: "query", description: "A.", schema: { type: "string" } },
    { name: "b", in: "query", required: true, schema: { type: "integer" } },
  ]);
});

test.each<[JsonSchema, unknown]>([
  [{ type: "string", examples: ["first", "second"], const: "c" }, "first"],
  [{ type: "string", const: "c", default: "d" }, "c"],
  [{ type: "string", default: "d", enum: ["e"] }, "d"],
  [{ type: "string", enum: ["e", "f"] }, "e"],
  [{ anyOf: [{ type: "boolean" }, { type: "null" }] }, true],
  [{ oneOf: [{ type: "integer", minimum: 3 }] }, 3],
  [{ type: "number" }, 0],
  [{ type: "string" }, "text"],
  [{ type: "string", format: "date" }, "2026-11-20"],
  [{ type: "array", items: { type: "null" } }, [null]],
  [{ type: "array" }, []],
  [{ type: "object", properties: { a: { type: "string", format: "uri" } } }, { a: "https://example.com/" }],
])("the example of %j is %j", (schema, example) => {
  expect(buildExample(schema, new SchemaComponents())).toEqual(
    schema.format === "date" ? expect.stringMatching(/^\d{4}-\d\d-\d\d$/) : example,
  );
});

test("changeExample merges objects and arrays, and an array gets the length of the change", () => {
  const example = { a: { b: 1, c: 2 }, list: [{ x: 1 }, { x: 2 }], kept: [1] };
  expect(changeExample(example, { a: { c: 3 }, list: [{ y: 5 }] })).toEqual({
    a: { b: 1, c: 3 },
    list: [{ x: 1, y: 5 }],
    kept: [1],
  });
  expect(changeExample("text", { a: 1 })).toEqual({ a: 1 });
  expect(changeExample([7], { a: 1 })).toEqual({ a: 1 });
  expect(changeExample({ a: 1 }, null)).toBeNull();
  expect(changeExample({ a: 1 }, [{ b: 2 }])).toEqual([{ b: 2 }]);
});

test("a schema with an id is a component, and extra members added by zod are removed", () => {
  const schemas = new SchemaComponents();
  const part = z.strictObject({ n: z.int() }).meta({ id: "Part" });
  expect(schemas.writeResponseSchema(z.strictObject({ part }))).toMatchObject({
    properties: { part: { $ref: "#/components/schemas/Part" } },
  });
  expect(schemas.listComponents().Part?.properties).toEqual({ n: { type: "integer" } });
  expect(schemas.resolveReference({ $ref: "#/components/schemas/Part" }).type).toBe("object");
  expect(() => schemas.resolveReference({ $ref: "#/components/schemas/Other" })).toThrow("does not exist");
  expect(() =>
    schemas.writeResponseSchema(z.array(z.strictObject({ m: z.int() }).meta({ id: "Part" }))),
  ).toThrow("two different schemas have the id Part");
  expect(schemas.writeRequestSchema(z.uuid().meta({ example: "x" }))).toEqual({
    type: "string",
    format: "uuid",
    examples: ["x"],
  });
});
