// Pure: no I/O, clock or randomness.
import { HOSTNAME_MAX_LENGTH, normalizeHostname } from "../core/hosts.ts";

/** Label put before a host to form the name of its DNS record. */
const PROOF_LABEL = "_signpost";
/** Maximum length of a host, so that the name of its DNS record isn't too long. */
export const DOMAIN_MAX_LENGTH = HOSTNAME_MAX_LENGTH - PROOF_LABEL.length - 1;

/**
 * Host name of at least two labels. The last label must not be a number, because the name would then be an
 * IPv4 address (WHATWG URL Standard).
 */
const DOMAIN_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that end the host of a URL, or that the URL parser drops or decodes. */
const FOREIGN_CHARACTER = /[\s\p{Cc}/\\?#@:%[\]]/u;

/**
 * Normalises a host name as in DNS: lower case, international names in Punycode, without a trailing dot.
 * Returns null if the text isn't a host name.
 */
export function parseDomainName(text: string): string | null {
  if (FOREIGN_CHARACTER.test(text) || !URL.canParse(`http://${text}`)) return null;
  const hostname = normalizeHostname(new URL(`http://${text}`).hostname);
  return DOMAIN_NAME.test(hostname) ? hostname : null;
}

/** Returns the DNS name of the TXT record that proves ownership of a host. */
export function formatProofName(hostname: string): string {
  return `${PROOF_LABEL}.${hostname}`;
}
