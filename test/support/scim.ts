import { expect } from "vitest";
import { generateUuidv7 } from "../../src/core/id.ts";
import { generateScimToken, hashScimToken } from "../../src/scim/scim-token.ts";
import { newWorkspace, send, type TestWorkspace, workerEnv } from "./harness.ts";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** Response of SCIM. */
export interface Result {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: resources of SCIM have many forms, and assertions name their parts
  body: any;
  headers: Headers;
}

/** Workspace with an identity provider. */
export interface Provisioned {
  workspace: TestWorkspace;
  token: string;
  scim(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Result>;
  patch(path: string, ...operations: object[]): Promise<Result>;
}

/** An `env` without the limit of requests per second, for tests that do not wait. */
export const unlimited = {
  ...workerEnv,
  LIMITER: { getByName: () => ({ takeToken: async () => ({ verdict: "allowed" }) }) },
} as unknown as Env;

/** Creates a workspace with a token for an identity provider, and domains that the administrator vouches for. */
export async function provision(...emailDomains: string[]): Promise<Provisioned> {
  const workspace = await newWorkspace();
  const { token, prefix } = generateScimToken();
  await workerEnv.DIRECTORY.prepare(
    `INSERT INTO scim_tokens (token_hash, workspace_id, created_at, id, prefix, email_domains)
     VALUES (?, ?, 1, ?, ?, ?)`,
  )
    .bind(
      ...[await hashScimToken(token), workspace.id, generateUuidv7(Date.now()), prefix],
      JSON.stringify(emailDomains),
    )
    .run();
  const scim: Provisioned["scim"] = (method, path, body, headers) =>
    callScim(token, method, path, body, headers);
  const patch: Provisioned["patch"] = (path, ...Operations) =>
    scim("PATCH", path, { schemas: [PATCH_OP], Operations });
  return { workspace, token, scim, patch };
}

/** Sends a request as an identity provider, and checks the format of the response. */
export async function callScim(
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  env = unlimited,
): Promise<Result> {
  const response = await send(
    new Request(`http://localhost:8787/scim/v2${path}`, {
      method,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/scim+json; charset=utf-8" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
    env,
  );
  const text = await response.text();
  if (text !== "") expect(response.headers.get("Content-Type")).toBe("application/scim+json");
  const result = {
    status: response.status,
    body: text === "" ? null : JSON.parse(text),
    headers: response.headers,
  };
  if (result.status >= 400) {
    expect(result.body).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(result.status),
      detail: expect.any(String),
    });
  }
  return result;
}
