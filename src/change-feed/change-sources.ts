import { type DatabaseBindings, getShard, listShards } from "../db/shards.ts";
import { DIRECTORY } from "./change-key.ts";
import type { ChangeSource } from "./collect-changes.ts";
import type { Change } from "./feed-document.ts";

const SELECT_HOST_CHANGES =
  "SELECT seq, hostname AS key FROM host_changes WHERE seq > ?1 ORDER BY seq LIMIT ?2";
const SELECT_TARGET_CHANGES = `
  SELECT seq, workspace_id || '/' || code_key AS key FROM target_changes WHERE seq > ?1 ORDER BY seq LIMIT ?2`;

/** Lists the databases whose changes affect redirects, the directory first. */
export function listChangeSources(bindings: DatabaseBindings): ChangeSource[] {
  return [
    buildSource(DIRECTORY, bindings.DIRECTORY, "host_changes", SELECT_HOST_CHANGES),
    ...listShards(bindings).map((shard) =>
      buildSource(String(shard), getShard(bindings, shard), "target_changes", SELECT_TARGET_CHANGES),
    ),
  ];
}

function buildSource(name: string, d1: D1Database, table: string, selectChanges: string): ChangeSource {
  return {
    name,
    // Uses one transaction, so that the last number matches the changes.
    read: async (cursor, limit) => {
      const session = d1.withSession("first-primary");
      const selectLast = session.prepare(`SELECT max(seq) AS last FROM ${table}`);
      const after = cursor ?? Number.MAX_SAFE_INTEGER;
      const [last, changes] = await session.batch([
        selectLast,
        session.prepare(selectChanges).bind(after, limit),
      ]);
      const [row] = (last?.results ?? []) as { last: number | null }[];
      return { last: row?.last ?? 0, changes: (changes?.results ?? []) as unknown as Change[] };
    },
  };
}
