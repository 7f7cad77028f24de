import { generateUuidv7 } from "../core/id.ts";
import type { SealSecrets } from "../core/seal.ts";
import { isPlainHttp } from "../core/transport.ts";
import { type Database, openDatabase } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { type UnknownKind, UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";
import { describeBrowser } from "../members/browser-name.ts";
import { acceptMembership, listMemberships } from "../members/memberships.ts";
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from "../members/session-cookie.ts";
import { endSessionOfToken, generateSession, hashSessionToken } from "../members/sessions.ts";
import { SIGN_IN_LINK_PATH } from "../members/sign-in-link-address.ts";
import { findLinkOwner, signInByLink } from "../members/sign-in-links.ts";
import { renderErrorDocument } from "../pages/error-document.ts";
import { buildPage } from "../pages/page-response.ts";
import type { HtmlDocument } from "../pages/plate.ts";
import type { PageTexts } from "../pages/texts/visitor-texts.ts";
import { renderSignedIn, renderSignedOut, renderSignInLink } from "./app-pages.ts";
import {
  BEGIN_PATH,
  beginSignIn,
  finishSignIn,
  type ProviderReply,
  type ProviderVisit,
  SIGN_IN_PATH,
  SIGNED_OUT_PATH,
  type SignInStates,
  serveSignedOut,
} from "./provider-sign-in.ts";
import { CALLBACK_PATH, parseReturnPath } from "./return-path.ts";

/** Path of the app host that accepts a pending membership. Its id follows. */
const JOIN_PATH = "/sign-in/join/";

/** Serves the pages of the app host. The pages work without scripts and are never cached. */

/** Request for a page of the app host. */
interface Visit {
  request: Request;
  url: URL;
  settings: Settings;
  secrets: SealSecrets;
  directory: Database;
  signInStates: SignInStates;
  nowMs: number;
  requestId: string;
  /** Returns the limit of unknown sessions or sign-ins for the visitor. */
  getLimit(kind: "session" | "sign-in"): UnknownLimit;
}

const ERRORS: Record<403 | 404 | 405 | 410 | 429, PageTexts> = {
  403: {
    title: "This request came from another site",
    text: "Open Signpost in its own tab and try again.",
  },
  404: { title: "Page not found", text: "Check the URL for typos." },
  405: { title: "Unsupported request", text: "Go back and try again." },
  410: {
    title: "This sign-in link is no longer valid",
    text: "Sign-in links work once, within 15 minutes. Ask your administrator for a new one.",
  },
  429: {
    title: "Too many attempts",
    text: "Your network has opened many invalid sign-ins. Wait a moment and try again.",
  },
};

/** Responds to a request for a page of the app host. */
export async function serveApp(request: Request, url: URL, settings: Settings, env: Env): Promise<Response> {
  if (isPlainHttp(request.url, settings.appUrl)) return redirectToHttps(request, url);
  const directory = openDatabase(env.DIRECTORY);
  const nowMs = Date.now();
  const requestId = generateUuidv7(nowMs);
  const getLimit = (kind: UnknownKind) => new UnknownLimit(env.UNKNOWN_LIMIT, request.headers, nowMs, kind);
  const bindings = { secrets: env, directory, signInStates: env.PASSWORD_TRIES };
  const visit = { request, url, settings, ...bindings, nowMs, requestId, getLimit };
  const page = findPage(url.pathname) ?? DASHBOARD;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const serve = Object.hasOwn(page, method) ? page[method as "GET" | "POST"] : undefined;
  if (serve === undefined) return respondWithError(405, visit, { Allow: formatAllow(page) });
  // Pages of other origins must not sign people in or out. Browsers send `Origin` with every POST.
  const isForeign = method === "POST" && request.headers.get("Origin") !== settings.appUrl;
  if (isForeign) return respondWithError(403, visit);
  try {
    return await serve(visit);
  } catch (error) {
    if (!(error instanceof UnknownLimitError)) throw error;
    return respondWithError(429, visit, { "Retry-After": String(error.retryAfterSeconds) });
  }
}

type Page = Partial<Record<"GET" | "POST", (visit: Visit) => Promise<Response>>>;

/** Serves all other paths: files and screens of the dashboard. */
const DASHBOARD: Page = { GET: serveScreen };

function findPage(path: string): Page | null {
  if (path === SIGN_IN_PATH) return { GET: serveStart };
  if (path.startsWith(JOIN_PATH)) return { POST: join };
  if (path === "/sign-out") return { POST: signOut };
  if (path === BEGIN_PATH) return { GET: requireProvider(beginSignIn) };
  if (path === CALLBACK_PATH) return { GET: requireProvider(finishSignIn) };
  if (path === SIGNED_OUT_PATH) return { GET: requireProvider(serveSignedOut) };
  if (path.startsWith(SIGN_IN_LINK_PATH)) return { GET: serveLink, POST: signIn };
  return null;
}

function formatAllow(page: Page): string {
  return Object.keys(page)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
}

/** Returns a page that exists only if an identity provider is configured. */
function requireProvider(serve: (visit: ProviderVisit) => Promise<ProviderReply>) {
  return async (visit: Visit): Promise<Response> => {
    const provider = visit.settings.identityProvider;
    if (provider === null) return respondWithError(404, visit);
    // HEAD must neither use up a code nor start a sign-in that its sender can't continue.
    if (visit.request.method !== "GET") return respondWithError(405, visit, { Allow: "GET" });
    const reply = await serve({ ...visit, provider });
    const response =
      "location" in reply
        ? new Response(null, { status: 303, headers: { ...buildHeaders(visit), Location: reply.location } })
        : await respondWithPage(visit, reply.status, reply.document, reply.headers);
    for (const cookie of reply.cookies) response.headers.append("Set-Cookie", cookie);
    return response;
  };
}

async function serveScreen({ request, url, settings }: Visit): Promise<Response> {
  const { serveDashboard } = await import("../dashboard-host/serve-dashboard.ts");
  return serveDashboard(request, url.pathname, settings);
}

async function serveStart(visit: Visit): Promise<Response> {
  const { url, settings, directory, nowMs } = visit;
  const beginPath = settings.identityProvider === null ? null : BEGIN_PATH;
  const token = readToken(visit);
  const list = (sent: string) => () => listMemberships(directory, sent, nowMs);
  const signedIn = token === null ? null : await lookUpSession(visit, token, list(token));
  return respondWithPage(
    visit,
    200,
    signedIn === null
      ? renderSignedOut(beginPath)
      : renderSignedIn(signedIn, JOIN_PATH, parseReturnPath(url.searchParams.get("return"), settings.appUrl)),
  );
}

/** Accepts a pending membership, and shows the remaining ones. */
async function join(visit: Visit): Promise<Response> {
  const token = readToken(visit);
  const memberId = visit.url.pathname.slice(JOIN_PATH.length);
  if (token === null || !(await acceptMembership(visit.directory, token, memberId, visit))) {
    return respondWithError(404, visit);
  }
  return new Response(null, { status: 303, headers: { ...buildHeaders(visit), Location: SIGN_IN_PATH } });
}

/** Serves the page of a sign-in link without using up the link. */
async function serveLink(visit: Visit): Promise<Response> {
  const token = readLinkToken(visit);
  const find = () => findLinkOwner(visit.directory, token, visit.nowMs);
  const owner = await visit.getLimit("sign-in").lookUp(await hashSessionToken(token), find);
  return owner === null ? respondWithError(410, visit) : respondWithPage(visit, 200, renderSignInLink(owner));
}

async function signIn(visit: Visit): Promise<Response> {
  const { request, settings, directory, nowMs, requestId } = visit;
  const session = await generateSession(nowMs);
  const userAgent = describeBrowser(request.headers.get("User-Agent"));
  const facts = { userAgent, formerToken: readToken(visit), nowMs, requestId };
  const token = readLinkToken(visit);
  const begin = async () => (await signInByLink(directory, token, session, facts)) || null;
  const isSignedIn = await visit.getLimit("sign-in").lookUp(await hashSessionToken(token), begin);
  if (isSignedIn === null) return respondWithError(410, visit);
  return redirectAfterForm("/", visit, writeSessionCookie(session.token, settings.appUrl));
}

async function signOut(visit: Visit): Promise<Response> {
  const token = readToken(visit);
  const end = (sent: string) => () => endSessionOfToken(visit.directory, sent, visit);
  if (token !== null) await lookUpSession(visit, token, end(token));
  const { appUrl, identityProvider } = visit.settings;
  return redirectAfterForm(
    identityProvider === null ? "/" : SIGNED_OUT_PATH,
    visit,
    clearSessionCookie(appUrl),
  );
}

function readToken({ request, settings }: Visit): string | null {
  return readSessionCookie(request.headers.get("Cookie"), settings.appUrl);
}

/** Looks up a session, unless the visitor's network has sent too many unknown ones. */
async function lookUpSession<Value>(visit: Visit, token: string, read: () => Promise<Value | null>) {
  return visit.getLimit("session").lookUp(await hashSessionToken(token), read);
}

function readLinkToken({ url }: Visit): string {
  return url.pathname.slice(SIGN_IN_LINK_PATH.length);
}

/** Redirects after a form and sets a cookie. */
function redirectAfterForm(path: string, visit: Visit, cookie: string): Response {
  return new Response(null, {
    status: 303,
    headers: { ...buildHeaders(visit), Location: path, "Set-Cookie": cookie },
  });
}

/**
 * Redirects a page to HTTPS. Rejects forms instead of having them sent again, because they may have been
 * intercepted on plain HTTP.
 */
function redirectToHttps({ method }: Request, url: URL): Response {
  if (method !== "GET" && method !== "HEAD") return new Response(null, { status: 403 });
  const location = new URL(url);
  location.protocol = "https:";
  location.port = "";
  return new Response(null, { status: 308, headers: { Location: location.href } });
}

function respondWithError(
  status: keyof typeof ERRORS,
  visit: Visit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return respondWithPage(visit, status, renderErrorDocument(ERRORS[status]), headers);
}

async function respondWithPage(
  visit: Visit,
  status: number,
  document: HtmlDocument,
  otherHeaders: Record<string, string> = {},
): Promise<Response> {
  const { body, headers } = await buildPage(document, "'self'");
  return new Response(visit.request.method === "HEAD" ? null : body, {
    status,
    headers: { ...buildHeaders(visit), ...headers, ...otherHeaders },
  });
}

function buildHeaders({ requestId }: Visit): Record<string, string> {
  return {
    "Cache-Control": "private, no-store",
    // With no-referrer, browsers would send `Origin: null` with the forms of these pages.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "X-Request-Id": requestId,
  };
}
