import * as z from "zod";
import type { ErrorCode } from "../core/error.ts";
import { requestId } from "../http/fields.ts";

const problem = z
  .strictObject({
    field: z.string().meta({ example: "url" }),
    message: z.string().meta({ example: "is required" }),
  })
  .meta({
    id: "FieldFault",
    description: "Invalid field or parameter, and the requirement that it must meet.",
  });

/**
 * Builds the schema of the error envelope for one status. `names` are the public names of `codes`. The
 * example uses the first code.
 */
export function buildErrorSchema(
  status: number,
  codes: readonly ErrorCode[],
  names: readonly string[],
): z.ZodType {
  const error = z.strictObject({
    code: z.enum(names as [string, ...string[]]),
    message: z.string().meta({ example: getExampleMessage(status, codes) }),
    status: z.literal(status),
    ...(status === 400 && { details: z.array(problem).optional() }),
  });
  return z.strictObject({ error, meta: z.strictObject({ request_id: requestId }) });
}

function getExampleMessage(status: number, [code]: readonly ErrorCode[]): string {
  if (status === 422) return "Idempotency-Key: was already used with a different request body.";
  return code === undefined ? "" : EXAMPLE_MESSAGES[code];
}

/** Example messages, as the API returns them. */
const EXAMPLE_MESSAGES: Record<ErrorCode, string> = {
  VALIDATION_ERROR: "url: is required",
  INVALID_API_KEY: "The API key is unknown.",
  REVOKED_API_KEY: "This API key has been revoked.",
  EXPIRED_API_KEY: "This API key has expired.",
  INVALID_SESSION: "The session has ended. Sign in again.",
  HTTPS_REQUIRED: "The API is served over https only, at https://api.example.com.",
  INSUFFICIENT_SCOPE: "This key lacks the scope links:write.",
  INSUFFICIENT_ROLE: "Your role is viewer. This operation requires the role editor or higher.",
  NOT_A_MEMBER: "You are not an active member of the workspace in X-SVC-Workspace.",
  ORIGIN_MISMATCH: "Origin: must be https://app.example.com for write requests.",
  SESSION_REQUIRED: "This operation does not accept API keys. Sign in at https://app.example.com instead.",
  FEATURE_NOT_AVAILABLE: "The free plan does not include the API. It requires the pro plan or higher.",
  WORKSPACE_SUSPENDED:
    "The administrator of this service has suspended the workspace. It can be read but not changed.",
  LINK_BANNED: "The administrator of this service has banned this link. It can't be changed or deleted.",
  PLAN_LIMIT_EXCEEDED: "The business plan allows 25000 links per month.",
  RESOURCE_NOT_FOUND: "The link does not exist.",
  METHOD_NOT_ALLOWED: "This path supports GET, HEAD.",
  SLUG_TAKEN: "custom_slug: summer-sale is already used by another link in this workspace",
  ALIAS_TAKEN:
    "aliases: menu/2024 already belongs to the link summer-sale (01890a5d-ac96-774b-bcce-b302099a8057)",
  EXTERNAL_ID_TAKEN: "external_id: order-4711 is already used by another link in this workspace",
  ALIAS_LIMIT_EXCEEDED:
    "custom_slug: the old short code cannot become an alias, because the link has 20 aliases. Remove one, or send keep_old_code: false.",
  DOMAIN_TAKEN: "go.example.com belongs to another workspace.",
  DOMAIN_IS_PRIMARY: "go.example.com is the primary domain. Make another domain primary first.",
  DOMAIN_NOT_ACTIVE: "go.example.com is pending. Verify it before making it the primary domain.",
  INVALID_UPLOAD_URL: "The signature of this upload URL is not valid.",
  EXPIRED_UPLOAD_URL: "This upload URL has expired. Presign the file again.",
  ASSET_ALREADY_UPLOADED: "The file has already been uploaded to this URL.",
  WEBHOOK_DISABLED: "The webhook endpoint is disabled. Enable it first.",
  ASSET_NOT_UPLOADED: "The file has not been uploaded to its upload URL yet.",
  ASSET_NOT_CONFIRMED: "The upload must be confirmed before the asset can be published.",
  ENTRY_NOT_REVERTIBLE:
    "Creating or deleting a link cannot be reverted. Delete the link, or create it again.",
  IDEMPOTENCY_CONFLICT: "Idempotency-Key: the first request with this key is still in progress.",
  KEY_LIMIT_EXCEEDED: "The workspace has reached the maximum of 100 API keys. Revoke one first.",
  KEY_NOT_ACTIVE: "Only active keys can be rotated. This key is revoked.",
  MEMBERS_MANAGED_BY_PROVIDER:
    "An identity provider manages the members of this workspace over SCIM. Change them there.",
  ALREADY_A_MEMBER: "email: ada@example.com is already a member of the workspace",
  LAST_OWNER: "The workspace must keep at least one owner. Make another member an owner first.",
  INVITATION_LIMIT_EXCEEDED:
    "The workspace has reached the maximum of 200 open invitations. Revoke one first.",
  PASSKEY_LIMIT_EXCEEDED: "You have reached the maximum of 10 passkeys. Remove one first.",
  PAYLOAD_TOO_LARGE: "body: must be at most 1 MiB",
  UNSUPPORTED_MEDIA_TYPE: "Content-Type: must be application/json",
  RATE_LIMIT_EXCEEDED: "The workspace has used all 25000 API calls for this month.",
  BURST_LIMIT_EXCEEDED: "This key is limited to 50 calls per second.",
  DELIVERY_BACKLOG:
    "The workspace has too many pending webhook deliveries. Fix or disable the endpoints that reject them.",
  EXPORT_IN_PROGRESS: "Another export of the workspace is running. Retry when it has ended.",
  QUOTA_EXCEEDED:
    "The business plan allows changes of 250 MB per day. You can still read and delete. Make further changes after midnight UTC.",
  INTERNAL_ERROR: "An unexpected error occurred. Include the request_id when you report it.",
  SERVICE_UNAVAILABLE: "The service can't reach its storage. Try again.",
  WORKSPACE_MOVING:
    "The workspace is being moved to another database. No changes were made. Retry in a few seconds.",
};
