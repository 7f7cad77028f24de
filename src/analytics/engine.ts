import * as z from "zod";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { SqlApi } from "../env.ts";
import { DATASET_COLUMNS, type Dimension, getDatasetColumn } from "../scans/dimensions.ts";
import type { CountInterval, ScanCounts, ScanFilter } from "./counts.ts";

/** Timeout of the SQL API, including the response body. After it, the query runs on the roll-ups instead. */
const TIMEOUT_MS = 3 * SECOND_MS;

const DATASET = "scans";
/** Intervals in the syntax of the SQL API. */
const SQL_INTERVALS: Record<CountInterval, string> = {
  quarter: "'15' MINUTE",
  hour: "'1' HOUR",
  day: "'1' DAY",
};
/**
 * Expression for the number of scans. Analytics Engine samples rows, and each row represents
 * `_sample_interval` scans.
 */
const SCANS = "sum(_sample_interval)";

/** Schema of a number in a response. The SQL API returns numbers beyond 32 bits as strings. */
const count = z.coerce.number().int();
const timeRow = z.object({ start: count, scans: count });
const valueRow = z.object({ value: z.string(), scans: count });

/**
 * Returns the engine that queries Analytics Engine, which keeps scans for three months
 * (https://developers.cloudflare.com/analytics/analytics-engine/sql-api/). Its methods throw if the SQL API
 * fails or takes longer than the timeout.
 */
export function createAnalyticsEngine(api: SqlApi, workspaceId: string): ScanCounts {
  return {
    isSampled: true,
    async byTime(interval, filter) {
      const rows = await query(
        api,
        `SELECT toUnixTimestamp(toStartOfInterval(toDateTime(${DATASET_COLUMNS.scannedAt}), INTERVAL ${SQL_INTERVALS[interval]})) AS start, ${SCANS} AS scans
FROM ${DATASET} WHERE ${buildCondition(workspaceId, filter)}
GROUP BY start FORMAT JSON`,
        timeRow,
      );
      return rows.map(({ start, scans }) => ({ startMs: start * SECOND_MS, scans }));
    },
    async byValue(dimension, limit, filter) {
      const items = await query(
        api,
        `SELECT ${getDatasetColumn(dimension)} AS value, ${SCANS} AS scans
FROM ${DATASET} WHERE ${buildCondition(workspaceId, filter)}
GROUP BY value ORDER BY scans DESC, value LIMIT ${limit} FORMAT JSON`,
        valueRow,
      );
      return { items };
    },
  };
}

// `timestamp` is the time when the row was written, shortly after the scan. The condition on it only keeps
// the query from reading much older rows.
function buildCondition(workspaceId: string, filter: ScanFilter): string {
  const { fromMs, toMs, linkId, traffic, values } = filter;
  // Scans by people have no class in the dataset.
  const selected = new Map<Dimension, string>(values);
  if (traffic !== null) selected.set("traffic", traffic === "human" ? "" : traffic);
  return [
    `${DATASET_COLUMNS.workspace} = ${quote(workspaceId)}`,
    ...(linkId === null ? [] : [`${getDatasetColumn("link")} = ${quote(linkId)}`]),
    `timestamp >= toDateTime(${(fromMs - DAY_MS) / SECOND_MS})`,
    `${DATASET_COLUMNS.scannedAt} >= ${fromMs / SECOND_MS}`,
    `${DATASET_COLUMNS.scannedAt} < ${toMs / SECOND_MS}`,
    ...[...selected].map(([dimension, value]) => `${getDatasetColumn(dimension)} = ${quote(value)}`),
  ].join(" AND ");
}

/**
 * Returns true if Analytics Engine can apply a filter: it has no labels, and the SQL API doesn't document how to
 * escape text, so all values must be quotable without.
 */
export function isQueryable({ label, values }: ScanFilter): boolean {
  return label === null && [...values.values()].every((value) => NEEDS_NO_ESCAPE.test(value));
}

const NEEDS_NO_ESCAPE = /^[\w.#-]*$/;

/**
 * Returns a string literal. Throws if the text would need escaping, which the SQL API doesn't document. Ids
 * never need escaping.
 */
export function quote(text: string): string {
  if (!NEEDS_NO_ESCAPE.test(text)) throw new Error("the text cannot be quoted for Analytics Engine");
  return `'${text}'`;
}

async function query<Row>(api: SqlApi, statement: string, row: z.ZodType<Row>): Promise<Row[]> {
  const response = await fetch(api.url, {
    method: "POST",
    headers: { Authorization: `Bearer ${api.token}`, "Content-Type": "text/plain" },
    body: statement,
    // A redirect would send the token to another URL.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    // The original message may contain parts of the request, such as the token.
    throw new Error(`the SQL API did not respond (${error.name})`);
  });
  // The text of an error response isn't logged, because it quotes the statement.
  if (!response.ok) throw new Error(`the SQL API returned status ${response.status}`);
  return z.object({ data: z.array(row) }).parse(await response.json()).data;
}
