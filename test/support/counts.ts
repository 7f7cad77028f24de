import { breakdownResponse, timeseriesResponse } from "../../src/analytics/analytics.schema.ts";
import { expectData, type TestWorkspace, workerEnv } from "./harness.ts";

/** Parameters of a timeseries, or of a breakdown if `by` is one of them. */
export type Query = Record<string, string>;
export type Counts = Record<string, number>;

/** Reads the counts of a timeseries by date, or of a breakdown by value, without zeros. */
export async function readCounts(
  workspace: TestWorkspace,
  query: Query,
  env: Env = workerEnv,
): Promise<Counts> {
  const isBreakdown = query.by !== undefined;
  const path = `/v1/analytics/${isBreakdown ? "breakdown" : "timeseries"}?${new URLSearchParams(query)}`;
  const response = await workspace.call("GET", path, { env });
  const counts = isBreakdown
    ? (await expectData(response, breakdownResponse)).data.items.map(({ value, scans }) => [value, scans])
    : (await expectData(response, timeseriesResponse)).data.points.map(({ date, scans }) => [date, scans]);
  return Object.fromEntries(counts.filter(([, scans]) => scans !== 0));
}
