/** Compares what two short addresses answer. Pure. */

/** Response of an address. */
export interface Answer {
  status: number;
  /** Absolute address that a redirect leads to, null for any other response. */
  location: string | null;
}

/** Answer, or the reason why there is none. */
export type Asked = Answer | { fault: string };

/**
 * Returns how two answers differ for a visitor, or null. All redirects are alike, whether permanent or not, and so are the
 * responses of links that are gone.
 */
export function findDifference(former: Asked, current: Asked): string | null {
  if ("fault" in former) return `the former address ${former.fault}`;
  if ("fault" in current) return `the new address ${current.fault}`;
  if (former.location !== null && current.location !== null) {
    const isSame = normalizeAddress(former.location) === normalizeAddress(current.location);
    return isSame ? null : `led to ${former.location}, leads to ${current.location}`;
  }
  if (classify(former) === classify(current)) return null;
  return `${describe(former, "answered", "led")}, ${describe(current, "answers", "leads")}`;
}

function describe({ status, location }: Answer, answers: string, leads: string): string {
  return location === null ? `${answers} ${status}` : `${leads} to ${location}`;
}

const GONE = new Set([404, 410]);

/** Returns the kind of an answer: a page that asks for a password is one, with whatever status. */
function classify({ status, location }: Answer): string {
  if (location !== null) return "redirect";
  if (GONE.has(status)) return "gone";
  const isPage = status < 300 || status === 401 || status === 403;
  return isPage ? "page" : String(status);
}

/** Returns an address as it is compared: without differences in the case of its host, a default port or a slash at its end. */
function normalizeAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url.href;
}
