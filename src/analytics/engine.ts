import * as z from "zod";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { SqlApi } from "../env.ts";
import { DATASET_COLUMNS, type Dimension, datasetColumn } from "../scans/dimensions.ts";
import type { ScanCounts, ScanFilter, Step } from "./counts.ts";

/** Timeout of the SQL API, response included. The roll-ups then answer the query. */
const TIMEOUT_MS = 3 * SECOND_MS;

const DATASET = "scans";
/** Lengths of time in the words of the SQL API. */
const STEPS: Record<Step, string> = { quarter: "'15' MINUTE", hour: "'1' HOUR", day: "'1' DAY" };
/** Number of scans. Rows are sampled, and each represents `_sample_interval` scans. */
const SCANS = "sum(_sample_interval)";

/** Number in a response; the SQL API returns numbers beyond 32 bits as strings. */
const count = z.coerce.number().int();
const timeRow = z.object({ start: count, scans: count });
const valueRow = z.object({ value: z.string(), scans: count });

/**
 * Returns the engine that queries the SQL API of Analytics Engine, which keeps three months of scans
 * (https://developers.cloudflare.com/analytics/analytics-engine/sql-api/). Its methods throw if the API fails or exceeds
 * the timeout.
 */
export function analyticsEngine(api: SqlApi, workspaceId: string): ScanCounts {
  return {
    async byTime(step, filter) {
      const rows = await query(
        api,
        `SELECT toUnixTimestamp(toStartOfInterval(toDateTime(${DATASET_COLUMNS.scannedAt}), INTERVAL ${STEPS[step]})) AS start, ${SCANS} AS scans
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

// Points are stamped when they are written, shortly after their scan, so `timestamp` only excludes much older rows.
function buildCondition(workspaceId: string, filter: ScanFilter): string {
  const { fromMs, toMs, linkId, traffic, values } = filter;
  // Points from before the classes existed have no class, and are of people.
  const selected = new Map<Dimension, string>(values);
  if (traffic !== null) selected.set("traffic", traffic === "human" ? "" : traffic);
  return [
    `${DATASET_COLUMNS.workspace} = ${quote(workspaceId)}`,
    ...(linkId === null ? [] : [`${datasetColumn("link")} = ${quote(linkId)}`]),
    `timestamp >= toDateTime(${(fromMs - DAY_MS) / SECOND_MS})`,
    `${DATASET_COLUMNS.scannedAt} >= ${fromMs / SECOND_MS}`,
    `${DATASET_COLUMNS.scannedAt} < ${toMs / SECOND_MS}`,
    ...[...selected].map(([dimension, value]) => `${datasetColumn(dimension)} = ${quote(value)}`),
  ].join(" AND ");
}

/** Returns true if the engine can select these values: the SQL API does not document how to escape text. */
export function isQueryable({ values }: ScanFilter): boolean {
  return [...values.values()].every((value) => NEEDS_NO_ESCAPE.test(value));
}

const NEEDS_NO_ESCAPE = /^[\w.#-]*$/;

/**
 * Returns a string literal. Throws on text that needs escaping, which the SQL API does not document; ids never need it.
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
    // A redirect would send the token to another address.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    // The message may contain parts of the request, such as the token.
    throw new Error(`the SQL API did not respond (${error.name})`);
  });
  // The text of an error response is not logged, because it quotes the statement.
  if (!response.ok) throw new Error(`the SQL API returned status ${response.status}`);
  return z.object({ data: z.array(row) }).parse(await response.json()).data;
}
