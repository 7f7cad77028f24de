import { DAY_MS } from "../../src/core/time.ts";
import { deliverScans } from "./deliver-scans.ts";
import { createLink, type TestWorkspace } from "./harness.ts";
import { createResources, type Ids, quietEnv } from "./resources.ts";
import { buildScan, packWindow } from "./scans.ts";

/**
 * Tables of counts, with the values of one row of each besides its owner. A month or day of 0 is the current
 * one.
 */
const ROLL_UPS: Record<string, Record<string, unknown>> = {
  scan_months: {
    month: 0,
    item: "a",
    human: 1,
    bot: 0,
    preview: 0,
    prefetch: 0,
    days: "{}",
    moves: 0,
    log: "",
  },
  scan_days: { day: 1, item: "a", counts: "" },
  scan_facts: { day: 0, item: "a", part: 0, facts: "" },
  scan_parts: { month: 1, item: "a", part: 0, facts: "" },
  scan_history: { month: 1, item: "a", human: 1, bot: 0, preview: 0, prefetch: 0, days: "{}" },
  scan_history_counts: { month: 1, item: "a", total: 1, counts: "" },
};

/** Values of link fields that most links omit. The host of each URL is a separate column. */
const LINK_FIELDS = {
  title: "Spring sale",
  note: "Printed on bags",
  archived: true,
  starts_at: "2026-01-01T00:00:00Z",
  early_url: "https://early.example/",
  expired_url: "https://over.example/",
  max_scans: 5,
  password: "correct horse",
  forward_query: true,
  confirm: true,
  preview: { title: "Sale", description: null, image_url: null },
  imported_scans: 7,
};

/** Columns that contain bytes. */
const BYTES = ["item", "counts", "facts"];

/** Adds rows of two months or days to every table of counts, for each owner. */
export async function addCounts({ shard }: TestWorkspace, owners: readonly string[]): Promise<void> {
  const now = new Date();
  const recent = {
    day: Math.floor(now.getTime() / DAY_MS),
    month: now.getUTCFullYear() * 12 + now.getUTCMonth(),
  };
  for (const [table, row] of Object.entries(ROLL_UPS)) {
    const values = Object.entries(row).map(([name, value]) => [
      name,
      value === 0 && (name === "day" || name === "month") ? recent[name] : value,
    ]);
    for (const [owner, earlier] of owners.flatMap(
      (id) =>
        [
          [id, 0],
          [id, 1],
        ] as const,
    )) {
      await shard
        .prepare(
          `INSERT INTO ${table} (owner, ${values.map(([name]) => name)})
           VALUES (unhex('${owner.replaceAll("-", "")}'), ${values.map(([name]) => (BYTES.includes(String(name)) ? "CAST(? AS BLOB)" : "?"))})
           ON CONFLICT DO NOTHING`,
        )
        .bind(
          ...values.map(([name, value]) =>
            name === "day" || name === "month" ? Number(value) - earlier : value,
          ),
        )
        .run();
    }
  }
}

/** Fills every table of a shard with rows of a workspace. Nothing is sent to an endpoint. */
export async function fillWorkspace(workspace: TestWorkspace): Promise<Ids> {
  const ids = await createResources(workspace);
  for (const action of ["confirm", "publish"]) {
    await workspace.call("POST", `/v1/assets/${ids.asset_id}/${action}`, { env: quietEnv });
  }
  const pending = { filename: "late.txt", mime_type: "text/plain", file_size: 1 };
  const response = await workspace.call("POST", "/v1/assets/presign", { body: pending, env: quietEnv });
  const { data } = await response.json<{ data: { id: string } }>();
  await workspace.call("DELETE", `/v1/assets/${data.id}`, { env: quietEnv });
  const [erasedId, trashedId] = [await createPage(workspace), await createPage(workspace)];
  await workspace.call("DELETE", `/v1/bio/pages/${erasedId}?permanent=true`, { env: quietEnv });
  await workspace.call("DELETE", `/v1/bio/pages/${trashedId}`, { env: quietEnv });
  await createLink(workspace, LINK_FIELDS, quietEnv);
  const link = await createLink(workspace, { labels: ["a", "b"], aliases: ["x"] }, quietEnv);
  await workspace.call("POST", "/v1/links", {
    body: { url: "https://example.com/" },
    headers: { "Idempotency-Key": "one" },
    env: quietEnv,
  });
  await deliverScans(quietEnv, packWindow([buildScan({ workspaceId: workspace.id, linkId: link.id })]));
  await addCounts(workspace, [workspace.id, ids.page_id ?? "", erasedId, trashedId]);
  await workspace.shard
    .prepare(
      `INSERT OR IGNORE INTO delivery_attempts (delivery_id, number, attempted_at, latency_ms)
       SELECT d.id, 1, 1, 1 FROM event_deliveries d JOIN webhook_lanes l ON l.id = d.lane WHERE l.workspace_id = ?`,
    )
    .bind(workspace.id)
    .run();
  return ids;
}

async function createPage(workspace: TestWorkspace): Promise<string> {
  const page = await workspace.call("POST", "/v1/bio/pages", { body: { title: "Gone" }, env: quietEnv });
  return (await page.json<{ data: { id: string } }>()).data.id;
}
