import { parseFilePath } from "../assets/cdn.ts";
import { buildPublicFileKey } from "../assets/storage.ts";
import { lookUpCache, writeCache } from "../caching/data-centre-cache.ts";
import { readAtMost } from "../core/body.ts";
import { formatBytes } from "../core/byte-size.ts";
import { sha256Hex } from "../core/crypto.ts";
import { type ApiError, createValidationError, type FieldProblem } from "../core/error.ts";
import { normalizeHostname } from "../core/hosts.ts";
import {
  fetchGuarded,
  findOutboundProblem,
  type OutboundPolicy,
  OutboundRefusedError,
} from "../core/outbound.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import { findOwnDomains } from "../tenant/host-copies.ts";
import { buildOutboundPolicy, isCdnHost } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { type ImageHeader, type ImageType, readImageHeader } from "./image-header.ts";
import { type EncodedImage, isDecodable, rasterize } from "./raster.ts";

const LOGO_FIELD = "design.logo_url";
const LOGO_MAX_BYTES = 1_048_576;
const LOGO_MAX_SIDE = 4_096;
const FETCH_TIMEOUT_MS = 5 * SECOND_MS;
const REDIRECTS_MAX = 3;
/** Time for which a data centre caches a logo before it is fetched again. */
const CACHE_MS = HOUR_MS;
/** Maximum pixels of a WebP. Lower than for other formats, because a WebP is also converted to a PNG. */
const WEBP_PIXELS_MAX = 360_000;
/** Pixels per side of the test image that is drawn to check that a logo can be decoded. */
const PROBE_SIDE = 16;

const UNKNOWN_FILE = "must be the URL of a published file; no file exists at this URL";

/** Returns the problem of a logo URL that can't be used, or null if the URL is fine. */
export async function findLogoProblem(
  tenant: Tenant,
  publicFiles: R2Bucket,
  address: string | null | undefined,
): Promise<FieldProblem | null> {
  const problem = address == null ? null : await findUrlProblem(tenant, publicFiles, address);
  return problem === null ? null : { field: LOGO_FIELD, message: problem };
}

async function findUrlProblem(
  tenant: Tenant,
  publicFiles: R2Bucket,
  address: string,
): Promise<string | null> {
  if (!isCdnUrl(tenant, address)) {
    return findOutboundProblem(address, await buildLogoPolicy(tenant, address));
  }
  const key = findPublicFileKey(address);
  return key !== null && (await publicFiles.head(key)) !== null ? null : UNKNOWN_FILE;
}

/** Returns true if the URL is on the CDN. Files on the CDN are read from their bucket instead of fetched. */
function isCdnUrl({ settings }: Tenant, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isPlain = url.username === "" && url.password === "" && /^https?:$/.test(url.protocol);
  return isPlain && isCdnHost(settings, url);
}

/** Returns the storage key of a public file's CDN URL, or null if the URL can't belong to a file. */
function findPublicFileKey(address: string): string | null {
  const file = parseFilePath(new URL(address).pathname);
  return file && buildPublicFileKey(file);
}

/**
 * Builds the outbound policy for a logo URL. The policy also keeps redirects away from the workspace's own
 * hosts.
 */
async function buildLogoPolicy(
  { db, settings, workspace }: Tenant,
  address: string,
): Promise<OutboundPolicy> {
  const named = URL.canParse(address) ? [normalizeHostname(new URL(address).hostname)] : [];
  const ownDomains = await findOwnDomains(db, named);
  return buildOutboundPolicy(settings, new Set([...workspace.hostnames, ...ownDomains]));
}

/**
 * Calls `draw` with the logo at a URL and returns the result. The logo is fetched at most once an hour per
 * data centre, or read from `publicFiles` if it is on the CDN. `isChecked` is true if the logo was drawn
 * before; otherwise `draw` must check that the logo can be decoded. Throws `VALIDATION_ERROR` for
 * `design.logo_url` if the logo can't be fetched.
 */
export async function drawWithLogo<Result>(
  tenant: Tenant,
  publicFiles: R2Bucket,
  address: string,
  draw: (logo: EncodedImage, isChecked: boolean) => Promise<Result>,
): Promise<Result> {
  // Checks in the bucket whether a logo on the CDN still exists. The logo's bytes never change, so they are
  // cached like other logos.
  if (isCdnUrl(tenant, address)) {
    const problem = await findLogoProblem(tenant, publicFiles, address);
    if (problem !== null) throw createValidationError(problem);
  }
  const key = await buildCacheKey(tenant, address);
  const cached = await lookUpCache(key, readCachedLogo);
  if (cached !== undefined) return draw(cached, true);
  const bytes = isCdnUrl(tenant, address)
    ? await readPublicLogo(publicFiles, address)
    : await downloadLogo(tenant, address);
  const logo = await prepareLogo(bytes);
  const result = await draw(logo, false);
  tenant.waitUntil(cacheLogo(key, logo));
  return result;
}

