import { expect, test } from "vitest";
import { api, routes } from "../../src/api.ts";
import { formatDocumentPath } from "../../src/openapi/document.ts";
import { SHARED_HEADERS } from "../../src/openapi/headers.ts";
import type { OpenApiDocument, OperationObject } from "../../src/openapi/objects.ts";
import { isPersonScope } from "../../src/permissions/scopes.ts";
import { API_PATHS } from "../../src/routing/api-paths.ts";
import { contract } from "../support/contract.ts";
import { call, expectError } from "../support/harness.ts";

const documented = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
);

test("the document contains exactly the routes of the API host", () => {
  // The Model Context Protocol has its own descriptions of its messages.
  const served = api.routes
    .filter(({ method, path }) => method !== "ALL" && path !== API_PATHS.mcp)
    .map(({ method, path }) => `${method.toLowerCase()} ${formatDocumentPath(path)}`);
  expect(documented.map(({ name }) => name).sort()).toEqual([...new Set(served)].sort());
});

test("GET /openapi.json returns the document without an API key, with the URL of the deployment", async () => {
  const response = await call(null, "GET", "/openapi.json");
  expect(response.headers.get("Content-Type")).toBe("application/json");
  const document = await response.json<OpenApiDocument>();
  expect(document).toEqual(JSON.parse(JSON.stringify(contract)));
  expect(document.servers[0]?.url).toBe("http://localhost:8787");
});

test("paths outside /v1 support GET and HEAD only", async () => {
  for (const path of ["/healthz", "/openapi.json", "/docs"]) {
    const rejected = await call(null, "POST", path);
    await expectError(rejected, 405, "METHOD_NOT_ALLOWED");
    expect(rejected.headers.get("Allow")).toBe("GET, HEAD");
    expect((await call(null, "HEAD", path)).status).toBe(200);
  }
});

test("every operation documents its scope, and every POST with a JSON response documents Idempotency-Key", () => {
  for (const { operation } of routes) {
    const { security, parameters = [] } = findOperation(operation.path, operation.method);
    expect(security).toEqual([
      { [isPersonScope(operation.scope) ? "Session" : "ApiKey"]: [operation.scope] },
    ]);
    const names = parameters.map(({ name }) => name);
    expect(names.includes("Idempotency-Key")).toBe(
      operation.method === "post" && operation.data !== undefined,
    );
  }
});

test("every operation, parameter, response and header has a description", () => {
  const { headers, responses } = contract.components;
  const described = documented.flatMap(({ name, operation }) => [
    ...(operation.parameters ?? []).map((parameter) => [`${name} ${parameter.name}`, parameter.description]),
    ...Object.entries(operation.responses)
      .filter(([, response]) => response.$ref === undefined)
      .map(([status, { description }]) => [`${name} ${status}`, description]),
    [name, operation.summary],
  ]);
  for (const [name, { description }] of Object.entries({ ...headers, ...responses })) {
    described.push([name, description]);
  }
  expect(described.filter(([, text]) => !text)).toEqual([]);
});

test("CORS allows every documented request header and exposes every documented response header", async () => {
  const headers = {
    Origin: "https://app.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization",
  };
  const preflight = await call(null, "OPTIONS", "/v1/links", { headers });
  const response = await call(null, "GET", "/v1/links", { headers });
  const listHeader = (response: Response, name: string) =>
    (response.headers.get(name) ?? "").split(",").map((part) => part.trim().toLowerCase());
  // The app host, which alone serves the operations for people, has no CORS.
  for (const { operation } of documented.filter(({ operation }) => operation.servers === undefined)) {
    for (const { name, in: location } of operation.parameters ?? []) {
      if (location === "header") {
        expect(listHeader(preflight, "Access-Control-Allow-Headers")).toContain(name.toLowerCase());
      }
    }
    const responses = Object.values(operation.responses);
    for (const name of responses.flatMap((each) => Object.keys(each.headers ?? {}))) {
      expect(listHeader(response, "Access-Control-Expose-Headers")).toContain(name.toLowerCase());
    }
  }
  for (const name of Object.keys(SHARED_HEADERS)) {
    expect(listHeader(response, "Access-Control-Expose-Headers")).toContain(name.toLowerCase());
  }
});

function findOperation(path: string, method: string): OperationObject {
  const item = contract.paths[formatDocumentPath(path)] as Record<string, OperationObject>;
  return item[method] as OperationObject;
}
