import { randomText } from "../core/crypto.ts";

/** The scopes of contract section 5 rule 6. */
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
  "webhooks:read",
  "webhooks:write",
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scope that stands for every other. */
export const ALL_SCOPES = "*";

/** An API key taken apart: `svc_pk_` prefix `.` secret. */
export interface KeyParts {
  prefix: string;
  secret: string;
}

/** The key a request came with. */
export interface AuthenticatedKey {
  prefix: string;
  scopes: readonly string[];
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 64;
const AUTHORIZATION = /^[Bb][Ee][Aa][Rr][Ee][Rr] svc_pk_([A-Za-z0-9]{8})\.([A-Za-z0-9]{64})$/;

/** A new key from a cryptographic source. The secret half is shown once and only its hash is kept. */
export function generateKey(): KeyParts {
  return { prefix: randomText(ALPHANUMERIC, PREFIX_LENGTH), secret: randomText(ALPHANUMERIC, SECRET_LENGTH) };
}

/** The key as its owner writes it. */
export function formatKey({ prefix, secret }: KeyParts): string {
  return `svc_pk_${prefix}.${secret}`;
}

/**
 * The key in an `Authorization` header: exactly `Bearer ` and a key, nothing before, between or after (contract
 * section 5 rules 1 and 2). Only the scheme is read without regard to case. Null for anything else.
 */
export function parseAuthorization(header: string | undefined): KeyParts | null {
  const match = header === undefined ? null : AUTHORIZATION.exec(header);
  if (match === null) return null;
  return { prefix: match[1] as string, secret: match[2] as string };
}

/** Whether a key with these scopes may do what asks for `needed`. */
export function grantsScope(scopes: readonly string[], needed: Scope): boolean {
  return scopes.includes(ALL_SCOPES) || scopes.includes(needed);
}
