import { logRecurringError } from "../caching/recurring-errors.ts";
import { isEqualInConstantTime } from "../core/crypto.ts";
import { generateUuidv7 } from "../core/id.ts";
import { deriveSealKey, type SealSecrets } from "../core/seal.ts";
import type { Database } from "../db/database.ts";
import type { IdentityProvider, Settings } from "../env.ts";
import type { UnknownLimit } from "../limits/unknown-limit.ts";
import { describeBrowser } from "../members/browser-name.ts";
import { readSessionCookie, writeSessionCookie } from "../members/session-cookie.ts";
import { generateSession } from "../members/sessions.ts";
import type { HtmlDocument } from "../pages/plate.ts";
import { buildOutboundPolicy } from "../tenant/own-hosts.ts";
import { beginProvedSession } from "./begin-session.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import { formatEndSessionUrl, getMetadata, recallMetadata } from "./provider-metadata.ts";
import { getNoticeStatus, type ProviderLinks, renderNotice, renderSignedOutHere } from "./provider-pages.ts";
import { parseReturnPath } from "./return-path.ts";
import {
  beginAtProvider,
  finishAtProvider,
  type ProvedIdentity,
  type ProviderContext,
} from "./sign-in-at-provider.ts";
import { SignInError, type SignInReason } from "./sign-in-error.ts";
import { claimState, type SignInStates } from "./sign-in-states.ts";
import {
  openTransaction,
  type SignInTransaction,
  sealTransaction,
  TRANSACTION_KEY_PURPOSE,
  TRANSACTION_MS,
} from "./sign-in-transaction.ts";
import {
  clearTransactionCookie,
  readTransactionCookie,
  writeTransactionCookie,
} from "./transaction-cookie.ts";

/** Path of the app host with the person's workspaces, and the memberships they can accept. */
export const SIGN_IN_PATH = "/sign-in";
/** Path of the app host that starts a sign-in. `?return=` contains the path to show after the sign-in. */
export const BEGIN_PATH = "/sign-in/oidc";
/** Path of the app host shown after signing out. */
export const SIGNED_OUT_PATH = "/sign-in/signed-out";

const RETRY_AFTER_SECONDS = 10;

/** Request during a sign-in at an identity provider. */
export interface ProviderVisit {
  request: Request;
  url: URL;
  settings: Settings;
  provider: IdentityProvider;
  secrets: SealSecrets;
  directory: Database;
  signInStates: SignInStates;
  nowMs: number;
  requestId: string;
  getLimit(kind: "sign-in"): UnknownLimit;
}

/** Response of the app host: a page, or a redirect to `location`. */
export type ProviderReply = { cookies: readonly string[] } & (
  | { location: string }
  | { status: number; document: HtmlDocument; headers: Record<string, string> }
);

/**
 * Starts a sign-in: redirects to the provider and stores a sealed transaction in a cookie. Starts that cause
 * a request to the provider count towards the limit of the network. Throws an `UnknownLimitError` beyond the
 * limit.
 */
export async function beginSignIn(visit: ProviderVisit): Promise<ProviderReply> {
  const { url, settings, secrets, nowMs } = visit;
  const limit = visit.getLimit("sign-in");
  limit.takeSpare();
  const returnPath = parseReturnPath(url.searchParams.get("return"), settings.appUrl);
  try {
    const begun = { returnPath, sessionId: generateUuidv7(nowMs) };
    const beforePush = () => limit.reserve();
    const { address, transaction, isPushed } = await beginAtProvider(buildContext(visit), begun, beforePush);
    if (!isPushed) limit.returnSpare();
    const key = await deriveSealKey(secrets, TRANSACTION_KEY_PURPOSE);
    const cookie = writeTransactionCookie(await sealTransaction(key, transaction), settings.appUrl);
    return { location: address, cookies: [cookie] };
  } catch (error) {
    await limit.count();
    return respondWithSignInError(visit, error, []);
  }
}

/**
 * Finishes a sign-in after the provider's redirect with a code. Ends the transaction, whatever the result.
 * Returns count towards the limit of the network before they cause requests to the provider. Beyond the limit,
 * those that start no session use up its spare returns. Throws an `UnknownLimitError` if none is left.
 */
export async function finishSignIn(visit: ProviderVisit): Promise<ProviderReply> {
  const limit = visit.getLimit("sign-in");
  await limit.reserve();
  const reply = await finish(visit);
  if ("location" in reply) limit.returnSpare();
  return reply;
}

