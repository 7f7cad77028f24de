import { expect } from "vitest";
import { newWorkspace, type TestWorkspace } from "./harness.ts";
import {
  createResources,
  fillPath,
  getExampleBody,
  type Ids,
  type operations,
  quietEnv,
} from "./resources.ts";

/** Requests that must be sent after `createResources` before an operation can succeed. */
const PREPARATION: Record<string, string[]> = {
  publishAsset: ["/v1/assets/{asset_id}/confirm"],
  unpublishBioPage: ["/v1/bio/pages/{page_id}/publish"],
};

/** Request bodies for operations whose example conflicts with the created resources. */
const BODIES: Record<string, object> = {
  createLink: { url: "https://example.com", custom_slug: "another" },
  createDomain: { hostname: "other.example.com" },
};

/** Operation of the API. */
export type Operation = (typeof operations)[number];

/** Workspace in which an operation can succeed. */
export interface Fixture {
  workspace: TestWorkspace;
  ids: Ids;
}

/**
 * Creates a workspace on the enterprise plan with what an operation needs to succeed, an endpoint that receives its
 * events, and, before an operation that creates something, one of its kind.
 */
export async function createFixture({ path, operation: { operationId } }: Operation): Promise<Fixture> {
  const workspace = await newWorkspace("enterprise");
  const isNeeded = (name: string, creation: string) =>
    name === "webhook_id" || creation === path || path.includes(`{${name}}`);
  const ids = await createResources(workspace, isNeeded);
  for (const step of PREPARATION[operationId] ?? []) {
    expect((await workspace.call("POST", fillPath(step, ids), { env: quietEnv })).status).toBe(200);
  }
  return { workspace, ids };
}

/** Calls an operation with the examples of its body and its required parameters. */
export function callOperation(
  { path, method, operation }: Operation,
  { workspace, ids }: Fixture,
  env: Env,
  headers: Record<string, string> = { "Idempotency-Key": "the same each time" },
): Promise<Response> {
  const body = BODIES[operation.operationId] ?? getExampleBody(operation);
  return workspace.call(method, fillPath(path, ids) + buildRequiredQuery(operation), { body, headers, env });
}

/** Builds a query of the required parameters of an operation, with their examples. */
function buildRequiredQuery({ parameters = [] }: Operation["operation"]): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  return `?${required.map(({ name, schema }) => `${name}=${schema.examples?.[0]}`).join("&")}`;
}
