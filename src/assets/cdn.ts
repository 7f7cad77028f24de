import { contentDisposition } from "../core/content-disposition.ts";
import { isUuid } from "../core/id.ts";
import { parseRange } from "./byte-range.ts";
import { filenameFault } from "./filename.ts";
import { isActiveContent } from "./mime-type.ts";
import { CONDITIONAL_HEADERS, preconditionStatus, rangeHolds, type Validators } from "./preconditions.ts";
import { publicKey } from "./storage.ts";

const PATH = /^\/([^/]+)\/([^/]+)$/;
const UNKNOWN_TYPE = "application/octet-stream";

/** Of every answer. Nothing that somebody uploaded may run, or be taken for another type than it was stored with. */
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

/**
 * The CDN surface (decisions section 6): `{cdn_url}/{asset id}/{filename}` from the public bucket, and from nothing
 * else: what has been deleted there is gone at once.
 */
export async function serveFile(request: Request, url: URL, bucket: R2Bucket): Promise<Response> {
  if (request.method === "OPTIONS") return answer(204, null, PREFLIGHT_HEADERS);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refuse(405, request, "The CDN answers GET and HEAD.", { Allow: "GET, HEAD, OPTIONS" });
  }
  const file = fileOf(url.pathname);
  if (file === null) return notThere(request);
  try {
    return await serve(request, file, bucket);
  } catch (error) {
    console.error(`${url.pathname} cannot be read`, error);
    return refuse(503, request, "This file cannot be read right now.", { "Retry-After": "5" });
  }
}

/** The file that a path names. */
interface FileName {
  id: string;
  filename: string;
}

function fileOf(pathname: string): FileName | null {
  const match = PATH.exec(pathname);
  const id = match?.[1] ?? "";
  const filename = decode(match?.[2] ?? "");
  return isUuid(id) && filename !== null && filenameFault(filename) === null ? { id, filename } : null;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

async function serve(request: Request, file: FileName, bucket: R2Bucket): Promise<Response> {
  const { headers, method } = request;
  const key = publicKey(file);
  if (method === "GET" && !["Range", ...CONDITIONAL_HEADERS].some((name) => headers.has(name))) {
    const whole = await bucket.get(key);
    return whole === null ? notThere(request) : answer(200, whole.body, fileHeaders(whole, file, whole.size));
  }

  const object = await bucket.head(key);
  if (object === null) return notThere(request);
  const validators: Validators = { etag: object.httpEtag, modifiedMs: object.uploaded.getTime() };
  const status = preconditionStatus(headers, validators);
  if (status === 304) return answer(304, null, fileHeaders(object, file));
  if (status === 412) return refuse(412, request, "The file is not the one the request was made for.");

  const ranged = method === "GET" && rangeHolds(headers, validators) ? headers.get("Range") : null;
  const range = parseRange(ranged, object.size);
  if (range === "unsatisfiable") {
    const outside = { "Content-Range": `bytes */${object.size}` };
    return refuse(416, request, `The file has ${object.size} bytes.`, outside);
  }
  if (method === "HEAD") return answer(200, null, fileHeaders(object, file, object.size));
  const part = await bucket.get(key, range === null ? {} : { range });
  if (part === null) return notThere(request);
  if (range === null) return answer(200, part.body, fileHeaders(part, file, part.size));
  const { offset, length } = range;
  return answer(206, part.body, {
    ...fileHeaders(part, file, length),
    "Content-Range": `bytes ${offset}-${offset + length - 1}/${part.size}`,
  });
}

function fileHeaders(object: R2Object, { filename }: FileName, lengthBytes?: number): Record<string, string> {
  const type = object.httpMetadata?.contentType ?? UNKNOWN_TYPE;
  return {
    ETag: object.httpEtag,
    "Last-Modified": object.uploaded.toUTCString(),
    // The address names one file for good.
    "Cache-Control": "public, max-age=31536000, immutable",
    "Accept-Ranges": "bytes",
    "Content-Type": type,
    "Content-Disposition": contentDisposition(isActiveContent(type) ? "attachment" : "inline", filename),
    ...(lengthBytes !== undefined && { "Content-Length": String(lengthBytes) }),
  };
}

function notThere(request: Request): Response {
  return refuse(404, request, "There is no file at this address.");
}

function refuse(status: number, request: Request, text: string, headers?: Record<string, string>): Response {
  return answer(status, request.method === "HEAD" ? null : `${text}\n`, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    ...headers,
  });
}

function answer(
  status: number,
  body: ReadableStream | string | null,
  headers: Record<string, string>,
): Response {
  return new Response(body, { status, headers: { ...COMMON_HEADERS, ...headers } });
}
