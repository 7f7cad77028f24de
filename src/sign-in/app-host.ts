import { readAtMost } from "../core/body.ts";
import { isLoopbackHost } from "../core/hosts.ts";
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
import { INVITATION_PATH, SIGN_IN_LINK_PATH } from "../members/sign-in-link-address.ts";
import { findLinkOwner, signInByLink } from "../members/sign-in-links.ts";
import { renderErrorDocument } from "../pages/error-document.ts";
import { buildPage } from "../pages/page-response.ts";
import type { HtmlDocument } from "../pages/plate.ts";
import type { PageTexts } from "../pages/texts/visitor-texts.ts";
import {
  acceptAsNewPerson,
  acceptSignedIn,
  findInvitation,
  isOtherMember,
  type OpenInvitation,
} from "../people/accept-invitation.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import {
  NAME_MAX_LENGTH,
  renderInvitation,
  renderSignedIn,
  renderSignedOut,
  renderSignInLink,
} from "./app-pages.ts";
import { beginPasskeySignIn, finishPasskeySignIn } from "./passkey-sign-in.ts";
import {
  BEGIN_PATH,
  beginSignIn,
  finishSignIn,
  type ProviderReply,
  type ProviderVisit,
  SIGN_IN_PATH,
  SIGNED_OUT_PATH,
  serveSignedOut,
} from "./provider-sign-in.ts";
import { CALLBACK_PATH, parseReturnPath } from "./return-path.ts";
import type { SignInStates } from "./sign-in-states.ts";

/** Path of the app host that accepts a pending membership. Its id follows. */
const JOIN_PATH = "/sign-in/join/";
/** Paths of the app host for the two requests of a sign-in with a passkey. */
const PASSKEY_BEGIN_PATH = "/sign-in/passkey/options";
const PASSKEY_PATH = "/sign-in/passkey";
/** Number of bytes read of a form, which contains only a name. */
const FORM_BYTES_MAX = 4_096;

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

const ERRORS: Record<403 | 404 | 405 | 409 | 410 | 429, PageTexts> = {
  403: {
    title: "This request came from another site",
    text: "Open Signpost in its own tab and try again.",
  },
  404: { title: "Page not found", text: "Check the URL for typos." },
  405: { title: "Unsupported request", text: "Go back and try again." },
  409: {
    title: "You can't join with this account",
    text: "The account or its email address already belongs to the workspace, or the workspace is full. Sign out to use another account.",
  },
  410: {
    title: "This sign-in link is no longer valid",
    text: "Sign-in links work once, within 15 minutes. Ask your administrator for a new one.",
  },
  429: {
    title: "Too many attempts",
    text: "Your network has opened many invalid sign-ins. Wait a moment and try again.",
  },
};

const INVITATION_GONE: PageTexts = {
  title: "This link is no longer valid",
  text: "It was used, revoked, or has expired. Ask an owner of the workspace for a new one.",
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
  if (path === API_PATHS.docs) return { GET: redirectToDocs };
  if (path.startsWith(SIGN_IN_LINK_PATH)) return { GET: serveLink, POST: signIn };
  if (path === PASSKEY_BEGIN_PATH) return { POST: beginPasskey };
  if (path === PASSKEY_PATH) return { POST: signInByPasskey };
  if (path.startsWith(INVITATION_PATH)) return { GET: serveInvitation, POST: accept };
  return null;
}

/** Redirects to the guides and the API reference, so that the dashboard can link to them without the API's host. */
async function redirectToDocs(visit: Visit): Promise<Response> {
  const location = visit.settings.apiUrl + API_PATHS.docs;
  return new Response(null, { status: 302, headers: { ...buildHeaders(visit), Location: location } });
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
  const { url, settings } = visit;
  const signedIn = await findSignedIn(visit);
  return respondWithPage(
    visit,
    200,
    signedIn === null
      ? renderSignedOut({
          providerPath: settings.identityProvider === null ? null : BEGIN_PATH,
          scriptPath: (await import("../dashboard-host/sign-in-script.ts")).SIGN_IN_SCRIPT_PATH,
          isLocal: isLoopbackHost(new URL(settings.appUrl).hostname),
        })
      : renderSignedIn(signedIn, JOIN_PATH, parseReturnPath(url.searchParams.get("return"), settings.appUrl)),
  );
}

