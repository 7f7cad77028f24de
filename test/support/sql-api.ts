import * as z from "zod";
import { workerEnv } from "./harness.ts";

/** Query that sums scans by the start of their hour or day. */
const BY_TIME =
  /^SELECT toUnixTimestamp\(toStartOfInterval\(toDateTime\(double1\), INTERVAL ('15' MINUTE|'1' HOUR|'1' DAY)\)\) AS start, sum\(_sample_interval\) AS scans\nFROM scans WHERE (.+)\nGROUP BY start FORMAT JSON$/;
/** Query that sums scans by the value of a dimension. */
const BY_VALUE =
  /^SELECT blob(1[0-4]|[1-9]) AS value, sum\(_sample_interval\) AS scans\nFROM scans WHERE (.+)\nGROUP BY value ORDER BY scans DESC, value LIMIT (\d+) FORMAT JSON$/;
/** Condition that a query may contain. */
const CONDITION =
  /^(?:(?<column>index1|blob(?:1[0-4]|[1-9])) = '(?<text>[\w.#-]*)'|timestamp >= toDateTime\((?<since>\d+)\)|double1 (?<sign>>=|<) (?<number>\d+))$/;

const STEP_SECONDS = { "'15' MINUTE": 900, "'1' HOUR": 3_600, "'1' DAY": 86_400 };

const ACCOUNT_ID = "0123456789abcdef";
const ROOT = "http://analytics.test/client/v4";

type Row = Record<string, string | number>;

/**
 * Stub of Analytics Engine and its SQL API. It stores the data points it receives and runs this service's
 * queries on them. It rejects every other query, so an injected or misplaced text fails the test.
 */
export class StubSqlApi {
  readonly token = "secret-token-of-the-test";
  readonly points: AnalyticsEngineDataPoint[] = [];
  readonly statements: string[] = [];
  /**
   * Replaces the regular response when set. The second argument is the signal that `fetch` got. In Node, the request's
   * own signal may stop following that one after a garbage collection.
   */
  misbehave: ((request: Request, signal?: AbortSignal | null) => Response | Promise<Response>) | undefined;

  /** The Worker's `env`, configured to use this stub. */
  readonly env: Env = {
    ...workerEnv,
    SCANS: { writeDataPoint: (point: AnalyticsEngineDataPoint) => void this.points.push(point) },
    ANALYTICS_ACCOUNT_ID: ACCOUNT_ID,
    ANALYTICS_API_TOKEN: this.token,
    ANALYTICS_API_URL: ROOT,
  } as Env;

  /** Replacement for the global `fetch`. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    const statement = await request.clone().text();
    this.statements.push(statement);
    if (this.misbehave) return this.misbehave(request, init?.signal);
    if (request.url !== `${ROOT}/accounts/${ACCOUNT_ID}/analytics_engine/sql`)
      return refuse(404, request.url);
    if (request.method !== "POST") return refuse(405, request.method);
    if (request.headers.get("Authorization") !== `Bearer ${this.token}`) return refuse(403, "wrong token");
    const rows = this.#runQuery(statement);
    return rows === null
      ? refuse(422, statement)
      : Response.json({ meta: [], data: rows, rows: rows.length });
  };

  /** Returns the rows of a query, or null if it is not a query of this service. */
  #runQuery(statement: string): Row[] | null {
    const byTime = BY_TIME.exec(statement);
    if (byTime) {
      const step = STEP_SECONDS[byTime[1] as keyof typeof STEP_SECONDS];
      const groups = countByKey(this.#findPoints(byTime[2] as string), ({ doubles }) => {
        const second = doubles?.[0] as number;
        return second - (second % step);
      });
      return groups.map(([start, scans]) => ({ start, scans: String(scans) }));
    }
    const byValue = BY_VALUE.exec(statement);
    if (!byValue) return null;
    const groups = countByKey(this.#findPoints(byValue[2] as string), ({ blobs }) =>
      String(blobs?.[Number(byValue[1]) - 1] ?? ""),
    );
    return groups
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, Number(byValue[3]))
      .map(([value, scans]) => ({ value, scans: String(scans) }));
  }

  #findPoints(where: string): AnalyticsEngineDataPoint[] {
    const conditions = where.split(" AND ").map((condition) => {
      const groups = CONDITION.exec(condition)?.groups;
      if (!groups) throw new Error(`unknown condition: ${condition}`);
      return groups;
    });
    // The workspace and the time range must never be missing.
    z.array(z.unknown()).min(4).parse(conditions);
    if (conditions[0]?.column !== "index1")
      throw new Error(`the first condition must select one workspace: ${where}`);
    return this.points.filter((point) => conditions.every((condition) => meetsCondition(condition, point)));
  }
}

function meetsCondition(
  { column, text, since, sign, number }: Record<string, string | undefined>,
  { indexes, blobs, doubles }: AnalyticsEngineDataPoint,
): boolean {
  const second = doubles?.[0] as number;
  if (column === "index1") return indexes?.[0] === text;
  // A blob that was not written is empty.
  if (column !== undefined) return String(blobs?.[Number(column.slice(4)) - 1] ?? "") === text;
  if (since !== undefined) return second >= Number(since);
  return sign === "<" ? second < Number(number) : second >= Number(number);
}

function countByKey<Key>(
  points: readonly AnalyticsEngineDataPoint[],
  getKey: (point: AnalyticsEngineDataPoint) => Key,
): [Key, number][] {
  return [...Map.groupBy(points, getKey)].map(([key, group]) => [key, group.length]);
}

function refuse(status: number, reason: string): Response {
  return new Response(reason, { status });
}
