import { expect } from "vitest";
import { newWorkspace, type TestWorkspace } from "./harness.ts";
import { newPerson, signIn, type TestPerson } from "./people.ts";
import {
  createResources,
  type everyOperation,
  fillPath,
  getExampleBody,
  type Ids,
  isForPeople,
  quietEnv,
} from "./resources.ts";

/** Requests that must be sent after `createResources` before an operation can succeed. */
const PREPARATION: Record<string, (readonly [method: string, path: string])[]> = {
  publishAsset: [["POST", "/v1/assets/{asset_id}/confirm"]],
  unpublishBioPage: [["POST", "/v1/bio/pages/{page_id}/publish"]],
  restoreLink: [["DELETE", "/v1/links/{link_id}"]],
  restoreBioPage: [["DELETE", "/v1/bio/pages/{page_id}"]],
  restoreQrTemplate: [["DELETE", "/v1/qr/templates/{template_id}"]],
};

/** Request bodies for operations whose example conflicts with the created resources. */
const BODIES: Record<string, object> = {
  createLink: { url: "https://example.com", custom_slug: "another" },
  createDomain: { hostname: "other.example.com" },
  // Slugs are shared by all tests.
  restoreBioPage: {},
};

/** Operation of the API. */
export type Operation = (typeof everyOperation)[number];

/** Workspace in which an operation can succeed. */
export interface Fixture {
  workspace: TestWorkspace;
  ids: Ids;
  /** Owner who calls operations for people; absent for operations with keys. */
  person?: TestPerson;
}

/**
 * Creates a workspace on the enterprise plan with the resources that an operation needs, an endpoint that
 * receives its events, and one resource of the kind that the operation creates.
 */
export async function createFixture(entry: Operation): Promise<Fixture> {
  const workspace = await newWorkspace("enterprise");
  if (isForPeople(entry)) return createPersonFixture(workspace);
  const { path, operation } = entry;
  const isNeeded = (name: string, creation: string) =>
    name === "webhook_id" || creation === path || path.includes(`{${name}}`);
  const ids = await createResources(workspace, isNeeded);
  for (const [method, step] of PREPARATION[operation.operationId] ?? []) {
    expect((await workspace.call(method, fillPath(step, ids), { env: quietEnv })).status).toBe(200);
  }
  return { workspace, ids };
}

/** Adds an owner with a key and two sessions. This isolate caches the calling session. */
export async function createPersonFixture(
  workspace: TestWorkspace,
): Promise<Fixture & { person: TestPerson }> {
  const person = await newPerson(workspace, "owner");
  const other = await signIn(workspace, person);
  const body = { name: "Shop", scopes: ["links:read"] };
  const made = await person.call("POST", "/v1/keys", { body });
  expect(made.status).toBe(201);
  const { data: key } = await made.json<{ data: { id: string } }>();
  const { data: session } = await (await other.call("GET", "/v1/session")).json<{ data: { id: string } }>();
  return { workspace, person, ids: { key_id: key.id, session_id: session.id } };
}

/** Calls an operation with the examples of its body and its required parameters. */
export function callOperation(
  { path, method, operation }: Operation,
  { workspace, ids, person }: Fixture,
  env: Env,
  headers: Record<string, string> = { "Idempotency-Key": "the same each time" },
): Promise<Response> {
  const body = BODIES[operation.operationId] ?? getExampleBody(operation);
  const call = person?.call ?? workspace.call;
  return call(method, fillPath(path, ids) + buildRequiredQuery(operation), { body, headers, env });
}

/** Builds a query of an operation's required parameters with their examples. */
function buildRequiredQuery({ parameters = [] }: Operation["operation"]): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  return `?${required.map(({ name, schema }) => `${name}=${schema.examples?.[0]}`).join("&")}`;
}
