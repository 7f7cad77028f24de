import { ERROR_STATUS, type ErrorCode, type ErrorNames } from "../core/error.ts";
import { isHeldUpByMove, isIdempotent, type Operation } from "../http/operation.ts";
import { isPersonScope } from "../permissions/scopes.ts";
import { buildErrorSchema } from "./error-schema.ts";
import { buildKeylessHeaders, buildResponseHeaders } from "./headers.ts";
import { buildJsonContent, type SchemaComponents } from "./json-schema.ts";
import type { ResponseObject } from "./objects.ts";
import { formatResponseName } from "./response-name.ts";

/** Meaning of each error code, for the document and the docs page. */
export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  VALIDATION_ERROR:
    "A field or parameter is missing, unknown, of the wrong type or out of range. `message` contains its name.",
  INVALID_API_KEY: "The API key is missing, malformed or unknown. `message` says which.",
  REVOKED_API_KEY: "The API key has been revoked.",
  EXPIRED_API_KEY: "The API key has expired (`expires_at`).",
  INVALID_SESSION:
    "For people: the session is missing or has ended, or the request was sent with an API key, which only the API host accepts.",
  HTTPS_REQUIRED:
    "The request was sent over http. Replace the API key, because it could have been read in transit.",
  INSUFFICIENT_SCOPE: "The API key does not have the scope that the operation requires.",
  INSUFFICIENT_ROLE:
    "For people: the person's role does not permit the operation. `message` contains the required role.",
  NOT_A_MEMBER:
    "For people: the person is not an active member of the workspace in `X-SVC-Workspace`, or the workspace does not exist.",
  ORIGIN_MISMATCH:
    "For people: the `Origin` header of a write request is missing or does not match the app host.",
  SESSION_REQUIRED: "Only people can use this operation, and the request was sent with an API key.",
  FEATURE_NOT_AVAILABLE: "The workspace's plan does not include the API or the feature.",
  PLAN_LIMIT_EXCEEDED: "The workspace has reached a limit of its plan.",
  RESOURCE_NOT_FOUND:
    "The resource does not exist or belongs to another workspace. `message` contains its type.",
  METHOD_NOT_ALLOWED: "The path does not support this method. `Allow` lists the supported methods.",
  SLUG_TAKEN: "Another link in the workspace has this `custom_slug`, or another bio page has this `slug`.",
  ALIAS_TAKEN: "Another link in the workspace has one of the `aliases`, or a short code in this form.",
  EXTERNAL_ID_TAKEN: "Another link in the workspace has this `external_id`.",
  ALIAS_LIMIT_EXCEEDED: "The link has too many aliases for its old short code to become another one.",
  DOMAIN_TAKEN: "The domain belongs to another workspace, or the workspace has already added it.",
  DOMAIN_IS_PRIMARY: "The domain is the primary domain. Make another domain primary first.",
  DOMAIN_NOT_ACTIVE: "The domain is pending: its DNS record has not been found yet.",
  WORKSPACE_SUSPENDED:
    "The administrator of this service has suspended the workspace. It can be read, but not changed.",
  LINK_BANNED: "The administrator of this service has banned the link. It cannot be changed or deleted.",
  INVALID_UPLOAD_URL: "The signature of the upload URL is not valid.",
  EXPIRED_UPLOAD_URL: "The upload URL has expired.",
  ASSET_ALREADY_UPLOADED: "A file has already been uploaded to this URL.",
  WEBHOOK_DISABLED: "The webhook endpoint is disabled. Enable it first.",
  ASSET_NOT_UPLOADED: "The file of the asset has not been uploaded yet.",
  ASSET_NOT_CONFIRMED: "The upload of the asset has not been confirmed yet.",
  ENTRY_NOT_REVERTIBLE: "Creations, deletions and password-only changes cannot be reverted.",
  IDEMPOTENCY_CONFLICT:
    "The `Idempotency-Key` belongs to a request that is still in progress or whose stored response can no longer be read (409), or that had a different body (422).",
  KEY_LIMIT_EXCEEDED: "The workspace has reached the maximum number of API keys. Revoke one first.",
  KEY_NOT_ACTIVE: "The API key is revoked, has expired or has already been rotated.",
  MEMBERS_MANAGED_BY_PROVIDER: "An identity provider manages the members of the workspace over SCIM.",
  ALREADY_A_MEMBER: "A member of the workspace already has the email address.",
  LAST_OWNER: "The member is the only owner of the workspace.",
  INVITATION_LIMIT_EXCEEDED: "The workspace has reached the maximum number of open invitations.",
  PASSKEY_LIMIT_EXCEEDED: "You have reached the maximum number of passkeys.",
  PAYLOAD_TOO_LARGE: "The request body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The request body does not have the required media type.",
  RATE_LIMIT_EXCEEDED:
    "The workspace has used its monthly quota, or your network has sent too many invalid API keys or sessions. Retry after the time in `Retry-After`.",
  BURST_LIMIT_EXCEEDED: "Too many requests per second with this API key or by this person.",
  DELIVERY_BACKLOG:
    "The workspace has reached its plan's limit for pending webhook deliveries. Nothing was changed. Retry after the time in `Retry-After`.",
  EXPORT_IN_PROGRESS:
    "Another export of the workspace is running. Retry after the time in `Retry-After`, or when it has ended.",
  QUOTA_EXCEEDED:
    "The changes of the day have used up the plan's limit. Nothing was changed. Reads and deletions still work. Retry after midnight UTC, see `Retry-After`.",
  INTERNAL_ERROR: "An unexpected error occurred in the service. `request_id` identifies the request.",
  SERVICE_UNAVAILABLE:
    "The service could not reach its storage for a moment. Retry after the time in `Retry-After`, and a change with its `Idempotency-Key`, because it may have taken effect.",
  WORKSPACE_MOVING:
    "The workspace is being moved to another database, which pauses changes for a few seconds. Nothing was changed. Retry after the time in `Retry-After`.",
};

