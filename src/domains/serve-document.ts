import { type DataCentre, openDataCentre } from "../caching/data-centre.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { isEtagListed } from "../core/etag.ts";
import { HOSTNAME_MAX_LENGTH } from "../core/hosts.ts";
import { DAY_MS } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";
import { readCurrent } from "../resolving/replica-read.ts";
import { buildContext, type RedirectBindings, resolver } from "../resolving/resolve.ts";

/** Columns of the documents, by path. */
const COLUMNS: Readonly<Record<string, string>> = {
  "/.well-known/apple-app-site-association": "apple_app_site_association",
  "/.well-known/assetlinks.json": "assetlinks",
};

/** Request for a well-known path on a short host. */
interface DocumentRequest {
  request: Request;
  url: URL;
  /** Host name of the URL, normalised. */
  hostname: string;
  settings: Settings;
}

type Bindings = RedirectBindings & { UNKNOWN_LIMIT: RateLimit };
type Runtime = Pick<ExecutionContext, "waitUntil">;

/**
 * Serves a host's document at a well-known path, or returns null if there is none or the workspace is suspended. The host comes from the
 * in-memory cache of redirects, which receives changes and has the current version of the documents. The
 * document comes from the data centre's cache, because documents are too large for memory. Clients must
 * revalidate on each request.
 */
export async function serveDocument(
  { request, url, hostname, settings }: DocumentRequest,
  env: Bindings,
  runtime: Runtime,
): Promise<Response | null> {
  const column = COLUMNS[url.pathname];
  if (column === undefined || hostname.length > HOSTNAME_MAX_LENGTH) return null;
  const nowMs = Date.now();
  const unknownLimit = new UnknownLimit(env.UNKNOWN_LIMIT, request.headers, nowMs);
  const waitUntil = (promise: Promise<unknown>) => runtime.waitUntil(promise);
  const getContext = () =>
    buildContext(env, settings, { nowMs, getUnknownLimit: () => unknownLimit, waitUntil });
  try {
    const host = await resolver.findHost(hostname, nowMs, getContext);
    if (!host?.documents || host.isSuspended) return null;
    const reading = { documents: host.documents, column, dataCentre: openDataCentre(settings), waitUntil };
    const document = await readDocument(env.DIRECTORY, reading);
    return document === null ? null : buildResponse(request, document);
  } catch (error) {
    if (error instanceof UnknownLimitError) return respondLater(429, error.retryAfterSeconds);
    logRecurringError("a well-known document could not be read", error);
    return respondLater(503, 5);
  }
}

/** Text and ETag of one version of a document. */
interface StoredDocument {
  text: string;
  etag: string;
}

interface Reading {
  /** Cache key of the host's documents: the id of its domain and their version. */
  documents: string;
  column: string;
  dataCentre: DataCentre;
  waitUntil(promise: Promise<unknown>): void;
}

/** Reads a document in the host's current version or a later one. Returns null if there is none. */
async function readDocument(
  directory: D1Database,
  { documents, column, dataCentre, waitUntil }: Reading,
): Promise<StoredDocument | null> {
  const [id = "", version = ""] = documents.split("/");
  const key = `documents/${documents}/${column}`;
  const cached = await dataCentre.read<StoredDocument>(key);
  if (cached !== undefined) return cached;
  const row = await readRow(directory, id, Number(version), column);
  if (row === null || row.text === null) return null;
  const document = { text: row.text, etag: `"${id}-${row.version}"` };
  if (row.version === Number(version)) waitUntil(dataCentre.write(key, document, DAY_MS));
  return document;
}

interface Row {
  version: number;
  text: string | null;
}

/**
 * Reads a document from the nearest replica of the directory that has the version. Returns null for an
 * unknown domain.
 */
function readRow(directory: D1Database, id: string, version: number, column: string): Promise<Row | null> {
  const select = `SELECT document_version AS version, ${column} AS text FROM domain_claims WHERE id = ?1`;
  const parse = ([row]: Row[]) => row ?? null;
  return readCurrent(directory, select, [id], parse, (row) => row !== null && row.version >= version);
}

function buildResponse(request: Request, { text, etag }: StoredDocument): Response {
  const headers = {
    "Content-Type": "application/json",
    "Cache-Control": "public, no-cache",
    "X-Content-Type-Options": "nosniff",
    ETag: etag,
  };
  const ifNoneMatch = request.headers.get("If-None-Match");
  if (ifNoneMatch !== null && isEtagListed(ifNoneMatch, etag, true))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : text, { headers });
}

function respondLater(status: number, retryAfterSeconds: number): Response {
  const headers = { "Cache-Control": "no-store", "Retry-After": String(retryAfterSeconds) };
  return new Response(null, { status, headers });
}