/** Accepts a pending membership, and shows the remaining ones. */
async function join(visit: Visit): Promise<Response> {
  const token = readToken(visit);
  const memberId = visit.url.pathname.slice(JOIN_PATH.length);
  if (token === null) return respondWithError(404, visit);
  const accept = async () => (await acceptMembership(visit.directory, token, memberId, visit)) || null;
  if ((await lookUpSession(visit, token, accept)) === null) return respondWithError(404, visit);
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

/** Serves the page of an invitation or a recovery without using it up. */
async function serveInvitation(visit: Visit): Promise<Response> {
  const invitation = await lookUpInvitation(visit);
  if (invitation === null) return respondWithPage(visit, 410, renderErrorDocument(INVITATION_GONE));
  const signedIn = await findSignedIn(visit);
  if (signedIn !== null && (await isOtherMember(visit.directory, invitation, signedIn.person))) {
    return respondWithError(409, visit);
  }
  return respondWithPage(visit, 200, renderInvitation(invitation, signedIn, SIGN_IN_PATH));
}

/** Accepts an invitation with the account of the session, or with a new one, and opens the workspace. */
async function accept(visit: Visit): Promise<Response> {
  const { request, settings, directory, nowMs, requestId } = visit;
  const invitation = await lookUpInvitation(visit);
  if (invitation === null) return respondWithPage(visit, 410, renderErrorDocument(INVITATION_GONE));
  const userAgent = describeBrowser(request.headers.get("User-Agent"));
  const facts = { userAgent, formerToken: readToken(visit), nowMs, requestId };
  const signedIn = await findSignedIn(visit);
  const session = await generateSession(nowMs);
  const outcome =
    signedIn === null
      ? await acceptAsNewPerson(directory, invitation, await readName(request, invitation), session, facts)
      : await acceptSignedIn(directory, invitation, signedIn, facts);
  if (outcome === "gone") return respondWithPage(visit, 410, renderErrorDocument(INVITATION_GONE));
  if (outcome === "conflict") return respondWithError(409, visit);
  const path = `/?${new URLSearchParams({ workspace: invitation.workspaceSlug })}`;
  if (signedIn === null)
    return redirectAfterForm(path, visit, writeSessionCookie(session.token, settings.appUrl));
  return new Response(null, { status: 303, headers: { ...buildHeaders(visit), Location: path } });
}

async function lookUpInvitation(visit: Visit): Promise<OpenInvitation | null> {
  const token = visit.url.pathname.slice(INVITATION_PATH.length);
  const find = () => findInvitation(visit.directory, token, visit.nowMs);
  return visit.getLimit("sign-in").lookUp(await hashSessionToken(token), find);
}

/** Returns the person of the request's session, or null. */
async function findSignedIn(visit: Visit) {
  const token = readToken(visit);
  const { directory, nowMs } = visit;
  return token === null ? null : lookUpSession(visit, token, () => listMemberships(directory, token, nowMs));
}

/** Returns the name that a new person entered. A recovered member keeps their name. */
async function readName(request: Request, { memberName, email }: OpenInvitation): Promise<string> {
  if (memberName !== null) return memberName;
  const { bytes } = await readAtMost(request, FORM_BYTES_MAX);
  const name = new URLSearchParams(new TextDecoder().decode(bytes)).get("name")?.trim() ?? "";
  return name.slice(0, NAME_MAX_LENGTH) || (email.split("@")[0] ?? email);
}

/** Returns the options with which the browser signs in with a passkey. */
async function beginPasskey(visit: Visit): Promise<Response> {
  return Response.json(await beginPasskeySignIn(visit), { headers: buildHeaders(visit) });
}

/** Signs a person in with the passkey that the browser used. */
async function signInByPasskey(visit: Visit): Promise<Response> {
  const { settings } = visit;
  const limit = visit.getLimit("sign-in");
  await limit.reserve();
  const signedIn = await finishPasskeySignIn(visit);
  if (signedIn === null) {
    const message = "The passkey could not be used. Try again, or use another way to sign in.";
    return Response.json({ message }, { status: 403, headers: buildHeaders(visit) });
  }
  limit.returnSpare();
  const headers = {
    ...buildHeaders(visit),
    "Set-Cookie": writeSessionCookie(signedIn.token, settings.appUrl),
  };
  return Response.json({ location: signedIn.hasPending ? SIGN_IN_PATH : "/" }, { headers });
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
