import { beforeAll, describe, expect, test } from "vitest";
import worker from "../../src/index.ts";
import { presignAsset, TEXT } from "../support/assets.ts";
import { createLink, newWorkspace, send, type TestWorkspace, workerEnv } from "../support/harness.ts";
import { callOperation, createFixture } from "../support/operation-calls.ts";
import { createResources, fillPath, operations, quietEnv } from "../support/resources.ts";
import { buildQueueBatch, buildScan, packWindow } from "../support/scans.ts";
import { namesWorkspace, recordShards, type Statement } from "../support/statements.ts";

/**
 * Every statement that reaches a shard names the workspace that it is about, so that none can read or change what belongs
 * to another: a shard holds thousands.
 */

/** Statements that name none, and why they may. */
const EXCEPTIONS: [pattern: RegExp, reason: string][] = [];

function listStrays(statements: readonly Statement[], { id }: Pick<TestWorkspace, "id">): string[] {
  const strays = statements.filter(
    (statement) =>
      !namesWorkspace(statement, id) && !EXCEPTIONS.some(([pattern]) => pattern.test(statement.sql)),
  );
  return [
    ...new Set(strays.map(({ sql, values }) => `${sql.replaceAll(/\s+/g, " ")} ${JSON.stringify(values)}`)),
  ];
}

describe("API", () => {
  test.each(operations.map((entry) => [entry.operation.operationId, entry] as const))(
    "%s",
    async (_, entry) => {
      const fixture = await createFixture(entry);
      const { env, statements } = recordShards(quietEnv);
      for (const headers of [{}, { "Idempotency-Key": "the same" }, { "Idempotency-Key": "the same" }]) {
        await callOperation(entry, fixture, env, headers as Record<string, string>);
      }
      const strays = listStrays(statements, fixture.workspace);
      for (const stray of strays) console.log("STRAY", stray);
      expect(strays).toEqual([]);
    },
  );
});

describe("other surfaces", () => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = await newWorkspace("enterprise");
  });

  test("redirects, with an error page", async () => {
    const { shortCode } = { shortCode: (await createLink(workspace)).short_code };
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
});
