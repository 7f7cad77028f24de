import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";
import { formatOwner, getLaneBounds, type MovingWorkspace, selectPageOwners } from "./row-sql.ts";

/**
 * Returns the names of the tables in which two shards differ in a workspace's number of rows, or in a few
 * sums.
 */
export async function findDifferences(
  source: D1Database,
  target: D1Database,
  workspace: MovingWorkspace,
): Promise<string[]> {
  const [expected, actual] = await Promise.all([
    measureTables(source, workspace),
    measureTables(target, workspace),
  ]);
  return MOVED_TABLES.flatMap(({ name }, index) => (expected[index] === actual[index] ? [] : [name]));
}

async function measureTables(d1: D1Database, workspace: MovingWorkspace): Promise<string[]> {
  const results = await d1.batch<{ measure: string }>(
    MOVED_TABLES.map((table) => d1.prepare(formatMeasure(table, workspace))),
  );
  return results.map(({ results: [row] }) => String(row?.measure));
}

/**
 * Returns the select that measures a workspace's rows in a table: their number, and for some tables also
 * sums.
 */
function formatMeasure(table: MovedTable, workspace: MovingWorkspace): string {
  const { name, ownership } = table;
  const [from, to] = getLaneBounds(workspace);
  const laneBounds = `lane >= ${from} AND lane < ${to}`;
  if (name === "webhook_events") {
    // Counting all events of the workspace would read the whole table, so this counts the events of the
    // workspace's deliveries.
    return `SELECT (SELECT count(*) FROM event_deliveries AS delivery
                     CROSS JOIN webhook_events AS event ON event.is_scan = (delivery.event_type = 'link.scanned')
                            AND event.id = substr(delivery.id, 1, 32) WHERE ${laneBounds})
                   || ' ' || (SELECT count(*) FROM webhook_events
                               WHERE workspace_id = '${workspace.id}' AND fanned_out IS NOT NULL) AS measure`;
  }
  switch (ownership) {
    case "tenant":
      return `SELECT json_array(number, link_count, archived_count, lane_count) AS measure FROM tenants WHERE id = '${workspace.id}'`;
    case "workspace":
    case "unindexed": {
      const sum = name === "links" ? " || ' ' || total(scan_count) || ' ' || total(updated_at)" : "";
      return `SELECT count(*)${sum} AS measure FROM ${name} WHERE workspace_id = '${workspace.id}'`;
    }
    case "lane":
      return `SELECT count(*) AS measure FROM ${name}
               WHERE ${table.key[0]?.name} >= ${from} AND ${table.key[0]?.name} < ${to}`;
    case "delivery":
      return `SELECT count(*) AS measure FROM event_deliveries AS delivery
               CROSS JOIN ${name} AS attempt ON attempt.delivery_id = delivery.id WHERE ${laneBounds}`;
    case "series":
      return formatSeriesMeasure(table, workspace);
  }
}

function formatSeriesMeasure({ name, key }: MovedTable, workspace: MovingWorkspace): string {
  const owned = `owner IN (SELECT ${formatOwner(workspace)} UNION ALL ${selectPageOwners(workspace)})`;
  const lead = key[0]?.name;
  if (lead === "owner") return `SELECT count(*) AS measure FROM ${name} WHERE ${owned}`;
  const sum = name === "scan_months" ? " || ' ' || total(human + bot + preview + prefetch + scanner)" : "";
  // The key begins with the month or day, so each month or day is looked up separately.
  return `WITH RECURSIVE leads (number) AS (
            SELECT min(${lead}) FROM ${name}
             UNION ALL
            SELECT (SELECT min(${lead}) FROM ${name} WHERE ${lead} > leads.number) FROM leads WHERE leads.number IS NOT NULL)
          SELECT count(*)${sum} AS measure FROM leads CROSS JOIN ${name} ON ${name}.${lead} = leads.number WHERE ${owned}`;
}
