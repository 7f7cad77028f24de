import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageVisit } from "../../src/bio/page-counts.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import worker from "../../src/index.ts";
import { presignAsset, TEXT } from "../support/assets.ts";
import { createLink, newWorkspace, send, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { callOperation, shareReads } from "../support/operation-calls.ts";
import { createResources, everyOperation, fillPath, quietEnv } from "../support/resources.ts";
import { buildQueueBatch, buildScan, packWindow } from "../support/scans.ts";
import { namesWorkspace, recordShards, type Statement } from "../support/statements.ts";

/**
 * Every statement on a shard must name its workspace, so that it cannot read or change other workspaces: a
 * shard holds thousands.
 */

/** Statements that name no workspace, with the reason. */
const EXCEPTIONS: [reason: string, isExcepted: (statement: Statement, pageId: string) => boolean][] = [
  [
    "own_hosts is a copy of the short hosts of all workspaces, which no link or endpoint may lead to",
    ({ sql }) => /^select "hostname" from "own_hosts" where/.test(sql),
  ],
  [
    "blocked_hosts is a copy of the hosts to which no link may lead",
    ({ sql }) => /^select "hostname", (?:0|1) as "is_blocked" from "(?:own|blocked)_hosts" where/.test(sql),
  ],
  [
    "counted_buckets holds ids of counted parts of windows, and nothing that belongs to a workspace",
    ({ sql }) => /^\s*(?:INSERT INTO|SELECT [^;]*FROM|UPDATE) counted_buckets\b/.test(sql),
  ],
  [
    "scan_costs counts the rows of all scans of a day, and nothing that belongs to a workspace",
    ({ sql }) => /^\s*INSERT INTO scan_costs\b/.test(sql),
  ],
  [
    "an unknown endpoint has no deliveries to select",
    ({ sql }) => /^select "id" from "event_deliveries" where false /.test(sql),
  ],
  [
    "counts of a bio page are kept by its id, after a statement has found it in the workspace",
    (statement, pageId) =>
      /\bowner\b/.test(statement.sql) &&
      /\bscan_(?:months|days|history)/.test(statement.sql) &&
      namesWorkspace(statement, pageId),
  ],
];

const used = new Set<string>();
afterAll(() => {
  for (const reason of used) console.info(`a statement on a shard names no workspace: ${reason}`);
});

/** Lists the statements that name no workspace and are not listed as exceptions. */
function listStrays(
  statements: readonly Statement[],
  { id }: Pick<TestWorkspace, "id">,
  pageId: string = crypto.randomUUID(),
): string[] {
  const strays = statements.filter((statement) => {
    if (namesWorkspace(statement, id)) return false;
    const [reason] = EXCEPTIONS.find(([, isExcepted]) => isExcepted(statement, pageId)) ?? [];
    if (reason !== undefined) used.add(reason);
    return reason === undefined;
  });
  return [...new Set(strays.map(({ sql }) => sql.replaceAll(/\s+/g, " ").trim()))];
}

describe("API", () => {
  const getFixture = shareReads();

  test.each(everyOperation.map((entry) => [entry.operation.operationId, entry] as const))(
    "%s",
    async (_, entry) => {
      const fixture = await getFixture(entry);
      const { env, statements } = recordShards(quietEnv);
      const withKey = { "Idempotency-Key": "the same" };
      // Reads ignore the header.
      for (const headers of entry.method === "GET" ? [{}] : [{}, withKey, withKey]) {
        await callOperation(entry, fixture, env, headers as Record<string, string>);
      }
      expect(listStrays(statements, fixture.workspace, fixture.ids.page_id)).toEqual([]);
    },
  );
});

describe("other surfaces", () => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await newWorkspace("enterprise");
  });

  test("redirects, with an error page", async () => {
    const { short_code: shortCode } = await createLink(workspace);
    const { env, statements } = recordShards(workerEnv);
    for (const path of [`/${shortCode}`, "/unknown-code"]) {
      await send(new Request(`http://${workspace.hostname}:8787${path}`, { redirect: "manual" }), env);
    }
    expect(statements.length).toBeGreaterThan(0);
    expect(listStrays(statements, workspace)).toEqual([]);
  });

  test("uploads", async () => {
    const { upload } = await presignAsset(workspace);
    const { env, statements } = recordShards(workerEnv);
    const response = await send(
      new Request(upload.url, { method: "PUT", headers: upload.headers, body: TEXT }),
      env,
    );
    expect(response.status).toBe(200);
    expect(statements.length).toBeGreaterThan(0);
    expect(listStrays(statements, workspace)).toEqual([]);
  });

  test("bio pages and their clicks", async () => {
    const ids = await createResources(workspace);
    const published = await workspace.call("POST", fillPath("/v1/bio/pages/{page_id}/publish", ids), {
      env: quietEnv,
    });
    const { data } = await published.json<{ data: { html_url: string } }>();
    const { env, statements } = recordShards(workerEnv);
    for (const address of [data.html_url, `${data.html_url}/l/0`]) {
      await send(new Request(address, { redirect: "manual" }), env);
    }
    expect(statements.length).toBeGreaterThan(0);
    expect(listStrays(statements, workspace)).toEqual([]);
  });

  test("the consumer of scans", async () => {
    const own = await newWorkspace("enterprise");
    await createResources(own);
    const link = await createLink(own);
    const { env, statements } = recordShards(quietEnv);
    const scan = buildScan({ workspaceId: own.id, linkId: link.id });
    await worker.queue(buildQueueBatch(packWindow([scan])) as never, env, {} as ExecutionContext);
    expect(statements.length).toBeGreaterThan(3);
    expect(listStrays(statements, own)).toEqual([]);
  });

  test("the consumer of bio page visits", async () => {
    const own = await newWorkspace("enterprise");
    const { page_id: pageId = "" } = await createResources(own);
    const { env, statements } = recordShards(quietEnv);
    const facts: PageVisit = { workspaceId: own.id, pageId, kind: "view" };
    const batch = {
      ...buildQueueBatch(),
      queue: "signpost-page-hits",
      messages: [
        { body: { id: generateUuidv7(Date.now()), groups: [{ facts, timesMs: [Date.now()] }] }, attempts: 1 },
      ],
    };
    await worker.queue(batch as never, env, {} as ExecutionContext);
    expect(statements.length).toBeGreaterThan(2);
    expect(listStrays(statements, own, pageId)).toEqual([]);
  });

  test("the consumer of deliveries", async () => {
    const own = await newWorkspace("enterprise");
    const { webhook_id: webhookId = "" } = await createResources(own);
    const bodies: unknown[] = [];
    const sendBatch = async (messages: { body: unknown }[]) =>
      void bodies.push(...messages.map(({ body }) => body));
    const DELIVERY_QUEUE = { sendBatch } as unknown as Queue;
    await own.call("POST", `/v1/webhooks/${webhookId}/test`, { env: { ...workerEnv, DELIVERY_QUEUE } });
    expect(bodies).toHaveLength(1);
    const { env, statements } = recordShards({ ...workerEnv, DELIVERY_QUEUE });
    const batch = {
      queue: "signpost-deliveries",
      messages: bodies.map((body) => ({ body, attempts: 1, retry() {}, ack() {} })),
    };
    const context = createExecutionContext();
    await worker.queue(batch as never, env, context);
    await waitOnExecutionContext(context);
    expect(statements.some(({ sql }) => sql.includes("insert into delivery_attempts"))).toBe(true);
    expect(listStrays(statements, own)).toEqual([]);
  });
});
