import { generateAlphanumeric, sha256Hex } from "../core/crypto.ts";

/**
 * Tokens and URLs of sign-in links. Commands import only this file, because the database library takes half a
 * second to load.
 */

/** Path of a sign-in link on the app host. The token follows it. */
export const SIGN_IN_LINK_PATH = "/sign-in/link/";

/** Path of an invitation or a recovery on the app host. The token follows it. */
export const INVITATION_PATH = "/sign-in/invitation/";

const TOKEN_LENGTH = 48;
const TOKEN = /^[A-Za-z0-9]{48}$/;

/** Returns true if a text has the form of {@link generateLinkToken}'s tokens. */
export function isLinkToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Generates the token of a sign-in link or an invitation, and the hash to store. */
export async function generateLinkToken(): Promise<{ token: string; tokenHash: string }> {
  const token = generateAlphanumeric(TOKEN_LENGTH);
  return { token, tokenHash: await sha256Hex(token) };
}

/** Returns the URL of a sign-in link. */
export function formatSignInLink(appUrl: string, token: string): string {
  return `${appUrl}${SIGN_IN_LINK_PATH}${token}`;
}
