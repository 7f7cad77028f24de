import type { ClaimsRefusal } from "./identity-claims.ts";

/**
 * Reason why a sign-in ended without a session. `stale`: it took too long, was used already or began in another window.
 * `declined`: the provider, or the person there, refused. `unavailable`: the provider did not answer. `unusable`: it
 * answered what cannot be used. `not_a_member`: no workspace lists the address.
 */
export type SignInReason = ClaimsRefusal | "stale" | "declined" | "unavailable" | "unusable" | "not_a_member";

/** Error that ends a sign-in. Its message is for the log and holds no value that came with a request. */
export class SignInFault extends Error {
  readonly reason: SignInReason;

  constructor(reason: SignInReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SignInFault";
    this.reason = reason;
  }
}

/** Form of the error codes of RFC 6749 and OpenID Connect. Other texts are not logged. */
const ERROR_CODE = /^[a-z_]{1,40}$/;
/** Codes with which the provider, or the person there, refuses (OpenID Connect Core 1.0, section 3.1.2.6). */
const DECLINED = [
  ...["access_denied", "login_required", "consent_required", "interaction_required"],
  "account_selection_required",
];
/** Codes of a provider that cannot answer now (RFC 6749 section 4.1.2.1). */
const UNAVAILABLE = ["server_error", "temporarily_unavailable"];

/** Returns the fault for an error with which the provider led back. */
export function describeAuthorizationError(code: string): SignInFault {
  const message = `the identity provider leads back with the error ${formatCode(code)}`;
  if (DECLINED.includes(code)) return new SignInFault("declined", message);
  return new SignInFault(UNAVAILABLE.includes(code) ? "unavailable" : "unusable", message);
}

/** Returns the fault for an error of the token endpoint. `invalid_grant` is a code that has expired or was used. */
export function describeTokenError(code: string): SignInFault {
  const message = `the token endpoint of the identity provider responds with the error ${formatCode(code)}`;
  if (code === "invalid_grant") return new SignInFault("stale", message);
  return new SignInFault(UNAVAILABLE.includes(code) ? "unavailable" : "unusable", message);
}

function formatCode(code: string): string {
  return ERROR_CODE.test(code) ? code : "(unknown)";
}
