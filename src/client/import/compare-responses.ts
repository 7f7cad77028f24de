// Pure: no I/O, clock or randomness.

/** Compares the responses of two short URLs. */

/** Response of a short URL. */
export interface UrlResponse {
  status: number;
  /** Absolute URL that a redirect goes to, or null for other responses. */
  location: string | null;
}

/** Response, or the reason why there is none. */
export type UrlResult = UrlResponse | { problem: string };

/**
 * Returns how two responses differ for a visitor, or null if they don't. Permanent and temporary redirects
 * count as equal, and so do 404 and 410.
 */
export function findDifference(former: UrlResult, current: UrlResult): string | null {
  if ("problem" in former) return `the old URL ${former.problem}`;
  if ("problem" in current) return `the new URL ${current.problem}`;
  if (former.location !== null && current.location !== null) {
    const isSame = normalizeUrl(former.location) === normalizeUrl(current.location);
    return isSame ? null : `redirected to ${former.location}, now redirects to ${current.location}`;
  }
  if (classify(former) === classify(current)) return null;
  return `${describe(former, "returned", "redirected")}, ${describe(current, "now returns", "now redirects")}`;
}

function describe({ status, location }: UrlResponse, returns: string, redirects: string): string {
  return location === null ? `${returns} ${status}` : `${redirects} to ${location}`;
}

const GONE = new Set([404, 410]);

/** Returns the kind of a response. A page that asks for a password counts as a page, whatever its status. */
function classify({ status, location }: UrlResponse): string {
  if (location !== null) return "redirect";
  if (GONE.has(status)) return "gone";
  const isPage = status < 300 || status === 401 || status === 403;
  return isPage ? "page" : String(status);
}

/** Normalizes a URL for comparison: ignores the host's case, default ports and trailing slashes. */
function normalizeUrl(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url.href;
}
