import fc from "fast-check";
import type { JsonSchema } from "../../src/openapi/json-schema.ts";
import type { Parameter } from "../../src/openapi/objects.ts";
import { type HeaderList, headersFor } from "./arbitrary-headers.ts";
import { anyUrl } from "./arbitrary-texts.ts";
import { contract } from "./contract.ts";
import type { everyOperation, Ids } from "./resources.ts";

/** Generators of API requests, derived from the OpenAPI document: valid, nearly valid and hostile. */

type Operation = (typeof everyOperation)[number];

/** Generated request. */
export interface FuzzedRequest {
  /** Id of the operation that the request is derived from. Its method or path may differ. */
  operationId: string;
  method: string;
  /** Path and query. */
  path: string;
  headers: HeaderList;
  body: string | Uint8Array | undefined;
}

const LONG_TEXT = "x".repeat(9_000);
const DEEP_JSON = `${'{"a":['.repeat(200)}1${"]}".repeat(200)}`;

/** Values that are often misread, as JSON text because `JSON.stringify` cannot produce some of them. */
const hostileJson = fc.constantFrom(
  ...[
    "null",
    "true",
    "0",
    "-1",
    "1e308",
    "-0",
    "1e999",
    "9007199254740993",
    "0.1",
    "NaN",
    '""',
    '" "',
    "[]",
    "{}",
  ],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u202e"',
    '"👩‍👩‍👧‍👦"',
    '"İ"',
    '"ß"',
    '"\\n"',
  ],
  ...['"__proto__"', '"constructor"', '{"__proto__":{"a":1}}', '{"constructor":1}', '{"toString":null}'],
  ...[
    `"'; drop table links; --"`,
    '"<script>alert(1)</script>"',
    '"../../etc/passwd"',
    '"%00"',
    '"$(id)"',
    '"{{1}}"',
  ],
  ...[
    '"javascript:alert(1)"',
    '"http://[::1]/"',
    '"http://user:pw@example.com/"',
    '"https://"',
    '"//example.com"',
  ],
  ...['"2026-02-30T00:00:00Z"', '"9999-12-31T23:59:59-23:59"', '"0000-01-01"', '"275760-09-13T00:00:00Z"'],
  ...["[[]]", "[null]", '["a","a"]', `"${LONG_TEXT}"`, DEEP_JSON],
);

/** Text that is often misread. */
export const hostileText = fc.constantFrom(
  ...[
    "",
    " ",
    "\0",
    "-1",
    "0",
    "1e3",
    "NaN",
    "Infinity",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
    "1,2",
    "\n",
    "’",
  ],
  ...[
    "__proto__",
    "constructor",
    "'--",
    '"',
    "<b>",
    "../..",
    "%",
    "%25",
    "a".repeat(3_000),
    "9".repeat(30),
    "👍",
    "\u202e",
  ],
  ...[
    "99999999999999999999",
    "1.0",
    "0x10",
    "+1",
    "2026-02-30",
    "9999-12-31",
    "0001-01-01",
    "00000000-0000-0000-0000-000000000000",
  ],
);

/** Generates requests of an operation, with ids that exist and ids that do not. */
export function arbitraryRequest(operation: Operation, ids: Ids): fc.Arbitrary<FuzzedRequest> {
  const { parameters = [], requestBody } = operation.operation;
  const schema = requestBody?.content["application/json"]?.schema;
  return fc
    .record({
      names: fc.record(
        Object.fromEntries(
          parameters
            .filter((parameter) => parameter.in === "path")
            .map(({ name }) => [name, pathId(ids[name])]),
        ),
      ),
      query: queryFor(parameters.filter((parameter) => parameter.in === "query")),
      body: schema === undefined ? strayBody : bodyFor(schema),
      method: methodFor(operation.method),
      headers: headersFor(operation.method),
      template: pathLike(operation.path),
    })
    .map(({ names, query, body, method, headers, template }) => ({
      operationId: operation.operation.operationId,
      method,
      headers,
      body: ["GET", "HEAD"].includes(method) ? undefined : body,
      path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? "") + query,
    }));
}

