import { hmacSha256, hmacSha256Hex, isEqualInConstantTime, toHex } from "../core/crypto.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";

/** Time for which a visitor who knew the password of a link is not asked for it again. */
export const COOKIE_MS = HOUR_MS;

const NAME = "signpost_password";
const SECRET_MIN_LENGTH = 32;
/** Name of what the cookie's key is for, so that no other signature with the same secret is a cookie. */
const PURPOSE = "cookie of a link with a password";
const VALUE = /^(\d{1,12})\.([0-9a-f]{64})$/;

/** Link with a password, as the cookie names it. */
export interface Guarded {
  linkId: string;
  /** Random text that each password of a link has. It tells nothing about the password. */
  passwordVersion: string;
}

/** Returns the `Set-Cookie` header for a visitor who knew the password. The cookie is worthless for another link or password. */
export async function writePasswordCookie(
  secret: string,
  guarded: Guarded,
  url: URL,
  nowMs: number,
): Promise<string> {
  const expiresAt = String(Math.floor((nowMs + COOKIE_MS) / SECOND_MS));
  const signature = await sign(secret, guarded, expiresAt);
  const attributes = [
    `${NAME}=${expiresAt}.${signature}`,
    `Max-Age=${COOKIE_MS / SECOND_MS}`,
    `Path=${url.pathname}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  // Without a domain, so that only this host receives it.
  return [...attributes, ...(url.protocol === "https:" ? ["Secure"] : [])].join("; ");
}

/** Returns true if one of the cookies of a request shows that its visitor knew the password of the link within the hour. */
export async function hasPasswordCookie(
  secret: string,
  guarded: Guarded,
  headers: Headers,
  nowMs: number,
): Promise<boolean> {
  const value = readCookie(headers, NAME);
  const [, expiresAt, signature] = VALUE.exec(value ?? "") ?? [];
  if (expiresAt === undefined || signature === undefined) return false;
  if (Number(expiresAt) * SECOND_MS <= nowMs) return false;
  return isEqualInConstantTime(await sign(secret, guarded, expiresAt), signature);
}

/** Returns the first cookie of a name, which is the one with the longest path (RFC 6265 section 5.4). */
function readCookie(headers: Headers, name: string): string | undefined {
  const cookies = (headers.get("Cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

async function sign(
  secret: string,
  { linkId, passwordVersion }: Guarded,
  expiresAt: string,
): Promise<string> {
  if (!(secret?.length >= SECRET_MIN_LENGTH))
    throw new Error(`UPLOAD_SECRET must be set and have at least ${SECRET_MIN_LENGTH} characters`);
  const key = await hmacSha256Hex(secret, PURPOSE);
  const bytes = await hmacSha256(
    new TextEncoder().encode(key),
    [linkId, passwordVersion, expiresAt].join("\n"),
  );
  return toHex(bytes);
}
