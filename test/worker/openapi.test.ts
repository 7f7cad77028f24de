import { expect, test } from "vitest";
import { api, routes } from "../../src/api.ts";
import { documentPath } from "../../src/openapi/document.ts";
import type { OpenApiDocument, OperationObject } from "../../src/openapi/objects.ts";
import { contract, schemaFaults } from "../support/contract.ts";
import { call, expectError } from "../support/harness.ts";

const documented = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
);

test("the document has every route of the API's host and no other", () => {
  const served = api.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method.toLowerCase()} ${documentPath(path)}`);
  expect(documented.map(({ name }) => name).sort()).toEqual([...new Set(served)].sort());
});

test("it is served without a key, for the deployment's own address", async () => {
  const response = await call(null, "GET", "/openapi.json");
  expect(response.headers.get("Content-Type")).toBe("application/json");
  const document = await response.json<OpenApiDocument>();
  expect(document).toEqual(JSON.parse(JSON.stringify(contract)));
  expect(document.servers[0]?.url).toBe("http://localhost:8787");
});

test("what is not under /v1 answers GET and no other method", async () => {
  for (const path of ["/healthz", "/openapi.json", "/docs"]) {
    const refused = await call(null, "POST", path);
    await expectError(refused, 405, "METHOD_NOT_ALLOWED");
    expect(refused.headers.get("Allow")).toBe("GET, HEAD");
    expect((await call(null, "HEAD", path)).status).toBe(200);
  }
});

test("every operation says its scope, and every POST that answers JSON takes an Idempotency-Key", () => {
  for (const { operation } of routes) {
    const { security, parameters = [] } = operationOf(operation.path, operation.method);
    expect(security).toEqual([{ ApiKey: [operation.scope] }]);
    const names = parameters.map(({ name }) => name);
    expect(names.includes("Idempotency-Key")).toBe(
      operation.method === "post" && operation.data !== undefined,
    );
  }
});

test("nothing is left without words: operations, parameters, answers and headers", () => {
  const { headers, responses } = contract.components;
  const described = documented.flatMap(({ name, operation }) => [
    ...(operation.parameters ?? []).map((parameter) => [`${name} ${parameter.name}`, parameter.description]),
    ...Object.entries(operation.responses)
      .filter(([, answer]) => answer.$ref === undefined)
      .map(([status, { description }]) => [`${name} ${status}`, description]),
    [name, operation.summary],
  ]);
  for (const [name, { description }] of Object.entries({ ...headers, ...responses })) {
    described.push([name, description]);
  }
  expect(described.filter(([, text]) => !text)).toEqual([]);
});

test("a page of any site may send every header that the document names, and read every one", async () => {
  const headers = {
    Origin: "https://app.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization",
  };
  const preflight = await call(null, "OPTIONS", "/v1/links", { headers });
  const answer = await call(null, "GET", "/v1/links", { headers });
  const listed = (response: Response, name: string) =>
    (response.headers.get(name) ?? "").split(",").map((part) => part.trim().toLowerCase());
  for (const { operation } of documented) {
    for (const { name, in: place } of operation.parameters ?? []) {
      if (place === "header") {
        expect(listed(preflight, "Access-Control-Allow-Headers")).toContain(name.toLowerCase());
      }
    }
    const answers = Object.values(operation.responses);
    for (const name of answers.flatMap((each) => Object.keys(each.headers ?? {}))) {
      expect(listed(answer, "Access-Control-Expose-Headers")).toContain(name.toLowerCase());
    }
  }
  for (const name of Object.keys(contract.components.headers)) {
    expect(listed(answer, "Access-Control-Expose-Headers")).toContain(name.toLowerCase());
  }
});

test("every example fits the schema it is an example of", () => {
  const contents = documented.flatMap(({ name, operation: { requestBody, responses } }) => [
    ...Object.entries(requestBody?.content ?? {}).map(([, media]) => ({ name, media })),
    ...Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).map((media) => ({ name, media })),
    ),
  ]);
  for (const { name, media } of contents) {
    if (media.example !== undefined)
      expect(schemaFaults(media.schema ?? {}, media.example), name).toEqual([]);
  }
});

function operationOf(path: string, method: string): OperationObject {
  const item = contract.paths[documentPath(path)] as Record<string, OperationObject>;
  return item[method] as OperationObject;
}
