import { generateAlphanumeric } from "../core/crypto.ts";

/** Scopes that a key can have. Each operation requires one scope. */
export const SCOPES = [
  "links:read",
  "links:write",
  "qr:render",
  "qr:read",
  "qr:write",
  "analytics:read",
  "assets:read",
  "assets:write",
  "bio:read",
  "bio:write",
  "workspace:read",
  "domains:write",
  "webhooks:read",
  "webhooks:write",
  "audit:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that only people have, through their roles. Keys can't have them, not even with `*`: a leaked key
 * must not create further keys, and keys have no session.
 */
export const PERSON_SCOPES = ["session", "keys"] as const;

/** Scope that an operation requires. */
export type OperationScope = Scope | (typeof PERSON_SCOPES)[number];

/** Returns true if only people with a session can have a scope. */
export function isPersonScope(scope: OperationScope): boolean {
  return PERSON_SCOPES.some((name) => name === scope);
}

/** Scope that includes all scopes of keys, and for people also {@link PERSON_SCOPES}. */
export const ALL_SCOPES = "*";

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

/** Returns true if the scopes include `required`. */
export function hasScope(scopes: readonly string[], required: OperationScope): boolean {
  return scopes.includes(ALL_SCOPES) || scopes.includes(required);
}
