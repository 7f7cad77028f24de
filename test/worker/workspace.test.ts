import { expect, test } from "vitest";
import * as z from "zod";
import { generateUuidv7 } from "../../src/core/id.ts";
import { linkResponse } from "../../src/links/link-response.ts";
import { memberResponse } from "../../src/members/members.schema.ts";
import { usageResponse, workspaceResponse } from "../../src/workspace/workspace.schema.ts";
import { createLink, expectData, newWorkspace, workerEnv } from "../support/harness.ts";

test("GET /v1/workspace returns the workspace of the API key", async () => {
  const workspace = await newWorkspace("pro");
  const { data } = await expectData(await workspace.call("GET", "/v1/workspace"), workspaceResponse);
  expect(data).toMatchObject({ id: workspace.id, plan: "pro", description: "" });
});

test("GET /v1/workspace/usage returns the usage and the limits of the plan", async () => {
  const workspace = await newWorkspace("pro");
  for (const _ of [1, 2]) await createLink(workspace);
  const { data: links } = await expectData(await workspace.call("GET", "/v1/links"), z.array(linkResponse));
  await workspace.call("DELETE", `/v1/links/${links[0]?.id}`);
  await workspace.shard
    .prepare("INSERT INTO usage_counters VALUES (?, 'storage_bytes', '', 1584000, 2000000)")
    .bind(workspace.id)
    .run();
  const { data } = await expectData(await workspace.call("GET", "/v1/workspace/usage"), usageResponse);
  expect(data).toEqual({
    plan: "pro",
    usage: {
      links_created_this_month: 2,
      api_calls_this_month: 5,
      total_links: 1,
      total_qr_templates: 0,
      total_bio_pages: 0,
      storage_bytes: 1_584_000,
      storage_mb: 1.51,
      written_bytes_today: expect.any(Number),
    },
    limits: {
      links_per_month: 1_000,
      dynamic_qr: 500,
      bio_pages: 10,
      storage_mb: 1_024,
      api_calls_per_month: 1_000,
      qr_templates: 20,
      written_bytes_per_day: 50_000_000,
    },
    features: { routing_rules: false, csv_export: true, bulk_ops: true, ad_free: true },
  });
});

test("GET /v1/workspace/usage does not count links of an earlier month", async () => {
  const workspace = await newWorkspace();
  await workspace.shard
    .prepare("INSERT INTO usage_counters VALUES (?, 'links', '2020-01', 7, 25000)")
    .bind(workspace.id)
    .run();
  const { data } = await expectData(await workspace.call("GET", "/v1/workspace/usage"), usageResponse);
  expect(data.usage.links_created_this_month).toBe(0);
});

test("GET /v1/workspace/members lists the members in the order in which they joined", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const add = (workspaceId: string, email: string) =>
    workerEnv.DIRECTORY.prepare(
      "INSERT INTO members (id, workspace_id, email, name, created_at) VALUES (?, ?, ?, 'Name', ?)",
    )
      .bind(generateUuidv7(Date.now()), workspaceId, email, Date.now())
      .run();
  await add(workspace.id, "b@example.com");
  await add(other.id, "other@example.com");
  await add(workspace.id, "a@example.com");
  const response = await workspace.call("GET", "/v1/workspace/members");
  const { data, meta } = await expectData(response, z.array(memberResponse));
  expect(data.map(({ email }) => email)).toEqual(["b@example.com", "a@example.com"]);
  expect(meta).not.toHaveProperty("total");
});