/** Generates a method, mostly the operation's own. */
function methodFor(method: string): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constant(method), weight: 20 },
    { arbitrary: fc.constantFrom("OPTIONS", method === "GET" ? "HEAD" : "OPTIONS"), weight: 1 },
    { arbitrary: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"), weight: 1 },
    { arbitrary: fc.constantFrom("TRACE", "PURGE", "PROPFIND", "SEARCH", "QUERY"), weight: 1 },
  );
}

/**
 * Generates a path: mostly the given one, otherwise a path that a router or a cache might confuse with it.
 */
function pathLike(path: string): fc.Arbitrary<string> {
  const [last = ""] = path.match(/\w$/) ?? [];
  const encoded = last === "" ? path : `${path.slice(0, -1)}%${last.charCodeAt(0).toString(16)}`;
  return fc.oneof(
    { arbitrary: fc.constant(path), weight: 40 },
    {
      arbitrary: fc.constantFrom(
        `${path}/`,
        `${path}//`,
        path.replace("/v1/", "/v1//"),
        path.replace("/v1/", "/v1/%2e%2e/v1/"),
        path.replace("/v1/", "/v1/x/..%2f"),
        path.toUpperCase().replace("/V1/", "/v1/"),
        `${path};a=1`,
        `${path}%00`,
        `${path}%ED%A0%80`,
        `${path}.json`,
        encoded,
      ),
      weight: 1,
    },
  );
}

function pathId(known = ""): fc.Arbitrary<string> {
  const isPathSegment = (text: string) => !["", ".", "..", "%2e", "%2e%2e"].includes(text.toLowerCase());
  return fc.oneof(
    { arbitrary: fc.constant(known), weight: 8 },
    { arbitrary: fc.uuid(), weight: 1 },
    {
      arbitrary: fc.constantFrom(known.toUpperCase(), `${known} `, "%ED%A0%80", "%", "%00", "%2F"),
      weight: 1,
    },
    { arbitrary: hostileText.map(encodeURIComponent).filter(isPathSegment), weight: 1 },
  );
}

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const known = parameters.map(({ name, schema, required }) => {
    const value = fc.oneof(
      { arbitrary: valueFor(schema).map(String), weight: 6 },
      { arbitrary: hostileText, weight: 1 },
    );
    const pair = value.map((text): [string, string][] => [[name, text]]);
    const twice = fc.tuple(value, value).map(([a, b]): [string, string][] => [
      [name, a],
      [name, b],
    ]);
    const none = fc.constant<[string, string][]>([]);
    return fc.oneof(
      { arbitrary: pair, weight: 8 },
      { arbitrary: none, weight: required ? 1 : 12 },
      { arbitrary: twice, weight: 1 },
    );
  });
  const stray = fc.oneof(
    { arbitrary: fc.constant<[string, string][]>([]), weight: 12 },
    { arbitrary: hostileText.map((text): [string, string][] => [[text, text]]), weight: 1 },
  );
  return fc.tuple(...known, stray).map((pairs) => {
    const text = new URLSearchParams(pairs.flat()).toString();
    return text === "" ? "" : `?${text}`;
  });
}

/** Bytes that are not UTF-8, the only encoding of JSON (RFC 8259, section 8.1). */
const hostileBytes = fc
  .constantFrom(
    ...[
      [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
      [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d],
      [0x1f, 0x8b, 8, 0],
    ],
    ...[[0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d], [0]],
  )
  .map((bytes) => new Uint8Array(bytes));

/** Body of a request to an operation that takes none and ignores any. */
const strayBody: fc.Arbitrary<string | Uint8Array | undefined> = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 12 },
  { arbitrary: fc.oneof(hostileJson, hostileBytes), weight: 1 },
);

