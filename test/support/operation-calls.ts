import { expect } from "vitest";
import { Authenticator } from "./authenticator.ts";
import { newWorkspace, type TestWorkspace, workerEnv } from "./harness.ts";
import { APP, addMember, newPerson, signIn, type TestPerson } from "./people.ts";
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
  /** Body for an operation whose example can't succeed. */
  body?: object;
}

/**
 * Creates a workspace on the enterprise plan with the resources that an operation needs, an endpoint that
 * receives its events, and one resource of the kind that the operation creates.
 */
export async function createFixture(entry: Operation): Promise<Fixture> {
  const workspace = await newWorkspace("enterprise");
  if (isForPeople(entry)) {
    const fixture = await createPersonFixture(workspace);
    const isPasskey = entry.operation.operationId === "addPasskey";
    return isPasskey ? { ...fixture, body: await createPasskeyBody(fixture.person) } : fixture;
  }
  const { path, operation } = entry;
  const isNeeded = (name: string, creation: string) =>
    name === "webhook_id" || creation === path || path.includes(`{${name}}`);
  const ids = await createResources(workspace, isNeeded);
  for (const [method, step] of PREPARATION[operation.operationId] ?? []) {
    expect((await workspace.call(method, fillPath(step, ids), { env: quietEnv })).status).toBe(200);
  }
  return { workspace, ids };
}

/**
 * Returns a function like {@link createFixture} for a file. Reads change nothing, so they share one workspace with all
 * resources, and the reads of people another one.
 */
export function shareReads(): (entry: Operation) => Promise<Fixture> {
  const shared = new Map<boolean, Promise<Fixture>>();
  const create = async (isOfPeople: boolean): Promise<Fixture> => {
    const workspace = await newWorkspace("enterprise");
    if (isOfPeople) return createPersonFixture(workspace);
    return { workspace, ids: await createResources(workspace) };
  };
  return (entry) => {
    if (entry.method !== "GET") return createFixture(entry);
    const isOfPeople = isForPeople(entry);
    const fixture = shared.get(isOfPeople) ?? create(isOfPeople);
    shared.set(isOfPeople, fixture);
    return fixture;
  };
}

/** Lets a software authenticator create a passkey, and returns the body that adds it. */
async function createPasskeyBody(person: TestPerson): Promise<object> {
  const response = await person.call("POST", "/v1/passkeys/options");
  const { data } = await response.json<{ data: { options: Record<string, unknown>; state: string } }>();
  return {
    name: "Phone",
    state: data.state,
    response: await new Authenticator(APP).create(data.options),
  };
}

/**
 * Adds an owner with a key, two sessions, a passkey and an invitation, and another member. This isolate caches the
 * calling session.
 */
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
  const invited = await person.call("POST", "/v1/members/invitations", {
    body: { email: `${crypto.randomUUID()}@example.com`, role: "viewer" },
  });
  const { data: invitation } = await invited.json<{ data: { id: string } }>();
  const member = await addMember(workspace, "viewer");
  const passkeyId = crypto.randomUUID();
  await workerEnv.DIRECTORY.prepare(
    "INSERT INTO passkeys VALUES (?1, ?2, ?2, 'Ada', 'Phone', ?1, 'key', 0, '[]', 1, NULL)",
  )
    .bind(passkeyId, person.email)
    .run();
  const ids = { key_id: key.id, session_id: session.id, invitation_id: invitation.id };
  return { workspace, person, ids: { ...ids, member_id: member.id, passkey_id: passkeyId } };
}

/** Calls an operation with the examples of its body and its required parameters. */
export function callOperation(
  { path, method, operation }: Operation,
  { workspace, ids, person, body: ownBody }: Fixture,
  env: Env,
  headers: Record<string, string> = { "Idempotency-Key": "the same each time" },
): Promise<Response> {
  const body = ownBody ?? BODIES[operation.operationId] ?? getExampleBody(operation);
  const call = person?.call ?? workspace.call;
  return call(method, fillPath(path, ids) + buildRequiredQuery(operation), { body, headers, env });
}

/** Builds a query of an operation's required parameters with their examples. */
function buildRequiredQuery({ parameters = [] }: Operation["operation"]): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  return `?${required.map(({ name, schema }) => `${name}=${schema.examples?.[0]}`).join("&")}`;
}
