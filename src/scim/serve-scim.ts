import { formatChallenge } from "../core/bearer-challenge.ts";
import { generateUuidv7 } from "../core/id.ts";
import { logError } from "../core/log.ts";
import { isPlainHttp } from "../core/transport.ts";
import { openDatabase } from "../db/database.ts";
import { isTransient, repeatOnce } from "../db/retry.ts";
import type { Settings } from "../env.ts";
import { UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";
import { API_PATHS } from "../routing/api-paths.ts";
import { GROUP_HANDLERS, GROUP_LIST_HANDLERS } from "./group-requests.ts";
import { buildList } from "./list-response.ts";
import type { ScimContext } from "./scim-context.ts";
import { buildResourceTypes, buildSchemas, buildServiceConfig } from "./scim-documents.ts";
import { buildErrorBody, createMissingError, ScimError } from "./scim-error.ts";
import { buildScimRequest, type Handlers, type ScimResult } from "./scim-request.ts";
import { hashScimToken, parseScimAuthorization } from "./scim-token.ts";
import { verifyScimToken } from "./scim-tokens.ts";
import { USER_HANDLERS, USER_LIST_HANDLERS } from "./user-requests.ts";

/**
 * Maximum number of requests per second and token, also the capacity of the token bucket. Microsoft Entra
 * sends at most 25 requests per second.
 */
export const SCIM_BURST_PER_SECOND = 25;
const MEDIA_TYPE = "application/scim+json";

/** Kind of resource, with the handlers for its list and for a single resource. */
interface ServedResource {
  kind: "User" | "Group";
  list: Handlers;
  one: Handlers;
}

/** Resources by the first path segment. */
export const RESOURCES: Readonly<Record<string, ServedResource>> = {
  Users: { kind: "User", list: USER_LIST_HANDLERS, one: USER_HANDLERS },
  Groups: { kind: "Group", list: GROUP_LIST_HANDLERS, one: GROUP_HANDLERS },
};

/** Verbs for operation names in the audit log, by method. */
const VERBS: Readonly<Record<string, string>> = {
  GET: "read",
  POST: "create",
  PUT: "replace",
  PATCH: "update",
  DELETE: "delete",
};

/** Returns an operation's name in the audit log, such as `updateScimUser`. */
export function formatOperation(method: string, { kind }: Pick<ServedResource, "kind">): string {
  return `${VERBS[method]}Scim${kind}`;
}

/** Optional parts of the protocol that aren't supported. They get a 501 (RFC 7644 section 3.11). */
const UNSUPPORTED = new Set(["Me", "Bulk", ".search"]);

/** Settings and bindings that requests need. */
interface ScimBindings {
  settings: Settings;
  directory: D1Database;
  limiters: Env["LIMITER"];
  unknownLimiter: RateLimit;
}

/** One request, with what is known of it so far. */
interface ScimCall {
  nowMs: number;
  requestId: string;
  /** Id of the workspace. */
  workspace?: string;
  operation?: string;
}

/**
 * Serves SCIM 2.0 (RFC 7643, RFC 7644), with which an identity provider manages the members of a workspace.
 * Errors are in SCIM format. Never throws.
 */
export async function serveScim(request: Request, url: URL, bindings: ScimBindings): Promise<Response> {
  const nowMs = Date.now();
  const requestId = generateUuidv7(nowMs);
  const headers = new Headers({ "X-Request-Id": requestId, "Cache-Control": "no-store" });
  const call: ScimCall = { nowMs, requestId };
  try {
    const { status, body, location } = await handle(request, url, bindings, call);
    if (location !== undefined) headers.set("Location", location);
    return write(status, body, headers);
  } catch (error) {
    const scimError = toScimError(error, call);
    for (const [name, value] of Object.entries(scimError.headers)) headers.set(name, value);
    return write(scimError.status, buildErrorBody(scimError), headers);
  }
}

function write(status: number, body: unknown, headers: Headers): Response {
  if (body === undefined) return new Response(null, { status, headers });
  headers.set("Content-Type", MEDIA_TYPE);
  return new Response(JSON.stringify(body), { status, headers });
}

function toScimError(
  error: unknown,
  { nowMs, requestId, workspace, operation = "scim" }: ScimCall,
): ScimError {
  if (error instanceof ScimError) return error;
  const status = isTransient(error) ? 503 : 500;
  const facts = { request_id: requestId, workspace, operation, status, duration_ms: Date.now() - nowMs };
  logError("a request failed", error, facts);
  if (status === 503) {
    return new ScimError(503, null, "The service can't reach its storage. Try again.", {
      "Retry-After": "2",
    });
  }
  return new ScimError(
    500,
    null,
    `An unexpected error occurred. Include the X-Request-Id when you report it: ${requestId}.`,
  );
}

async function handle(
  request: Request,
  url: URL,
  { settings, directory, limiters, unknownLimiter }: ScimBindings,
  call: ScimCall,
): Promise<ScimResult> {
  const { nowMs, requestId } = call;
  if (isPlainHttp(request.url, settings.apiUrl)) {
    throw new ScimError(403, null, `SCIM is served over https only, at ${settings.apiUrl}.`);
  }
  const baseUrl = settings.apiUrl + API_PATHS.scim;
  const { name, id } = parsePath(url.pathname);
  const documents = buildDocuments(name, id, settings.apiUrl, baseUrl);
  if (documents !== undefined) return serveDocument(request.method, documents, url);

  const limit = new UnknownLimit(unknownLimiter, request.headers, nowMs, "scim token");
  const token = await authenticate(request, openDatabase(directory), limit);
  call.workspace = token.workspaceId;
  await countRequest(limiters, token.workspaceId, token.id);
  const resource = Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  if (UNSUPPORTED.has(name) || id === ".search") throw new ScimError(501, null, `${name} is not supported.`);
  if (resource === undefined) throw new ScimError(404, null, "This path does not exist in SCIM.");
  const handler = findHandler(id === null ? resource.list : resource.one, request.method);
  call.operation = formatOperation(request.method, resource);
  const context: ScimContext = {
    directory: openDatabase(directory),
    workspace: { id: token.workspaceId, plan: token.plan },
    isSuspended: token.isSuspended,
    baseUrl,
    emailDomains: token.emailDomains,
    nowMs,
    requestId,
    origin: { requestId, isRetry: false },
    operation: call.operation,
    actor: { type: "scim", id: token.id, name: `svc_scim_${token.prefix}` },
  };
  return handler(buildScimRequest(context, request, url, id));
}

/** Parses the path below SCIM's base URL, such as `/Users/{id}`. Ignores a trailing slash. */
function parsePath(path: string): { name: string; id: string | null } {
  const prefix = `${API_PATHS.scim}/`;
  const [name = "", id, ...rest] = path.startsWith(prefix) ? path.slice(prefix.length).split("/") : [];
  if (rest.some((segment) => segment !== "")) throw createMissingError();
  return { name, id: id === undefined || id === "" ? null : id };
}

function findHandler(handlers: Handlers, method: string): Handlers[string] {
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler !== undefined) return handler;
  throw createMethodError(Object.keys(handlers));
}