/** Generates request bodies for a schema: valid, nearly valid and hostile. */
export function bodyFor(schema: JsonSchema): fc.Arbitrary<string | Uint8Array> {
  const valid = valueFor(schema).map((value) => JSON.stringify(value));
  return fc.oneof(
    { arbitrary: valid, weight: 10 },
    { arbitrary: nearlyValid(schema), weight: 12 },
    { arbitrary: hostileJson, weight: 2 },
    { arbitrary: hostileBytes, weight: 1 },
    {
      arbitrary: fc.constantFrom(
        "",
        " ",
        "{",
        "{]",
        '{"url":',
        "\ufeff{}",
        "undefined",
        "{}{}",
        `[${DEEP_JSON}]`,
        `{"x":"${"x".repeat(1_048_576)}"}`,
      ),
      weight: 2,
    },
  );
}

/** Generates valid bodies in which one value, at any depth, is replaced by a hostile one, or a field is added. */
function nearlyValid(schema: JsonSchema): fc.Arbitrary<string> {
  return fc.tuple(valueFor(schema), fc.nat(), hostileJson).map(([value, index, hostile]) => {
    const json = JSON.stringify(value);
    const values = [...json.matchAll(/"(?:[^"\\]|\\.)*"(?!:)|-?\d[\d.e+-]*|true|false|null|\[\]|\{\}/g)];
    const chosen = values[index % Math.max(1, values.length)];
    if (chosen === undefined || index % 7 === 0)
      return json.replace(/^\{(.?)/, (_, next) => `{"stray":${hostile}${next === "}" ? "" : ","}${next}`);
    return json.slice(0, chosen.index) + hostile + json.slice(chosen.index + chosen[0].length);
  });
}

/** Generates values that are valid under a schema. */
export function valueFor(given: JsonSchema): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.type === undefined) return fc.oneof(...alternatives.map(valueFor));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valueFor({ ...schema, type })));
  const generated = generatedFor(schema);
  const [example] = schema.examples ?? [];
  if (example === undefined) return generated;
  return fc.oneof({ arbitrary: generated, weight: 2 }, { arbitrary: fc.constant(example), weight: 1 });
}

function generatedFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum = -1_000_000, maximum = 1_000_000, minItems = 0, maxItems = 5 } = schema;
  switch (schema.type) {
    case "string":
      return textFor(schema);
    case "integer":
      return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, 2 ** 31)) });
    case "number":
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueFor(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      });
    case "object":
      return objectFor(schema);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function objectFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], oneOf = [], additionalProperties, propertyNames } = schema;
  if (oneOf.length > 0) return fc.oneof(...narrowByRequired(schema, oneOf).map(objectFor));
  if (Object.keys(properties).length === 0 && typeof additionalProperties === "object") {
    return fc.dictionary(textFor(propertyNames ?? {}), valueFor(additionalProperties), { maxKeys: 3 });
  }
  const members = Object.entries(properties).map(([name, member]) => [name, valueFor(member)] as const);
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(members);
  return fc.record(model, { requiredKeys: required });
}

/**
 * Returns the schema once for each alternative: with the alternative's required members, and without the
 * other members.
 */
function narrowByRequired({ oneOf: _, ...schema }: JsonSchema, alternatives: JsonSchema[]): JsonSchema[] {
  return alternatives.map(({ required = [] }) => {
    const others = alternatives.flatMap((other) => other.required ?? []);
    const isAllowed = (name: string) => required.includes(name) || !others.includes(name);
    const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isAllowed(name));
    return {
      ...schema,
      properties: Object.fromEntries(properties),
      required: [...(schema.required ?? []), ...required],
    };
  });
}

function textFor({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "uri") return anyUrl();
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return date.map((day) => day.toISOString());
  if (format === "date") return date.map((day) => day.toISOString().slice(0, 10));
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

const date = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });

function resolve(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (contract.components.schemas[name] as JsonSchema);
}
