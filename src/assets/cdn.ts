import { formatContentDisposition } from "../core/content-disposition.ts";
import { isUuid } from "../core/id.ts";
import { logError } from "../core/log.ts";
import type { DatabaseBindings } from "../db/shards.ts";
import type { Settings } from "../env.ts";
import { renderErrorDocument } from "../pages/error-document.ts";
import { buildStyleDirective } from "../pages/plate.ts";
import { english } from "../pages/texts/english.ts";
import type { VisitorTexts } from "../pages/texts/visitor-texts.ts";
import { loadVisitorTexts } from "../pages/visitor-language.ts";
import { findSuspended } from "../safety/suspended-workspaces.ts";
import { parseRange } from "./byte-range.ts";
import { isOwnedBy } from "./file-owner.ts";
import { findFilenameProblem } from "./filename.ts";
import { isActiveContent } from "./mime-type.ts";
import {
  CONDITIONAL_HEADERS,
  evaluatePreconditions,
  isRangeApplicable,
  type Validators,
} from "./preconditions.ts";
import { buildPublicFileKey } from "./storage.ts";

const PATH = /^\/([^/]+)\/([^/]+)$/;
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Headers of every response. They prevent browsers from running uploaded content and from guessing a media
 * type other than the stored one.
 */
const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag",
};

const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": ["Range", ...CONDITIONAL_HEADERS].join(", "),
  "Access-Control-Max-Age": "86400",
};

/** Bindings that the CDN uses. */
export interface CdnBindings extends DatabaseBindings {
  PUBLIC_FILES: R2Bucket;
}

/**
 * Handles a request to the CDN host. Serves `{cdn_url}/{asset id}/{filename}` from the public bucket. Doesn't
 * cache files, so deleting a file from the bucket takes effect immediately. Files of suspended workspaces get 451.
 */
export async function serveFile(
  request: Request,
  url: URL,
  env: CdnBindings,
  settings: Settings,
  runtime: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  if (request.method === "OPTIONS") return respond(204, null, PREFLIGHT_HEADERS);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return respondWithError(405, request, "The CDN only supports GET and HEAD.", {
      Allow: "GET, HEAD, OPTIONS",
    });
  }
  const file = parseFilePath(url.pathname);
  if (file === null) return respondNotFound(request);
  try {
    const suspended = findSuspended(env.DIRECTORY, settings, Date.now(), (promise) =>
      runtime.waitUntil(promise),
    );
    const [response, isStopped] = await Promise.all([
      serveObject(request, file, env.PUBLIC_FILES),
      suspended.then((ids) => isOwnedBy(ids, env, file)),
    ]);
    if (!isStopped) return response;
    runtime.waitUntil(response.body?.cancel() ?? Promise.resolve());
    return respondWithError(451, request, english.file[451].text);
  } catch (error) {
    logError("reading a public file failed", error);
    return respondWithError(503, request, "This file cannot be loaded right now.", { "Retry-After": "5" });
  }
}

/** Asset id and file name in a CDN path. */
interface FilePath {
  id: string;
  filename: string;
}

/** Parses a path on the CDN. Returns null if no asset can have this path. */
export function parseFilePath(pathname: string): FilePath | null {
  const match = PATH.exec(pathname);
  const id = match?.[1] ?? "";
  const filename = decodeSegment(match?.[2] ?? "");
  return isUuid(id) && filename !== null && findFilenameProblem(filename) === null ? { id, filename } : null;
}