/** Errors that every operation can return. */
const COMMON_ERRORS = [
  "VALIDATION_ERROR",
  "INVALID_API_KEY",
  "REVOKED_API_KEY",
  "EXPIRED_API_KEY",
  "INVALID_SESSION",
  "INSUFFICIENT_SCOPE",
  "INSUFFICIENT_ROLE",
  "NOT_A_MEMBER",
  "ORIGIN_MISMATCH",
  "WORKSPACE_SUSPENDED",
  "FEATURE_NOT_AVAILABLE",
  "RATE_LIMIT_EXCEEDED",
  "BURST_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
  "HTTPS_REQUIRED",
] as const satisfies ErrorCode[];

/** Second status of error codes that are returned with two statuses. */
const SECOND_STATUS: Partial<Record<ErrorCode, number>> = { IDEMPOTENCY_CONFLICT: 422 };

/** Returns the codes of the errors that an operation can return. */
export function listErrorCodes(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...COMMON_ERRORS, ...(operation.errors ?? [])]);
  if (isPersonScope(operation.scope)) codes.add("SESSION_REQUIRED");
  if (operation.path.includes(":")) codes.add("RESOURCE_NOT_FOUND");
  if (operation.body) codes.add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  if (isIdempotent(operation)) codes.add("IDEMPOTENCY_CONFLICT");
  if (isHeldUpByMove(operation)) codes.add("WORKSPACE_MOVING");
  if (isHeldUpByMove(operation) && operation.method !== "delete") codes.add("QUOTA_EXCEEDED");
  return [...codes];
}

/** Properties of an operation that change its error responses. */
interface ErrorOptions {
  /** Public names that the operation uses instead of the error codes. */
  names?: ErrorNames | undefined;
  /** True if the operation needs no API key. Its responses have no quota headers. */
  isKeyless?: boolean;
  /** True if the operation honours `Idempotency-Key`. Error responses can then be replays too. */
  isIdempotent?: boolean;
}

/**
 * Statuses of errors that occur after the `Idempotency-Key` has been stored. These responses are replayed.
 */
const REPLAYED_STATUS = new Set([400, 403, 404, 409]);

/** Collects the document's error responses as components that operations refer to. */
export class ErrorResponseComponents {
  readonly #schemas: SchemaComponents;
  readonly #responses = new Map<string, ResponseObject>();

  constructor(schemas: SchemaComponents) {
    this.#schemas = schemas;
  }

  /** Returns the components by name. */
  listComponents(): Record<string, ResponseObject> {
    return Object.fromEntries([...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns references to the responses for these codes, by status. Adds missing components. */
  writeReferences(codes: readonly ErrorCode[], options: ErrorOptions = {}): Record<string, ResponseObject> {
    const pairs = codes.flatMap((code) => listStatuses(code).map((status) => ({ status, code })));
    const references = [...Map.groupBy(pairs, ({ status }) => status)].map(([status, group]) => {
      const groupCodes = group.map(({ code }) => code);
      return [status, { $ref: `#/components/responses/${this.#addComponent(status, groupCodes, options)}` }];
    });
    return Object.fromEntries(references);
  }

  /** Returns the name of the component for a status and its codes. Adds the component if it's missing. */
  #addComponent(
    status: number,
    codes: readonly ErrorCode[],
    { names = {}, isKeyless = false, isIdempotent = false }: ErrorOptions,
  ): string {
    const isReplayable = isIdempotent && REPLAYED_STATUS.has(status);
    const hasLowercaseCodes = codes.some((code) => names[code] !== undefined);
    const component = formatResponseName({ status, codes, hasLowercaseCodes, isKeyless, isReplayable });
    const namedCodes = codes.map((code) => ({ name: names[code] ?? code, meaning: ERROR_MEANINGS[code] }));
    const description = namedCodes.map(({ name, meaning }) => `\`${name}\`: ${meaning}`).join("\n\n");
    const existing = this.#responses.get(component);
    if (existing !== undefined && existing.description !== description) {
      throw new Error(`two different responses have the name ${component}`);
    }
    if (existing === undefined) {
      const otherHeaders = isReplayable ? ["Idempotency-Replayed"] : [];
      const publicNames = namedCodes.map(({ name }) => name);
      const schema = this.#schemas.writeResponseSchema(buildErrorSchema(status, codes, publicNames));
      this.#responses.set(component, {
        description,
        headers: isKeyless ? buildKeylessHeaders(status) : buildResponseHeaders(status, ...otherHeaders),
        content: buildJsonContent(schema, this.#schemas),
      });
    }
    return component;
  }
}

function listStatuses(code: ErrorCode): number[] {
  const secondStatus = SECOND_STATUS[code];
  return [ERROR_STATUS[code], ...(secondStatus === undefined ? [] : [secondStatus])];
}
