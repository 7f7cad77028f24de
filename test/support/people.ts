import { generateUuidv7 } from "../../src/core/id.ts";
import { formatSignInLink, generateLinkToken } from "../../src/members/sign-in-link-address.ts";
import type { Role } from "../../src/permissions/roles.ts";
import { send, type TestWorkspace, workerEnv } from "./harness.ts";

/** App host of the service under test. */
export const APP = "http://app.localhost:8787";

/** User agent of test browsers. */
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** Member of a workspace. */
export interface TestMember {
  id: string;
  email: string;
}

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string | null>;
  env?: Env;
}

/** Browser with a signed-in person. */
export interface TestPerson extends TestMember {
  token: string;
  /** Calls the API on the app host as the dashboard does. A header of null is omitted. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
}

/** Adds a member to a workspace. */
export async function addMember(
  { id: workspaceId }: Pick<TestWorkspace, "id">,
  role: Role = "owner",
  email = `person-${crypto.randomUUID().slice(-12)}@example.com`,
): Promise<TestMember> {
  const id = generateUuidv7(Date.now());
  await workerEnv.DIRECTORY.prepare(
    "INSERT INTO members (id, workspace_id, email, name, role, created_at) VALUES (?, ?, ?, 'Ada', ?, ?)",
  )
    .bind(id, workspaceId, email, role, Date.now())
    .run();
  return { id, email };
}

/** Creates a sign-in link for a member and returns its URL. */
export async function newSignInLink(
  { id }: Pick<TestWorkspace, "id">,
  email: string,
  expiresAt = Date.now() + 900_000,
): Promise<string> {
  const { token, tokenHash } = await generateLinkToken();
  await workerEnv.DIRECTORY.prepare("INSERT INTO sign_in_links VALUES (?, ?, ?, ?)")
    .bind(tokenHash, id, email, expiresAt)
    .run();
  return formatSignInLink(APP, token);
}

/** Requests a page of the app host, without following redirects. */
export function visitApp(address: string, init: RequestInit = {}, env = workerEnv): Promise<Response> {
  return send(new Request(new URL(address, APP), { redirect: "manual", ...init }), env);
}

/** Submits a page's form as a browser does, with a session if a token is given. */
export function sendForm(
  address: string,
  token?: string,
  origin: string | null = APP,
  fields?: Record<string, string>,
): Promise<Response> {
  return visitApp(address, {
    method: "POST",
    ...(fields && { body: new URLSearchParams(fields) }),
    headers: {
      "User-Agent": FIREFOX,
      ...(origin !== null && { Origin: origin }),
      ...(token !== undefined && { Cookie: `signpost_session=${token}` }),
    },
  });
}

/** Returns the token in the cookie of a response, or null. */
export function readToken(response: Response): string | null {
  return /^signpost_session=(\w+);/.exec(response.headers.get("Set-Cookie") ?? "")?.[1] ?? null;
}

/** Signs a member in with a sign-in link. */
export async function signIn(workspace: TestWorkspace, member: TestMember): Promise<TestPerson> {
  const response = await sendForm(await newSignInLink(workspace, member.email));
  const token = readToken(response);
  if (token === null) throw new Error(`the sign-in failed with ${response.status}`);
  return { ...member, token, call: (...args) => callAs(token, workspace.slug, ...args) };
}

/** Adds a member with a role and signs in. */
export async function newPerson(workspace: TestWorkspace, role: Role = "owner"): Promise<TestPerson> {
  return signIn(workspace, await addMember(workspace, role));
}

/** Calls the API on the app host with a session. */
export function callAs(
  token: string,
  slug: string,
  method: string,
  path: string,
  { body, headers = {}, env }: CallOptions = {},
): Promise<Response> {
  const all: Record<string, string | null> = {
    Cookie: `signpost_session=${token}`,
    "X-SVC-Workspace": slug,
    Origin: APP,
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...headers,
  };
  const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return visitApp(
    path,
    {
      method,
      headers: present,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    },
    env,
  );
}
