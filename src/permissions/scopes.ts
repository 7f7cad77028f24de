// Pure: no I/O, clock or randomness.

/** Scopes that a key can have. Each operation requires one scope. */
export const SCOPES = [
  "links:read",
  "links:write",
  "qr:render",
  "qr:read",
  "qr:write",
  "analytics:read",
  "reports:read",
  "reports:write",
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
 * must not create further keys or invite people, and keys have no session.
 */
export const PERSON_SCOPES = ["session", "keys", "members"] as const;

/** Scope that an operation requires. */
export type OperationScope = Scope | (typeof PERSON_SCOPES)[number];

/** Returns true if only people with a session can have a scope. */
export function isPersonScope(scope: OperationScope): boolean {
  return PERSON_SCOPES.some((name) => name === scope);
}

/** Scope that includes all scopes of keys, and for people also {@link PERSON_SCOPES}. */
export const ALL_SCOPES = "*";

/** Returns true if the scopes include `required`. */
export function hasScope(scopes: readonly string[], required: OperationScope): boolean {
  return scopes.includes(ALL_SCOPES) || scopes.includes(required);
}
