import { logRecurringError } from "../caching/recurring-errors.ts";
import { readAtMost } from "../core/body.ts";
import { hmacSha256Hex } from "../core/crypto.ts";
import { readPasswordSalt } from "../core/password-hash.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { repeatOnce } from "../db/retry.ts";
import type { DatabaseBindings } from "../db/shards.ts";
import { describeClient } from "../limits/client-name.ts";
import type { PasswordTries, TryOrigin, TryVerdict } from "../limits/password-tries.ts";
import { readStoredLink } from "../resolving/stored-link.ts";
import { toNetwork, toProvider, toSite } from "../routing/network.ts";
import { isForeignForm } from "./foreign-form.ts";
import { hasPasswordCookie, writePasswordCookie } from "./password-cookie.ts";
import { verifyRecentPassword } from "./recent-passwords.ts";

/** Maximum password length in UTF-16 code units. Longer input counts as wrong without being hashed. */
const PASSWORD_MAX_LENGTH = 128;
const FORM_MAX_BYTES = 4_096;
/** Bytes of an oversized form that are read and dropped, so that the client receives the response. */
const FORM_DISCARD_BYTES = 65_536;
const FORM_TYPE = "application/x-www-form-urlencoded";
const TRIES_TIMEOUT_MS = 5 * SECOND_MS;
/** Network name shared by all clients without an IP address. */
const NO_NETWORK = "unknown";
/** Characters of the hashes of an origin. Two origins with the same hash would only share a limit. */
const HASH_LENGTH = 12;

/** Bindings and secrets that the password check uses. */
export interface PasswordBindings extends DatabaseBindings {
  PASSWORD_TRIES: Pick<DurableObjectNamespace<PasswordTries>, "getByName">;
  UPLOAD_SECRET: string;
}

/** Stored password of a link or a report. */
export interface PasswordStore {
  /** Name of the object that counts the tries. */
  triesName: string;
  /**
   * Reads the hash from the primary, because caches don't contain the hash and may be outdated after a password
   * change. Returns null if the link or report doesn't exist.
   */
  read(): Promise<{ passwordHash: string | null } | null>;
}

/** Request for a link or a report with a password. */
export interface PasswordVisit {
  request: Request;
  url: URL;
  /** The link, or the report. */
  link: { id: string; workspaceId: string; passwordVersion: string };
  nowMs: number;
  waitUntil(promise: Promise<unknown>): void;
}

/** Result of the password check. */
export type PasswordOutcome =
  /** The visitor may pass. The cookie, if any, makes the password unnecessary for an hour. */
  | { status: "passed"; cookie: string | null }
  /** No password was sent yet. */
  | { status: "asked" }
  | { status: "wrong" }
  | { status: "limited"; retryAfterSeconds: number }
  | { status: "too_large" }
  | { status: "no_form" }
  /** A page of another origin sent the form. */
  | { status: "foreign" }
  /** The link or report was deleted, but caches still have it. */
  | { status: "gone" };

/**
 * Checks whether a visitor may pass: by the password of a form, otherwise by the cookie. Throws if the check fails for
 * technical reasons.
 */
export async function checkPassword(
  visit: PasswordVisit,
  env: PasswordBindings,
  store = openLinkStore(visit, env),
): Promise<PasswordOutcome> {
  return visit.request.method === "POST" ? checkForm(visit, env, store) : checkCookie(visit, env);
}

async function checkCookie({ request, link, nowMs }: PasswordVisit, env: PasswordBindings) {
  const guarded = { linkId: link.id, passwordVersion: link.passwordVersion };
  const isKnown = await hasPasswordCookie(env.UPLOAD_SECRET, guarded, request.headers, nowMs);
  return isKnown ? ({ status: "passed", cookie: null } as const) : ({ status: "asked" } as const);
}

function openLinkStore({ link }: PasswordVisit, env: PasswordBindings): PasswordStore {
  return {
    triesName: `link:${link.id}`,
    read: () => readStoredLink(env, link.workspaceId, link.id),
  };
}

async function checkForm(
  visit: PasswordVisit,
  env: PasswordBindings,
  store: PasswordStore,
): Promise<PasswordOutcome> {
  const { request, url, link, nowMs } = visit;
  if (isForeignForm(request.headers, url)) return { status: "foreign" };
  const [mediaType = ""] = (request.headers.get("Content-Type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== FORM_TYPE) return { status: "no_form" };
  const { bytes, isCut } = await readAtMost(request, FORM_MAX_BYTES, FORM_DISCARD_BYTES);
  if (isCut) return { status: "too_large" };
  const sent = new URLSearchParams(new TextDecoder().decode(bytes)).get("password");
  // The button of a link that asks to confirm has no field.
  const known = sent === null ? await checkCookie(visit, env) : null;
  if (known?.status === "passed") return known;
  const password = sent ?? "";

  const tries = await openTries(visit, env, store.triesName);
  const verdict = await tries.take();
  if (!verdict.isAllowed)
    return { status: "limited", retryAfterSeconds: Math.max(1, Math.ceil(verdict.retryAfterMs / SECOND_MS)) };
  let isWrong = false;
  try {
    const stored = await store.read();
    if (stored === null) return { status: "gone" };
    const { passwordHash: hash } = stored;
    if (hash === null) return { status: "passed", cookie: null };
    isWrong = isTooLong(password) || !(await verifyRecentPassword(password, hash, nowMs));
    if (isWrong) return { status: "wrong" };
    const guarded = { linkId: link.id, passwordVersion: readPasswordSalt(hash) };
    return { status: "passed", cookie: await writePasswordCookie(env.UPLOAD_SECRET, guarded, url, nowMs) };
  } finally {
    visit.waitUntil(tries.settle(!isWrong));
  }
}

function isTooLong(password: string): boolean {
  return password.normalize("NFC").length > PASSWORD_MAX_LENGTH;
}

/** Returns functions that take and settle a try. */
async function openTries(
  { request }: PasswordVisit,
  { PASSWORD_TRIES: objects, UPLOAD_SECRET: secret }: PasswordBindings,
  name: string,
) {
  const tryId = crypto.randomUUID();
  const origin = await describeOrigin(request.headers, secret);
  return {
    take: (): Promise<TryVerdict> =>
      withTimeout(
        repeatOnce(() => objects.getByName(name).take(tryId, origin)),
        TRIES_TIMEOUT_MS,
      ),
    // A try that isn't settled counts as wrong until its minute is over.
    settle: (isRight: boolean): Promise<void> =>
      repeatOnce(async () => objects.getByName(name).settle(tryId, isRight)).catch((error) =>
        logRecurringError("a password attempt could not be subtracted", error),
      ),
  };
}

/** Hashes a visitor's origin, because objects store it and don't need visitors' IP addresses. */
async function describeOrigin(headers: Headers, secret: string): Promise<TryOrigin> {
  const network = toNetwork(headers.get("CF-Connecting-IP")) ?? NO_NETWORK;
  const hash = async (text: string) =>
    (await hmacSha256Hex(secret, `origin of a password: ${text}`)).slice(0, HASH_LENGTH);
  const names = [`${network}\n${describeClient(headers)}`, network, toSite(network), toProvider(network)];
  const [client = "", ofNetwork = "", site = "", provider = ""] = await Promise.all(names.map(hash));
  return { client, network: ofNetwork, site, provider };
}
