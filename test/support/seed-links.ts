import { POSITION_BITS } from "../../src/links/links.table.ts";
import type { TestWorkspace } from "./harness.ts";

/** Links to insert, numbered from 0. The expressions may use the number `n`. */
export interface LinkSeed {
  workspace: TestWorkspace;
  count: number;
  /** SQL expression for the code. */
  code: string;
  /** SQL expression for the destination. */
  destination: string;
  /** SQL expression for the JSON array of labels. */
  labels?: string;
  /** SQL condition for an enabled link. */
  enabled?: string;
  /** Position of the first link in the order of the workspace. */
  firstPosition?: number;
}

/** Inserts many links with one statement. Their ids have the order of their numbers. */
export async function seedLinks({
  workspace,
  count,
  code,
  destination,
  labels = "'[]'",
  enabled = "1",
  firstPosition = 1,
}: LinkSeed): Promise<void> {
  await workspace.shard
    .prepare(
      `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host, rule_hosts,
                        enabled, labels, routing_rules, created_at, updated_at, position)
     WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
     SELECT printf('01a1fd70-f1c0-7%03x-8%03x-%s', n / 4096, n % 4096, lower(hex(randomblob(6)))), ?1,
            ${code}, lower(${code}), 1, ${destination}, 'example.com', '[]', ${enabled}, ${labels}, '[]', 0, 0,
            (SELECT number << ${POSITION_BITS} FROM tenants WHERE id = ?1) + ?3 + n
       FROM numbers`,
    )
    .bind(workspace.id, count, firstPosition)
    .run();
}