async function finish(visit: ProviderVisit): Promise<ProviderReply> {
  const { url, settings, signInStates, requestId } = visit;
  const transaction = await readTransaction(visit);
  // Redirects from other sites or other windows of this browser must not end the current sign-in.
  if (transaction === null || !hasState(url.searchParams, transaction)) return respond(visit, "stale", []);
  const over = clearTransactionCookie(settings.appUrl);
  if (!(await claimState(signInStates, transaction.sessionId, requestId, TRANSACTION_MS)))
    return respond(visit, "stale", [over]);
  try {
    const identity = await finishAtProvider(buildContext(visit), url.searchParams, transaction);
    const { outcome, cookie } = await begin(visit, identity, transaction);
    if (outcome === "stale" || outcome === "not_a_member") {
      return respond(visit, outcome, [over], identity.email);
    }
    const { returnPath } = transaction;
    const location =
      outcome === "begun" ? returnPath : `${SIGN_IN_PATH}?return=${encodeURIComponent(returnPath)}`;
    return { location, cookies: [over, cookie] };
  } catch (error) {
    return respondWithSignInError(visit, error, [over]);
  }
}

/**
 * Serves the page after signing out. Contains a link for signing out at the provider, if the provider
 * supports it.
 */
export async function serveSignedOut(visit: ProviderVisit): Promise<ProviderReply> {
  const document = renderSignedOutHere(await buildLinks(visit));
  return { status: 200, document, headers: {}, cookies: [] };
}

async function readTransaction({ request, settings, provider, secrets, nowMs }: ProviderVisit) {
  const sealed = readTransactionCookie(request.headers.get("Cookie"), settings.appUrl);
  if (sealed === null) return null;
  const key = await deriveSealKey(secrets, TRANSACTION_KEY_PURPOSE);
  return openTransaction(key, sealed, provider.issuer, nowMs);
}

function hasState(parameters: URLSearchParams, { state }: SignInTransaction): boolean {
  return isEqualInConstantTime(parameters.getAll("state").join(), state);
}

async function begin(
  { request, settings, directory, nowMs, requestId }: ProviderVisit,
  { email, issuer, subject }: ProvedIdentity,
  { sessionId }: SignInTransaction,
) {
  const session = { ...(await generateSession(nowMs)), id: sessionId };
  const { headers } = request;
  const person = { person: email, email, name: email };
  const proof = { operation: "signInAtProvider", provider: { issuer, subject } } as const;
  const outcome = await beginProvedSession(directory, person, proof, session, {
    userAgent: describeBrowser(headers.get("User-Agent")),
    formerToken: readSessionCookie(headers.get("Cookie"), settings.appUrl),
    nowMs,
    requestId,
  });
  return { outcome, cookie: writeSessionCookie(session.token, settings.appUrl) };
}

function buildContext({ provider, settings, nowMs }: ProviderVisit): ProviderContext {
  return { provider, appUrl: settings.appUrl, policy: buildOutboundPolicy(settings, new Set()), nowMs };
}

/** Responds with the page for a failed sign-in. Rethrows other errors, such as database errors. */
function respondWithSignInError(
  visit: ProviderVisit,
  error: unknown,
  cookies: readonly string[],
): Promise<ProviderReply> {
  if (!(error instanceof SignInError)) throw error;
  if (error.reason === "unusable" || error.reason === "unavailable")
    logRecurringError("the identity provider could not be used", error);
  return respond(visit, error.reason, cookies);
}

async function respond(
  visit: ProviderVisit,
  reason: SignInReason,
  cookies: readonly string[],
  email = "",
): Promise<ProviderReply> {
  // Returns that are repeated must not cause requests to the provider.
  const links = reason === "stale" ? recallLinks(visit) : await buildLinks(visit);
  const document = renderNotice(reason, email, links);
  const headers = reason === "unavailable" ? { "Retry-After": String(RETRY_AFTER_SECONDS) } : {};
  return { status: getNoticeStatus(reason), document, headers, cookies } as const;
}

/** Returns the links of a page. If the provider doesn't respond, leaves out the link to it. */
async function buildLinks(visit: ProviderVisit): Promise<ProviderLinks> {
  const { provider, policy } = buildContext(visit);
  await getMetadata(provider, createProviderFetch(policy), policy).catch(() => {});
  return recallLinks(visit);
}

/** Returns the links of a page, with the link to the provider only if its metadata is cached. */
function recallLinks(visit: ProviderVisit): ProviderLinks {
  const { provider, policy } = buildContext(visit);
  const metadata = recallMetadata(provider);
  const endSessionUrl = metadata && formatEndSessionUrl(metadata, provider.clientId, policy);
  return { beginPath: BEGIN_PATH, endSessionUrl };
}
