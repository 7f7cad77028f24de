import { api, callApi, getWorkspaceHeader, type Schemas } from "../data/calls.ts";
import { type CountedList, toPage } from "../data/paged-list.ts";
import { resources } from "../data/resources.ts";

/** Shared reports of the workspace: reads, creates and revokes them. */

export type SharedReport = Schemas["Report"];
export type NewReport = Schemas["NewReport"];

export const REPORTS_KEY = "shared-reports";
const PAGE_SIZE = 50;

/** Reads a page of the reports, newest first. */
export async function readReports(before: string | null): Promise<CountedList<SharedReport>> {
  const query = { limit: PAGE_SIZE, ...(before !== null && { before }) };
  return toPage(await callApi(api.GET("/v1/reports", { params: { query } })));
}

/** Creates a report. Repeating the call with the same idempotency key is safe: it returns the first response. */
export async function createReport(body: NewReport, idempotencyKey: string): Promise<SharedReport> {
  const header = { ...getWorkspaceHeader(), "Idempotency-Key": idempotencyKey };
  const { data } = await callApi(api.POST("/v1/reports", { params: { header }, body }));
  await reread();
  return data;
}

/** Revokes a report immediately. */
export async function revokeReport(id: string): Promise<void> {
  await callApi(api.DELETE("/v1/reports/{report_id}", { params: { path: { report_id: id } } }));
  await reread();
}

function reread(): Promise<void> {
  return resources.read(REPORTS_KEY, () => readReports(null));
}
