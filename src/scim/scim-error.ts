// Pure: no I/O, clock or randomness.

/** Error types that SCIM clients can distinguish (RFC 7644 section 3.12, table 9). */
export type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany"
  | "uniqueness";

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** Error sent to the client in SCIM format. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    scimType: ScimType | null,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = "ScimError";
    this.status = status;
    this.scimType = scimType;
    this.headers = headers;
  }
}

export function createInputError(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, scimType, detail);
}

/** Returns the error for a missing resource. Resources of other workspaces get the same error. */
export function createMissingError(): ScimError {
  return new ScimError(404, null, "The resource was not found.");
}

/** Returns the error for a value that another resource of the workspace already uses. */
export function createTakenError(detail: string): ScimError {
  return new ScimError(409, "uniqueness", detail);
}

/** Builds the body of an error (RFC 7644 section 3.12). The status is a string there. */
export function buildErrorBody({ status, scimType, message }: ScimError): Record<string, unknown> {
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === null ? {} : { scimType }),
    detail: message,
  };
}
