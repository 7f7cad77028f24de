import { normalizeEmail } from "../email.ts";

/** Claims of an ID token or of the UserInfo endpoint (OpenID Connect Core 1.0, section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

/** Reason why claims sign nobody in. */
export type ClaimsRefusal = "no_email" | "unverified_email";

/** Tolerated difference between the clock of the identity provider and ours. */
export const CLOCK_TOLERANCE_SECONDS = 60;
/** Maximum length of a subject identifier (OpenID Connect Core 1.0, section 2). */
const SUBJECT_MAX_LENGTH = 255;

/**
 * Returns the e-mail address that the claims prove, or why they prove none. `trustedDomains` are the domains whose
 * addresses are believed without the claim `email_verified`, because the provider alone gives them.
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
 * Returns true if lower case turns a letter outside ASCII into another one. The Kelvin sign would become a "k", so that
 * somebody with another address would be taken for a member.
 */
function hasFoldedLetter(email: string): boolean {
  return email.toLowerCase() !== email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isVerified(claim: unknown, email: string, trustedDomains: readonly string[]): boolean {
  // Some providers write booleans of the UserInfo endpoint as text.
  if (claim === true || claim === "true") return true;
  return claim === undefined && trustedDomains.includes(email.slice(email.lastIndexOf("@") + 1));
}

/**
 * Returns what is wrong with the claims of an ID token beyond the checks of oauth4webapi, or null. It compares `azp`
 * only for several audiences and ignores a time of issue in the future (OpenID Connect Core 1.0, section 3.1.3.7).
 */
export function findTokenFault(claims: Claims, clientId: string, nowMs: number): string | null {
  const { sub, azp, iat } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_MAX_LENGTH)
    return "the claim sub of the ID token is not a text of at most 255 characters";
  if (azp !== undefined && azp !== clientId) return "the claim azp of the ID token is another client";
  if (typeof iat !== "number" || iat > nowMs / 1_000 + CLOCK_TOLERANCE_SECONDS)
    return "the claim iat of the ID token is in the future";
  return null;
}
