// Pure: no I/O, clock or randomness.
import type { KeyParts } from "./key.ts";

const AUTHORIZATION = /^[Bb][Ee][Aa][Rr][Ee][Rr] svc_pk_([A-Za-z0-9]{8})\.([A-Za-z0-9]{64})$/;

/**
 * Parses an `Authorization` header. It must consist of `Bearer`, one space and a key; otherwise returns null.
 * The scheme is case-insensitive (RFC 9110 section 11.1), the key is not.
 */
export function parseAuthorization(header: string | undefined): KeyParts | null {
  const match = header === undefined ? null : AUTHORIZATION.exec(header);
  if (match === null) return null;
  return { prefix: match[1] as string, secret: match[2] as string };
}

/** Hints for malformed headers. The first matching pattern is used. */
const HINTS: readonly [pattern: RegExp, hint: string][] = [
  [/^$/, "the header is empty"],
  [/^bearer$/i, "no key follows `Bearer`"],
  [/^svc_pk_/, "add `Bearer ` before the key"],
  [/^(?!["'`]?(?:bearer|svc_pk_))/i, "the scheme must be `Bearer`"],
  [/["'`]/, "remove the quotes"],
  [/,/, "send exactly one key"],
  [/bearer.*bearer/i, "`Bearer` appears twice"],
  [/svc_pk_.*svc_pk_/, "`svc_pk_` appears twice"],
  [/^bearer(?:[^ ]|\s\s)/i, "use exactly one space after `Bearer`"],
  [/^/, "a key is `svc_pk_`, 8 letters or digits, a dot, and 64 letters or digits"],
];

/**
 * Describes why {@link parseAuthorization} returned null. Quotes nothing from the header, which may contain a
 * secret.
 * @param hasApiKeyHeader True if the request has an `X-API-Key` header, as other services use.
 */
export function describeAuthorizationProblem(header: string | undefined, hasApiKeyHeader: boolean): string {
  if (header !== undefined) {
    const [, hint] = HINTS.find(([pattern]) => pattern.test(header.trim())) ?? [];
    return `The API key is malformed: ${hint}.`;
  }
  const key = hasApiKeyHeader ? "the key of `X-API-Key`" : "it";
  return `The API key is missing: send ${key} as \`Authorization: Bearer svc_pk_…\`.`;
}
