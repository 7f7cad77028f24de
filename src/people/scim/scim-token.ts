import { generateAlphanumeric, sha256Hex } from "../../core/crypto.ts";

const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 64;
const TOKEN = /^svc_scim_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}$/;
const BEARER = /^Bearer +(\S+)$/i;

/** Token of an identity provider. Secret scanners recognize it by its beginning. */
export interface ScimToken {
  /** Public part, by which the operator finds the token. */
  prefix: string;
  /** Whole token, as it is shown once. */
  token: string;
}

/** Generates a token from a cryptographic source. */
export function generateScimToken(): ScimToken {
  const prefix = generateAlphanumeric(PREFIX_LENGTH);
  return { prefix, token: `svc_scim_${prefix}.${generateAlphanumeric(SECRET_LENGTH)}` };
}

/** Returns the hash by which a token is found. The token has too many random characters to be guessed from it. */
export function hashScimToken(token: string): Promise<string> {
  return sha256Hex(token);
}

/** Returns the token of an `Authorization` header, or null if it has none of the right form. */
export function parseScimAuthorization(header: string | null): string | null {
  const token = BEARER.exec(header?.trim() ?? "")?.[1] ?? "";
  return TOKEN.test(token) ? token : null;
}
