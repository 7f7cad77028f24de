import { expect, test } from "vitest";
import { countingEnv, createLink, newWorkspace } from "../support/harness.ts";
import { quietEnv } from "../support/resources.ts";

/** Rows that changes write, including rows of indexes, as D1 reports and bills them. */

test("the audit entry adds two row writes to the change of a link", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const count = async (body: object) => {
    const { env, counts } = countingEnv(quietEnv);
    expect((await workspace.call("PATCH", `/v1/links/${id}`, { body, env })).status).toBe(200);
    return counts.rowsWritten;
  };
  // Both requests write the link's row. The second one changes nothing.
  const changed = await count({ note: "A" });
  expect(changed - (await count({ note: "A" }))).toBe(2);
});

test("sorted lists use counts and last scans without a write for each scan", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const scan = async (count: number, atMs: number) =>
    workspace.shard
      .prepare(
        "UPDATE links SET scan_count = scan_count + ?1, last_scan_at = ?2 WHERE workspace_id = ?3 AND id = ?4",
      )
      .bind(count, atMs, workspace.id, id)
      .run();
  const dayMs = Date.UTC(2026, 10, 21);
  const written: number[] = [];
  for (let n = 0; n < 100; n++) written.push((await scan(1, dayMs + n)).meta.rows_written);
  // The first scan also adds the link to the watched ones, with an entry of their index.
  expect(written[0]).toBe(7);
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(150);
  const read = () =>
    workspace.shard
      .prepare("SELECT ranked_scan_count AS count, ranked_scan_at AS at FROM links WHERE id = ?")
      .bind(id)
      .first<{ count: number; at: number }>();
  const ranked = await read();
  expect(ranked?.count).toBeGreaterThanOrEqual(80);
  expect(ranked?.at).toBe(dayMs);
  await scan(0, dayMs + 86_400_000);
  expect((await read())?.at).toBe(dayMs + 86_400_000);
  await scan(1_000, dayMs + 86_400_001);
  expect(await read()).toEqual({ count: 1_100, at: dayMs + 86_400_000 });
});
