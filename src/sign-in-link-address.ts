import { generateAlphanumeric, sha256Hex } from "../core/crypto.ts";

/** Addresses of sign-in links. The commands import no more than this, because the database library takes half a second. */

/** Path of a sign-in link on the app host, before its token. */
export const SIGN_IN_LINK_PATH = "/sign-in/link/";

const TOKEN_LENGTH = 48;

/** Generates the token of a sign-in link, and the hash by which it is stored. */
export async function generateLinkToken(): Promise<{ token: string; tokenHash: string }> {
  const token = generateAlphanumeric(TOKEN_LENGTH);
  return { token, tokenHash: await sha256Hex(token) };
}

/** Returns the address of a sign-in link. */
export function formatSignInLink(appUrl: string, token: string): string {
  return `${appUrl}${SIGN_IN_LINK_PATH}${token}`;
}
