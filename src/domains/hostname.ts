import { HOSTNAME_MAX_LENGTH, normalizeHostname } from "../core/hosts.ts";

/** Label before a host under which its proof stands. */
const PROOF_LABEL = "_signpost";
/** Maximum length of a host, so that the name of its proof fits into the DNS. */
export const DOMAIN_MAX_LENGTH = HOSTNAME_MAX_LENGTH - PROOF_LABEL.length - 1;

/** Name of at least two labels, of which the last has a letter: others are IPv4 addresses (WHATWG URL Standard). */
const DOMAIN_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that end the host of a URL, or that the URL parser drops or decodes. */
const FOREIGN_CHARACTER = /[\s\p{Cc}/\\?#@:%[\]]/u;

/**
 * Returns a host name as the DNS has it: in lower case, international names in Punycode, without a trailing dot. Returns
 * null for text that is no such name.
 */
export function parseDomainName(text: string): string | null {
  if (FOREIGN_CHARACTER.test(text) || !URL.canParse(`http://${text}`)) return null;
  const hostname = normalizeHostname(new URL(`http://${text}`).hostname);
  return DOMAIN_NAME.test(hostname) ? hostname : null;
}

/** Returns the DNS name whose TXT record proves a host. */
export function formatProofName(hostname: string): string {
  return `${PROOF_LABEL}.${hostname}`;
}
