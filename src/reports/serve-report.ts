import { logRecurringError } from "../caching/recurring-errors.ts";
import { generateUuidv7 } from "../core/id.ts";
import { readPasswordSalt } from "../core/password-hash.ts";
import { isPlainHttp } from "../core/transport.ts";
import { openDatabase } from "../db/database.ts";
import { getShard } from "../db/shards.ts";
import { formatShortUrl, type Settings } from "../env.ts";
import { respondWithForm, respondWithRefusal } from "../guards/guarded-page.ts";
import { checkPassword } from "../guards/password-visit.ts";
import { UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";
import { renderErrorDocument } from "../pages/error-document.ts";
import { buildPage } from "../pages/page-response.ts";
import type { HtmlDocument } from "../pages/plate.ts";
import type { PageTexts, VisitorTexts } from "../pages/texts/visitor-texts.ts";
import { loadVisitorTexts } from "../pages/visitor-language.ts";
import { readReportData } from "./report-data.ts";
import { renderReport } from "./report-page.ts";
import { getReportTexts } from "./report-texts.ts";
import { hashReportToken, isReportToken, REPORT_PATH } from "./report-token.ts";
import type { Report } from "./reports.directory.table.ts";
import { findReport, type OpenReport } from "./reports.ts";

/** Request for the page of a report. */
interface ReportVisit {
  request: Request;
  url: URL;
  settings: Settings;
  env: Env;
  runtime: Pick<ExecutionContext, "waitUntil">;
  nowMs: number;
}

const RETRY_AFTER = { "Retry-After": "5" };

/** Serves the pages of shared reports, on the app host, to everyone who has the URL of one. */
export async function serveReport(
  request: Request,
  url: URL,
  settings: Settings,
  env: Env,
  runtime: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  if (isPlainHttp(request.url, settings.appUrl)) return redirectToHttps(request, url);
  const visit = { request, url, settings, env, runtime, nowMs: Date.now() };
  try {
    return await serve(visit);
  } catch (error) {
    if (error instanceof UnknownLimitError) {
      const headers = { "Retry-After": String(error.retryAfterSeconds) };
      return respondWithError(visit, 429, ({ page }) => page[429], headers);
    }
    logRecurringError("a shared report could not be shown", error);
    return respondWithError(visit, 503, ({ page }) => page[503], RETRY_AFTER);
  }
}

async function serve(visit: ReportVisit): Promise<Response> {
  const { request, nowMs } = visit;
  if (!["GET", "HEAD", "POST"].includes(request.method)) return respondWithMethod(visit, "GET, HEAD, POST");
  const found = await lookUp(visit);
  if (found === null) return respondWithGone(visit, 404);
  const { report, suspendedAt } = found;
  if (report.expiresAt !== null && report.expiresAt <= nowMs) return respondWithGone(visit, 410);
  if (suspendedAt !== null) return respondWithError(visit, 451, ({ page }) => page[451]);
  if (report.passwordHash !== null) {
    const stopped = await askForPassword(visit, report, report.passwordHash);
    if (stopped !== null) return stopped;
  } else if (request.method === "POST") {
    return respondWithMethod(visit, "GET, HEAD");
  }
  return respondWithReport(visit, found);
}

/** Looks up the report, unless the visitor's network has opened too many unknown ones. */
async function lookUp({ request, url, env, nowMs }: ReportVisit): Promise<OpenReport | null> {
  const token = url.pathname.slice(REPORT_PATH.length);
  if (!isReportToken(token)) return null;
  const tokenHash = await hashReportToken(token);
  const limit = new UnknownLimit(env.UNKNOWN_LIMIT, request.headers, nowMs, "report");
  return limit.lookUp(tokenHash, () => findReport(openDatabase(env.DIRECTORY), tokenHash));
}

/**
 * Returns null for a visitor who has entered the password, otherwise the response. After the form, redirects to
 * the page, so that it can be reloaded and printed.
 */
async function askForPassword(visit: ReportVisit, report: Report, hash: string): Promise<Response | null> {
  const { request, url, env, runtime, nowMs } = visit;
  const { id, workspaceId } = report;
  const link = { id, workspaceId, passwordVersion: readPasswordSalt(hash) };
  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  const store = { triesName: `report:${id}`, read: async () => ({ passwordHash: hash }) };
  const outcome = await checkPassword({ request, url, link, nowMs, waitUntil }, env, store);
  switch (outcome.status) {
    case "passed": {
      if (outcome.cookie === null) return null;
      const headers = { ...buildHeaders(nowMs), Location: url.pathname, "Set-Cookie": outcome.cookie };
      return new Response(null, { status: 303, headers });
    }
    case "limited":
      return respondWithRefusal(request, null, 429, { "Retry-After": String(outcome.retryAfterSeconds) });
    case "too_large":
      return respondWithRefusal(request, null, 413);
    case "no_form":
      return respondWithRefusal(request, null, 415, { "Accept-Post": "application/x-www-form-urlencoded" });
    case "foreign":
      return respondWithRefusal(request, null, 403);
    case "gone":
      return respondWithGone(visit, 404);
    default:
      return respondWithForm(request, outcome.status === "wrong", null);
  }
}

async function respondWithReport(
  visit: ReportVisit,
  { report, shard, hostname }: OpenReport,
): Promise<Response> {
  const { request, env, settings, nowMs } = visit;
  const texts = await loadVisitorTexts(request);
  const data = await readReportData(getShard(env, shard), report, nowMs);
  const formatUrl = ({ shortCode }: { shortCode: string }) =>
    formatShortUrl(settings, hostname, shortCode).replace(/^https?:\/\//, "");
  return respond(visit, 200, renderReport({ title: report.title, data, nowMs, formatUrl }, texts.tag));
}

function respondWithGone(visit: ReportVisit, status: 404 | 410): Promise<Response> {
  return respondWithError(visit, status, ({ tag }) => getReportTexts(tag).gone);
}

function respondWithMethod(visit: ReportVisit, allowed: string): Promise<Response> {
  return respondWithError(visit, 405, ({ page }) => page[405], { Allow: allowed });
}

async function respondWithError(
  visit: ReportVisit,
  status: number,
  pick: (texts: VisitorTexts) => PageTexts,
  headers: Record<string, string> = {},
): Promise<Response> {
  const texts = await loadVisitorTexts(visit.request);
  return respond(visit, status, renderErrorDocument(pick(texts), { texts }), headers);
}

async function respond(
  { request, nowMs }: ReportVisit,
  status: number,
  document: HtmlDocument,
  otherHeaders: Record<string, string> = {},
): Promise<Response> {
  const { body, headers } = await buildPage(document);
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: { ...buildHeaders(nowMs), ...headers, ...otherHeaders },
  });
}

/** Returns the headers of all responses. The referrer would reveal the token, so that none is sent. */
function buildHeaders(nowMs: number): Record<string, string> {
  return {
    "Cache-Control": "private, no-store",
    Vary: "Accept-Language",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "X-Request-Id": generateUuidv7(nowMs),
  };
}

/** Redirects a page to HTTPS, but rejects forms, because they may have been intercepted. */
function redirectToHttps({ method }: Request, url: URL): Response {
  if (method !== "GET" && method !== "HEAD") return new Response(null, { status: 403 });
  const location = new URL(url);
  location.protocol = "https:";
  location.port = "";
  return new Response(null, { status: 308, headers: { Location: location.href } });
}
