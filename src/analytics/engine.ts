import * as z from "zod";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { SqlApi } from "../env.ts";
import { COLUMNS, datasetColumn } from "../scans/scan.ts";
import type { ScanCounts, ScanFilter } from "./counts.ts";

/** How long the SQL API may take, its answer read; then the roll-ups answer. */
const TIMEOUT_MS = 3 * SECOND_MS;
/** What is kept of the answer to a refused query, for the log. */
const REASON_MAX_LENGTH = 300;

const DATASET = "scans";
/** A row is sampled: it stands for this many scans. */
const SCANS = "sum(_sample_interval)";

/** Numbers beyond 32 bits come as strings. */
const count = z.coerce.number().int();
const timeRow = z.object({ start: count, scans: count });
const valueRow = z.object({ value: z.string(), scans: count });

/**
 * Counts the scans of a workspace through the SQL API of Analytics Engine, which keeps three months of them
 * (https://developers.cloudflare.com/analytics/analytics-engine/sql-api/). Throws when it fails or takes too long.
 */
export function analyticsEngine(api: SqlApi, workspaceId: string): ScanCounts {
  return {
    async byTime(step, filter) {
      const rows = await query(
        api,
        `SELECT toUnixTimestamp(toStartOfInterval(toDateTime(${COLUMNS.scannedAt}), INTERVAL '1' ${step.toUpperCase()})) AS start, ${SCANS} AS scans
FROM ${DATASET} WHERE ${buildCondition(workspaceId, filter)}
GROUP BY start FORMAT JSON`,
        timeRow,
      );
      return rows.map(({ start, scans }) => ({ startMs: start * SECOND_MS, scans }));
    },
    byValue: (dimension, limit, filter) =>
      query(
        api,
        `SELECT ${datasetColumn(dimension)} AS value, ${SCANS} AS scans
FROM ${DATASET} WHERE ${buildCondition(workspaceId, filter)}
GROUP BY value ORDER BY scans DESC, value LIMIT ${limit} FORMAT JSON`,
        valueRow,
      ),
  };
}

// A point is stamped when it is written, a moment after its scan, so `timestamp` only leaves out what is much older.
function buildCondition(workspaceId: string, { fromMs, toMs, linkId }: ScanFilter): string {
  return [
    `${COLUMNS.workspace} = ${quote(workspaceId)}`,
    ...(linkId === null ? [] : [`${datasetColumn("link")} = ${quote(linkId)}`]),
    `timestamp >= toDateTime(${(fromMs - DAY_MS) / SECOND_MS})`,
    `${COLUMNS.scannedAt} >= ${fromMs / SECOND_MS}`,
    `${COLUMNS.scannedAt} < ${toMs / SECOND_MS}`,
  ].join(" AND ");
}

const NEEDS_NO_ESCAPE = /^[\w-]+$/;

/**
 * A string literal. How the SQL API escapes a quote is not documented, so a text that would need it is refused; ids
 * never do.
 */
export function quote(text: string): string {
  if (!NEEDS_NO_ESCAPE.test(text)) throw new Error("not a text for a query of Analytics Engine");
  return `'${text}'`;
}

async function query<Row>(api: SqlApi, statement: string, row: z.ZodType<Row>): Promise<Row[]> {
  const response = await fetch(api.url, {
    method: "POST",
    headers: { Authorization: `Bearer ${api.token}`, "Content-Type": "text/plain" },
    body: statement,
    // The token goes to the configured address and nowhere else.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, REASON_MAX_LENGTH)}`);
  return z.object({ data: z.array(row) }).parse(JSON.parse(text)).data;
}