function createMethodError(methods: readonly string[]): ScimError {
  const allow = methods.join(", ");
  return new ScimError(405, null, `This path supports ${allow}.`, { Allow: allow });
}

/**
 * Builds the discovery documents of a path, or undefined for other paths. They need no token, because clients
 * learn from them how to authenticate (RFC 7643 section 5).
 */
function buildDocuments(name: string, id: string | null, apiUrl: string, baseUrl: string) {
  if (name === "ServiceProviderConfig" && id === null) {
    return buildServiceConfig(baseUrl, `${apiUrl}${API_PATHS.docs}#scim`);
  }
  const builders = { ResourceTypes: buildResourceTypes, Schemas: buildSchemas } as const;
  if (name !== "ResourceTypes" && name !== "Schemas") return undefined;
  const documents: readonly { id: string }[] = builders[name](baseUrl);
  if (id === null) return documents;
  const found = documents.find((document) => document.id === decodeId(id));
  if (found === undefined) throw createMissingError();
  return found;
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function serveDocument(method: string, documents: object, url: URL): ScimResult {
  if (method !== "GET") throw createMethodError(["GET"]);
  if (url.searchParams.has("filter")) throw new ScimError(403, null, "Filters are not supported here.");
  return {
    status: 200,
    body: Array.isArray(documents) ? buildList(documents, documents.length, 1) : documents,
  };
}

async function authenticate(request: Request, directory: ScimContext["directory"], limit: UnknownLimit) {
  const authorization = request.headers.get("Authorization");
  const token = parseScimAuthorization(authorization);
  const verified = token === null ? null : await verifyToken(directory, token, limit);
  if (verified !== null) return verified;
  throw new ScimError(
    401,
    null,
    "The header Authorization must contain a SCIM token of a workspace: Bearer svc_scim_…",
    { "WWW-Authenticate": formatChallenge("SCIM", authorization) },
  );
}

/** Verifies a token, unless its network has sent too many invalid ones. */
async function verifyToken(directory: ScimContext["directory"], token: string, limit: UnknownLimit) {
  try {
    return await limit.lookUp(await hashScimToken(token), () => verifyScimToken(directory, token));
  } catch (error) {
    if (!(error instanceof UnknownLimitError)) throw error;
    throw new ScimError(429, null, "Your network has sent too many invalid tokens.", {
      "Retry-After": String(error.retryAfterSeconds),
    });
  }
}

/**
 * Counts a request towards the rate limit of a SCIM token. SCIM requests don't count towards the API quota.
 */
async function countRequest(limiters: Env["LIMITER"], workspaceId: string, tokenId: string): Promise<void> {
  const { verdict } = await repeatOnce(() =>
    limiters.getByName(workspaceId).takeToken(`scim:${tokenId}`, SCIM_BURST_PER_SECOND),
  );
  if (verdict === "allowed") return;
  throw new ScimError(429, null, `A token is limited to ${SCIM_BURST_PER_SECOND} requests per second.`, {
    "Retry-After": "1",
  });
}
