import { generateAlphanumeric } from "../core/crypto.ts";

/** Scopes that a key can have. Each operation requires one of them. */
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
 * Scopes of operations that only people have, through their roles. No key can have them, not even with `*`: a leaked key
 * must not make further keys, and has no session.
 */
export const PERSON_SCOPES = ["session", "keys"] as const;

/** Scope that an operation requires. */
export type OperationScope = Scope | (typeof PERSON_SCOPES)[number];

/** Returns true if only a person with a session can have a scope. */
export function isPersonScope(scope: OperationScope): boolean {
  return PERSON_SCOPES.some((name) => name === scope);
}

/** Scope that includes every other scope. */
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
  /** Day of the last use before this one, as the number of days since 1970; null before the first. */
  lastUsedDay: number | null;
}

const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 64;

/**
 * Generates a key from a cryptographic source. Its secret is shown to the owner only once; the database stores its
 * hash.
 */
export function generateKey(): KeyParts {
  return {
    prefix: generateAlphanumeric(PREFIX_LENGTH),
    secret: generateAlphanumeric(SECRET_LENGTH),
  };
}

/** Formats a key as it is written in the `Authorization` header. */
export function formatKey({ prefix, secret }: KeyParts): string {
  return `svc_pk_${prefix}.${secret}`;
}

/** Returns true if a caller with these scopes is allowed to call an operation that requires `required`. */
export function hasScope(scopes: readonly string[], required: OperationScope): boolean {
  return scopes.includes(ALL_SCOPES) || scopes.includes(required);
}