/**
 * Throws `VALIDATION_ERROR` for `design.logo_url` if a logo that is small enough to decode can't be decoded.
 */
export async function checkLogo(logo: EncodedImage): Promise<void> {
  if (isDecodable(logo) && (await rasterize(logo, PROBE_SIDE)) === null)
    throw createLogoError("cannot be decoded");
}

async function readPublicLogo(publicFiles: R2Bucket, address: string): Promise<Uint8Array> {
  const file = await publicFiles.get(findPublicFileKey(address) ?? "");
  if (file === null) throw createLogoError(UNKNOWN_FILE);
  return readLogoBytes(file);
}

/** Reads a logo's bytes. Throws `VALIDATION_ERROR` if there are more than {@link LOGO_MAX_BYTES}. */
async function readLogoBytes(source: Pick<Response, "body">): Promise<Uint8Array> {
  const { bytes, isCut } = await readAtMost(source, LOGO_MAX_BYTES);
  if (isCut) throw createLogoError(`must be at most ${formatBytes(LOGO_MAX_BYTES)}`);
  return bytes;
}

/** Checks an image's header, and converts a WebP to PNG. */
async function prepareLogo(bytes: Uint8Array): Promise<EncodedImage> {
  const header = readImageHeader(bytes);
  if (header === null) throw createLogoError("must be a PNG, JPEG, GIF or WebP image");
  if (header.width > LOGO_MAX_SIDE || header.height > LOGO_MAX_SIDE) {
    throw createLogoError(`must have at most ${LOGO_MAX_SIDE} pixels per side`);
  }
  return header.type === "image/webp" ? convertWebp(header, bytes) : { ...header, bytes };
}

async function downloadLogo(tenant: Tenant, address: string): Promise<Uint8Array> {
  const policy = await buildLogoPolicy(tenant, address);
  try {
    const response = await fetchGuarded(address, {
      policy,
      timeoutMs: FETCH_TIMEOUT_MS,
      redirectsMax: REDIRECTS_MAX,
      headers: { Accept: "image/png, image/jpeg, image/gif, image/webp", "User-Agent": "Signpost/1.0" },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw createLogoError(`responded with status ${response.status}`);
    }
    return await readLogoBytes(response);
  } catch (error) {
    throw toLogoError(error);
  }
}

/** Converts a fetch failure to an error that only mentions what the client can change. */
function toLogoError(error: unknown): unknown {
  if (error instanceof OutboundRefusedError) return createLogoError(error.message);
  if (error instanceof Error && error.name === "ApiError") return error;
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) {
    return createLogoError(`did not respond within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds`);
  }
  return createLogoError("cannot be fetched");
}

async function convertWebp(header: ImageHeader, bytes: Uint8Array): Promise<EncodedImage> {
  if (header.width * header.height > WEBP_PIXELS_MAX) {
    throw createLogoError(`must have at most ${WEBP_PIXELS_MAX} pixels if it is a WebP`);
  }
  const { webpToPng } = await import("./webp.ts");
  const png = await webpToPng(bytes).catch(() => {
    throw createLogoError("cannot be decoded");
  });
  return { ...header, type: "image/png", bytes: png };
}

/** Returns the `VALIDATION_ERROR` for a logo that can't be used. */
export function createLogoError(message: string): ApiError {
  return createValidationError({ field: LOGO_FIELD, message });
}

// The API has no path `/.logo`, so clients can't request this cache entry.
async function buildCacheKey({ settings }: Tenant, address: string): Promise<string> {
  return `${settings.apiUrl}/.logo/${await sha256Hex(address)}`;
}

const SIZE_HEADER = "X-Logo-Size";

async function cacheLogo(key: string, { type, width, height, bytes }: EncodedImage): Promise<void> {
  const headers = {
    "Content-Type": type,
    [SIZE_HEADER]: `${width}x${height}`,
    "Cache-Control": `max-age=${CACHE_MS / SECOND_MS}`,
  };
  await writeCache(key, new Response(bytes, { headers }));
}

async function readCachedLogo(cached: Response): Promise<EncodedImage> {
  const [width = 0, height = 0] = (cached.headers.get(SIZE_HEADER) ?? "").split("x").map(Number);
  const type = cached.headers.get("Content-Type") as ImageType;
  return { type, width, height, bytes: new Uint8Array(await cached.arrayBuffer()) };
}
