import { expect } from "vitest";
import type { OperationObject } from "../../src/openapi/objects.ts";
import { contract } from "./contract.ts";
import { send, type TestWorkspace, workerEnv } from "./harness.ts";

/** How one resource of each kind comes to be: its id's name in paths, and the operation that makes it. */
const MAKERS: readonly (readonly [name: string, path: string])[] = [
  ["link_id", "/v1/links"],
  ["page_id", "/v1/bio/pages"],
  ["template_id", "/v1/qr/templates"],
  ["asset_id", "/v1/assets/presign"],
  ["webhook_id", "/v1/webhooks"],
  ["delivery_id", "/v1/webhooks/{webhook_id}/test"],
];

/** Ids by the name that paths call them. */
export type Ids = Record<string, string>;

/** The Worker's `env` without what would happen after the answers: no event leaves for an endpoint. */
export const quietEnv: Env = {
  ...workerEnv,
  DELIVERY_QUEUE: { send: async () => {}, sendBatch: async () => {} } as unknown as Queue,
};

/** Makes one resource of each kind in a workspace, of the examples in the document. */
export async function makeResources(workspace: TestWorkspace): Promise<Ids> {
  const ids: Ids = {};
  for (const [name, path] of MAKERS) {
    const operation = contract.paths[path]?.post;
    if (operation === undefined) throw new Error(`the document has no POST ${path}`);
    const response = await workspace.call("POST", pathWith(path, ids), {
      body: exampleBody(operation),
      env: quietEnv,
    });
    const { data } = await response.json<{ data: { id: string; upload?: Upload } }>();
    expect(response.status, `${path}: ${JSON.stringify(data)}`).toBe(201);
    ids[name] = data.id;
    if (data.upload) await upload(data.upload);
  }
  return ids;
}

interface Upload {
  url: string;
  headers: Record<string, string>;
}

/** Sends as many bytes as the signed address asks for. */
async function upload({ url, headers }: Upload): Promise<void> {
  const body = new Uint8Array(Number(new URL(url).searchParams.get("size")));
  expect((await send(new Request(url, { method: "PUT", headers, body }))).status).toBe(200);
}

/** A path of the document with its parameters filled in; what no id is known for stays as it is. */
export function pathWith(path: string, ids: Ids): string {
  return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => ids[name] ?? parameter);
}

/** The example of an operation's body. */
export function exampleBody({ requestBody }: OperationObject): unknown {
  return requestBody?.content["application/json"]?.example;
}

/** Every operation behind a key, with its place. */
export const operations = Object.entries(contract.paths)
  .filter(([path]) => path.startsWith("/v1/"))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

/** What a workspace has, as it is stored; idempotency keys and the progress of deliveries apart. */
export async function storedBy(workspaceId: string): Promise<string> {
  const tables = [
    "links",
    "qr_templates",
    "bio_pages",
    "assets",
    "webhooks",
    "usage_counters",
    "members",
    "domains",
  ];
  const results = await workerEnv.DB.batch([
    ...tables.map((table) =>
      workerEnv.DB.prepare(`SELECT * FROM ${table} WHERE workspace_id = ? ORDER BY 1, 2, 3`).bind(
        workspaceId,
      ),
    ),
    workerEnv.DB.prepare(
      "SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE w.workspace_id = ? ORDER BY 1",
    ).bind(workspaceId),
  ]);
  return JSON.stringify(results.map(({ results }) => results));
}
