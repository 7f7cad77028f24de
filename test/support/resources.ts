import { expect } from "vitest";
import type { OperationObject } from "../../src/openapi/objects.ts";
import { contract } from "./contract.ts";
import { send, type TestWorkspace, workerEnv } from "./harness.ts";

/** Operations that create one resource of each kind, with the name of the resource's id in paths. */
const CREATORS: readonly (readonly [name: string, path: string])[] = [
  ["link_id", "/v1/links"],
  ["page_id", "/v1/bio/pages"],
  ["template_id", "/v1/qr/templates"],
  ["asset_id", "/v1/assets/presign"],
  ["webhook_id", "/v1/webhooks"],
  ["delivery_id", "/v1/webhooks/{webhook_id}/test"],
  ["domain_id", "/v1/domains"],
  ["report_id", "/v1/reports"],
];

/** Resource ids by their parameter name in paths. */
export type Ids = Record<string, string>;

/**
 * The Worker's `env` with a delivery queue that drops its messages, so that no event is sent to an endpoint.
 */
export const quietEnv: Env = {
  ...workerEnv,
  DELIVERY_QUEUE: { send: async () => {}, sendBatch: async () => {} } as unknown as Queue,
};

/**
 * Creates one resource of each kind in a workspace, from the examples in the OpenAPI document. `isNeeded`
 * selects resources by the name of the id and the path of the creation.
 */
export async function createResources(
  workspace: TestWorkspace,
  isNeeded: (name: string, path: string) => boolean = () => true,
): Promise<Ids> {
  const ids: Ids = {};
  for (const [name, path] of CREATORS) {
    if (!isNeeded(name, path)) continue;
    const operation = contract.paths[path]?.post;
    if (operation === undefined) throw new Error(`the OpenAPI document has no POST ${path}`);
    const response = await workspace.call("POST", fillPath(path, ids), {
      body: getExampleBody(operation),
      env: quietEnv,
    });
    const { data } = await response.json<{ data: { id: string; upload?: Upload } }>();
    expect(response.status, `${path}: ${JSON.stringify(data)}`).toBe(201);
    ids[name] = data.id;
    if (data.upload) await upload(data.upload);
  }
  if (isNeeded("entry_id", "")) ids.entry_id = await changeLink(workspace, ids);
  return ids;
}

/** Changes a link and returns the id of the entry in its history. */
async function changeLink(workspace: TestWorkspace, ids: Ids): Promise<string> {
  const path = fillPath("/v1/links/{link_id}", ids);
  const changed = await workspace.call("PATCH", path, { body: { title: "Changed" }, env: quietEnv });
  expect(changed.status).toBe(200);
  const history = await workspace.call("GET", `${path}/history`);
  const { data } = await history.json<{ data: { id: string }[] }>();
  return data[0]?.id ?? "";
}

interface Upload {
  url: string;
  headers: Record<string, string>;
}

/** Uploads the number of bytes that the URL is signed for. */
async function upload({ url, headers }: Upload): Promise<void> {
  const body = new Uint8Array(Number(new URL(url).searchParams.get("size")));
  expect((await send(new Request(url, { method: "PUT", headers, body }))).status).toBe(200);
}

/** Returns a path of the OpenAPI document with its parameters filled in. A parameter without an id is kept. */
export function fillPath(path: string, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => ids[name] ?? parameter);
}

/** Returns the examples of an operation's required query parameters, with a question mark before them. */
export function getExampleQuery({ parameters = [] }: OperationObject): string {
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const query = new URLSearchParams(
    required.map(({ name, schema }) => [name, String(schema.examples?.[0] ?? schema.enum?.[0])]),
  );
  return query.size === 0 ? "" : `?${query}`;
}

/** Returns the example of an operation's body. */
export function getExampleBody({ requestBody }: OperationObject): unknown {
  return requestBody?.content["application/json"]?.example;
}

/** Every operation, with its path and method. */
export const everyOperation = Object.entries(contract.paths)
  .filter(([path]) => path.startsWith("/v1/"))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

/** Returns true for an operation that only people can call. */
export const isForPeople = ({ operation: { security = [] } }: (typeof everyOperation)[number]): boolean =>
  security.some((requirement) => "Session" in requirement);

/** Every operation that needs a key. */
export const operations = everyOperation.filter((entry) => !isForPeople(entry));

/** Every operation that only people can call. */
export const personOperations = everyOperation.filter(isForPeople);

const DIRECTORY_TABLES = ["audit_log", "members", "domains", "domain_claims", "bio_slugs", "reports"];
const SHARD_TABLES = [
  "audit_log",
  "links",
  "qr_templates",
  "bio_pages",
  "assets",
  "webhooks",
  "usage_counters",
  "webhook_lanes",
  "webhook_events",
];

/** Reads the stored data of a workspace, without idempotency keys and the state of deliveries. */
export async function readStored({ id, shard }: Pick<TestWorkspace, "id" | "shard">): Promise<string> {
  const readFrom = (d1: D1Database, tables: readonly string[]) =>
    tables.map((table) =>
      d1.prepare(`SELECT * FROM ${table} WHERE workspace_id = ? ORDER BY 1, 2, 3`).bind(id),
    );
  const results = [
    await workerEnv.DIRECTORY.batch([
      ...readFrom(workerEnv.DIRECTORY, DIRECTORY_TABLES),
      // Omits the day of a key's last use, which every call may write.
      workerEnv.DIRECTORY.prepare(
        "SELECT id, name, secret_hash, scopes, expires_at, revoked_at, replaced_by FROM api_keys WHERE workspace_id = ? ORDER BY id",
      ).bind(id),
      workerEnv.DIRECTORY.prepare(
        "SELECT id, email, token_hash FROM sessions WHERE email IN (SELECT email FROM members WHERE workspace_id = ?) ORDER BY id",
      ).bind(id),
    ]),
    await shard.batch([
      ...readFrom(shard, SHARD_TABLES),
      shard
        .prepare(
          "SELECT d.id FROM event_deliveries d JOIN webhook_lanes l ON l.id = d.lane WHERE l.workspace_id = ? ORDER BY 1",
        )
        .bind(id),
      shard.prepare("SELECT waiting FROM delivery_backlogs WHERE workspace_id = ?").bind(id),
    ]),
  ].flat();
  return JSON.stringify(results.map(({ results }) => results));
}
