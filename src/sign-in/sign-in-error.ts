// Pure: no I/O, clock or randomness.
import type { ClaimsRefusal } from "./identity-claims.ts";

/**
 * Reason why a sign-in failed:
 * - `stale`: the sign-in took too long, was already completed, or started in another browser window.
 * - `declined`: the provider or the person refused.
 * - `unavailable`: the provider didn't respond.
 * - `unusable`: the provider's response was invalid.
 * - `not_a_member`: the person isn't a member of any workspace.
 */
export type SignInReason = ClaimsRefusal | "stale" | "declined" | "unavailable" | "unusable" | "not_a_member";

/** Thrown when a sign-in fails. The message is for the log and contains no values from the request. */
export class SignInError extends Error {
  readonly reason: SignInReason;

  constructor(reason: SignInReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SignInError";
    this.reason = reason;
  }
}

/** Endpoint of the provider that Signpost sends requests to, as the log names it. */
export type ProviderEndpoint =
  | "token endpoint"
  | "UserInfo endpoint"
  | "endpoint for pushed authorization requests";

/** Matches error codes of RFC 6749 and OpenID Connect. Other texts aren't logged. */
const ERROR_CODE = /^[a-z_]{1,40}$/;
/** Error codes for a refusal by the provider or the person (OpenID Connect Core 1.0, section 3.1.2.6). */
const DECLINED = [
  ...["access_denied", "login_required", "consent_required", "interaction_required"],
  "account_selection_required",
];
/** Error codes for a temporary failure of the provider (RFC 6749 section 4.1.2.1). */
const UNAVAILABLE = ["server_error", "temporarily_unavailable"];

/** Returns the error for an error code in the provider's redirect. */
export function describeAuthorizationError(code: string): SignInError {
  const message = `the identity provider returned the error ${formatCode(code)}`;
  if (DECLINED.includes(code)) return new SignInError("declined", message);
  return new SignInError(UNAVAILABLE.includes(code) ? "unavailable" : "unusable", message);
}

/**
 * Returns the error for an error code of an endpoint. `invalid_grant` means that the authorization code has
 * expired or was used.
 */
export function describeEndpointError(code: string, endpoint: ProviderEndpoint): SignInError {
  const message = `the ${endpoint} of the identity provider returned the error ${formatCode(code)}`;
  if (code === "invalid_grant") return new SignInError("stale", message);
  return new SignInError(UNAVAILABLE.includes(code) ? "unavailable" : "unusable", message);
}

function formatCode(code: string): string {
  return ERROR_CODE.test(code) ? code : "(unknown)";
}
