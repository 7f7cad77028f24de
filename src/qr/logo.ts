import { readAtMost } from "../core/body.ts";
import { sha256Hex } from "../core/crypto.ts";
import { type ApiError, type FieldFault, invalid } from "../core/error.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { guardedFetch, type OutboundPolicy, OutboundRefusal, outboundFault } from "../core/outbound.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import { findOwnDomains } from "../tenant/domains.ts";
import { endpointPolicy } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { type ImageHeader, type ImageType, readImageHeader } from "./image-header.ts";
import { DECODED_PIXELS_MAX, isDecodable, type Picture, rasterize } from "./raster.ts";

const LOGO_FIELD = "design.logo_url";
const LOGO_MAX_BYTES = 1_048_576;
const LOGO_MAX_SIDE = 4_096;
const FETCH_TIMEOUT_MS = 5 * SECOND_MS;
const REDIRECTS_MAX = 3;
/** How long a logo is taken from the data centre's cache before it is fetched again. */
const KEPT_MS = HOUR_MS;
/** A WebP is decoded twice: to become a PNG, and when it is drawn. */
const WEBP_PIXELS_MAX = DECODED_PIXELS_MAX / 2;
/** Side of the picture that is drawn once, to see whether a logo can be. */
const PROBE_SIDE = 16;

/** The fault of a logo's address that must not be asked for; null of none. */
export async function logoFault(
  tenant: Tenant,
  address: string | null | undefined,
): Promise<FieldFault | null> {
  const fault = address == null ? null : outboundFault(address, await logoPolicy(tenant, address));
  return fault === null ? null : { field: LOGO_FIELD, message: fault };
}

/** A logo's address is held to what a webhook's is; a redirect must not lead back to the workspace's own hosts either. */
async function logoPolicy({ db, settings, workspace }: Tenant, address: string): Promise<OutboundPolicy> {
  const named = URL.canParse(address) ? [normalizeHostname(new URL(address).hostname)] : [];
  const ownDomains = await findOwnDomains(db, named);
  return endpointPolicy(settings, new Set([...workspace.hostnames, ...ownDomains]));
}

/**
 * The logo at an address, fetched at most once an hour in each data centre. Throws `VALIDATION_ERROR` naming
 * `design.logo_url` for whatever keeps it from being drawn.
 */
export async function loadLogo(tenant: Tenant, address: string): Promise<Picture> {
  const key = await cacheKey(tenant, address);
  const kept = await caches.default.match(key);
  if (kept !== undefined) return readKept(kept);
  const logo = await fetchLogo(tenant, address);
  await keep(key, logo);
  return logo;
}

async function fetchLogo(tenant: Tenant, address: string): Promise<Picture> {
  const bytes = await download(tenant, address);
  const header = readImageHeader(bytes);
  if (header === null) throw logoError("must be a PNG, JPEG, GIF or WebP image");
  if (header.width > LOGO_MAX_SIDE || header.height > LOGO_MAX_SIDE) {
    throw logoError(`must be at most ${LOGO_MAX_SIDE} pixels a side`);
  }
  const logo = header.type === "image/webp" ? await converted(header, bytes) : { ...header, bytes };
  if (isDecodable(logo) && (await rasterize(logo, PROBE_SIDE)) === null) throw logoError("cannot be decoded");
  return logo;
}

async function download(tenant: Tenant, address: string): Promise<Uint8Array> {
  const policy = await logoPolicy(tenant, address);
  try {
    const response = await guardedFetch(address, {
      policy,
      timeoutMs: FETCH_TIMEOUT_MS,
      redirectsMax: REDIRECTS_MAX,
      headers: { Accept: "image/png, image/jpeg, image/gif, image/webp", "User-Agent": "Signpost/1.0" },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw logoError(`answered with status ${response.status}`);
    }
    const { bytes, isCut } = await readAtMost(response, LOGO_MAX_BYTES);
    if (isCut) throw logoError(`must be at most ${LOGO_MAX_BYTES} bytes`);
    return bytes;
  } catch (error) {
    throw asLogoError(error);
  }
}

/** Of what goes wrong on the way to another server, the client is told what they can do something about. */
function asLogoError(error: unknown): unknown {
  if (error instanceof OutboundRefusal) return logoError(error.message);
  if (error instanceof Error && error.name === "ApiError") return error;
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) {
    return logoError(`did not answer within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds`);
  }
  return logoError("cannot be fetched");
}

async function converted(header: ImageHeader, bytes: Uint8Array): Promise<Picture> {
  if (header.width * header.height > WEBP_PIXELS_MAX) {
    throw logoError("has too many pixels for a WebP: at most 2 million");
  }
  const { webpToPng } = await import("./webp.ts");
  const png = await webpToPng(bytes).catch(() => {
    throw logoError("cannot be decoded");
  });
  return { ...header, type: "image/png", bytes: png };
}

/** The 400 of decisions section 4 for a logo. */
export function logoError(message: string): ApiError {
  return invalid({ field: LOGO_FIELD, message });
}

// A path that the API does not have, so this entry is never served to anybody.
async function cacheKey({ settings }: Tenant, address: string): Promise<Request> {
  return new Request(`${settings.apiUrl}/.logo/${await sha256Hex(address)}`);
}

const SIZE_HEADER = "X-Logo-Size";

async function keep(key: Request, { type, width, height, bytes }: Picture): Promise<void> {
  const headers = {
    "Content-Type": type,
    [SIZE_HEADER]: `${width}x${height}`,
    "Cache-Control": `max-age=${KEPT_MS / SECOND_MS}`,
  };
  await caches.default.put(key, new Response(bytes, { headers }));
}

async function readKept(kept: Response): Promise<Picture> {
  const [width = 0, height = 0] = (kept.headers.get(SIZE_HEADER) ?? "").split("x").map(Number);
  const type = kept.headers.get("Content-Type") as ImageType;
  return { type, width, height, bytes: new Uint8Array(await kept.arrayBuffer()) };
}
