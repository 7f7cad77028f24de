// Pure: no I/O, clock or randomness.

/**
 * Formats the challenge of a response with 401 (RFC 6750 section 3). It contains an error only if the request
 * had a bearer token.
 */
export function formatChallenge(realm: string, authorization: string | null): string {
  const error = /^bearer\b/i.test(authorization ?? "") ? ', error="invalid_token"' : "";
  return `Bearer realm="${realm}"${error}`;
}
