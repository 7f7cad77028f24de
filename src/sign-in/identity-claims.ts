// Pure: no I/O, clock or randomness.
import { normalizeEmail } from "../members/email.ts";

/** Claims of an ID token or of the UserInfo endpoint (OpenID Connect Core 1.0, section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

/** Reason why claims don't prove an email address. */
export type ClaimsRefusal = "no_email" | "unverified_email";

/** Tolerated clock difference between the identity provider and Signpost. */
export const CLOCK_TOLERANCE_SECONDS = 60;
/** Maximum length of a subject identifier (OpenID Connect Core 1.0, section 2). */
const SUBJECT_MAX_LENGTH = 255;

/**
 * Returns the email address that claims prove, or the reason why they prove none. For `trustedDomains`, the
 * claim `email_verified` may be missing, because only the provider assigns addresses in these domains.
 */
export function readVerifiedEmail(
  claims: Claims,
  trustedDomains: readonly string[],
): { email: string } | { refusal: ClaimsRefusal } {
  const email = typeof claims.email === "string" ? normalizeEmail(claims.email) : null;
  if (email === null || hasFoldedLetter(claims.email as string)) return { refusal: "no_email" };
  return isVerified(claims.email_verified, email, trustedDomains)
    ? { email }
    : { refusal: "unverified_email" };
}

/**
 * Returns true if lower-casing changes a letter outside ASCII. For example, the Kelvin sign becomes "k", so
 * that a person with a different address would be taken for a member.
 */
function hasFoldedLetter(email: string): boolean {
  return email.toLowerCase() !== email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isVerified(claim: unknown, email: string, trustedDomains: readonly string[]): boolean {
  // Some providers send booleans of the UserInfo endpoint as strings.
  if (claim === true || claim === "true") return true;
  return claim === undefined && trustedDomains.includes(email.slice(email.lastIndexOf("@") + 1));
}

/**
 * Returns what is wrong with the claims of an ID token, or null. Adds checks that oauth4webapi lacks, because
 * that library compares `azp` only for several audiences and accepts an `iat` in the future (OpenID Connect
 * Core 1.0, section 3.1.3.7).
 */
export function findTokenProblem(claims: Claims, clientId: string, nowMs: number): string | null {
  const { sub, azp, iat } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_MAX_LENGTH)
    return "the claim sub of the ID token is not a string of at most 255 characters";
  if (azp !== undefined && azp !== clientId) return "the claim azp of the ID token is another client";
  if (typeof iat !== "number" || iat > nowMs / 1_000 + CLOCK_TOLERANCE_SECONDS)
    return "the claim iat of the ID token is in the future";
  return null;
}
