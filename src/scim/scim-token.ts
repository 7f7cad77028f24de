// Pure: no I/O, clock or randomness.
import { generateAlphanumeric, sha256Hex } from "../core/crypto.ts";

const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 64;
const TOKEN = /^svc_scim_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}$/;
const BEARER = /^Bearer +(\S+)$/i;

/** Token of an identity provider. Its prefix `svc_scim_` lets secret scanners recognize it. */
export interface ScimToken {
  /** Public part, by which administrators identify the token. */
  prefix: string;
  /** Complete token. Shown only once. */
  token: string;
}

/** Generates a token from a cryptographic source. */
export function generateScimToken(): ScimToken {
  const prefix = generateAlphanumeric(PREFIX_LENGTH);
  return { prefix, token: `svc_scim_${prefix}.${generateAlphanumeric(SECRET_LENGTH)}` };
}

/**
 * Returns the hash by which a token is stored and found. The token is too random to be guessed from its hash.
 */
export function hashScimToken(token: string): Promise<string> {
  return sha256Hex(token);
}

/** Returns the token in an `Authorization` header, or null if there is no well-formed token. */
export function parseScimAuthorization(header: string | null): string | null {
  const token = BEARER.exec(header?.trim() ?? "")?.[1] ?? "";
  return TOKEN.test(token) ? token : null;
}