/** Decodes a path segment. Returns null if the percent-encoding is malformed. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

async function serveObject(request: Request, file: FilePath, bucket: R2Bucket): Promise<Response> {
  const { headers, method } = request;
  const key = buildPublicFileKey(file);
  if (method === "GET" && !["Range", ...CONDITIONAL_HEADERS].some((name) => headers.has(name))) {
    const object = await bucket.get(key);
    return object === null
      ? respondNotFound(request)
      : respond(200, object.body, buildFileHeaders(object, file, object.size));
  }

  const object = await bucket.head(key);
  if (object === null) return respondNotFound(request);
  const validators: Validators = { etag: object.httpEtag, modifiedMs: object.uploaded.getTime() };
  const status = evaluatePreconditions(headers, validators);
  if (status === 304) return respond(304, null, buildFileHeaders(object, file));
  if (status === 412)
    return respondWithError(412, request, "The file does not match the preconditions of the request.");

  const rangeHeader =
    method === "GET" && isRangeApplicable(headers, validators) ? headers.get("Range") : null;
  const range = parseRange(rangeHeader, object.size);
  if (range === "unsatisfiable") {
    const rangeHeaders = { "Content-Range": `bytes */${object.size}` };
    return respondWithError(
      416,
      request,
      `The requested range is outside the file, which has ${object.size} bytes.`,
      rangeHeaders,
    );
  }
  if (method === "HEAD") return respond(200, null, buildFileHeaders(object, file, object.size));
  const part = await bucket.get(key, range === null ? {} : { range });
  if (part === null) return respondNotFound(request);
  if (range === null) return respond(200, part.body, buildFileHeaders(part, file, part.size));
  const { offset, length } = range;
  return respond(206, part.body, {
    ...buildFileHeaders(part, file, length),
    "Content-Range": `bytes ${offset}-${offset + length - 1}/${part.size}`,
  });
}

function buildFileHeaders(
  object: R2Object,
  { filename }: FilePath,
  lengthBytes?: number,
): Record<string, string> {
  const type = object.httpMetadata?.contentType ?? UNKNOWN_TYPE;
  return {
    ETag: object.httpEtag,
    "Last-Modified": object.uploaded.toUTCString(),
    // The file at a URL never changes.
    "Cache-Control": "public, max-age=31536000, immutable",
    "Accept-Ranges": "bytes",
    "Content-Type": type,
    "Content-Disposition": formatContentDisposition(
      isActiveContent(type) ? "attachment" : "inline",
      filename,
    ),
    ...(lengthBytes !== undefined && { "Content-Length": String(lengthBytes) }),
  };
}

function respondNotFound(request: Request): Promise<Response> {
  return respondWithError(404, request, "No file exists at this URL.");
}

/**
 * Returns an error response: an HTML page if the `Accept` header lists HTML, as browsers do for page loads,
 * otherwise plain text.
 */
async function respondWithError(
  status: number,
  request: Request,
  text: string,
  extraHeaders: Record<string, string> = {},
): Promise<Response> {
  const { body, headers } =
    hasPage(status) && acceptsHtml(request) ? await buildPage(status, request) : buildPlainText(text);
  return respond(status, request.method === "HEAD" ? null : body, {
    "Cache-Control": "no-store",
    Vary: "Accept, Accept-Language",
    ...headers,
    ...extraHeaders,
  });
}

type PageStatus = keyof VisitorTexts["file"];

function hasPage(status: number): status is PageStatus {
  return status in english.file;
}

function acceptsHtml({ headers }: Request): boolean {
  return headers.get("Accept")?.toLowerCase().includes("text/html") ?? false;
}

function buildPlainText(text: string) {
  return { body: `${text}\n`, headers: { "Content-Type": "text/plain; charset=utf-8" } };
}

async function buildPage(status: PageStatus, request: Request) {
  const texts = await loadVisitorTexts(request);
  const { html, css, language } = renderErrorDocument(texts.file[status], { texts });
  return {
    body: html,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": language,
      "Content-Security-Policy": `default-src 'none'; ${await buildStyleDirective(css)}; sandbox`,
    },
  };
}

function respond(
  status: number,
  body: ReadableStream | string | null,
  headers: Record<string, string>,
): Response {
  return new Response(body, { status, headers: { ...COMMON_HEADERS, ...headers } });
}
