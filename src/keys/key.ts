// Pure: no I/O, clock or randomness.
import { generateAlphanumeric } from "../core/crypto.ts";

/** Parts of an API key: `svc_pk_{prefix}.{secret}`. */
export interface KeyParts {
  /** Public part, by which the key is found. */
  prefix: string;
  secret: string;
}

/** Verified key of a request. */
export interface AuthenticatedKey {
  id: string;
  name: string;
  prefix: string;
  scopes: readonly string[];
  /** Day of the previous use, in days since 1970. Null before the first use. */
  lastUsedDay: number | null;
}

const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 64;

/**
 * Generates a key from a cryptographic source. The secret is shown to the owner only once; the database
 * stores its hash.
 */
export function generateKey(): KeyParts {
  return {
    prefix: generateAlphanumeric(PREFIX_LENGTH),
    secret: generateAlphanumeric(SECRET_LENGTH),
  };
}

/** Formats a key as it is sent in the `Authorization` header. */
export function formatKey({ prefix, secret }: KeyParts): string {
  return `svc_pk_${prefix}.${secret}`;
}
