/** Kinds of faults that a client can tell apart (RFC 7644 section 3.12, table 9). */
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

/** Error that is sent to the client in the format of SCIM. */
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

/** Returns an error with status 400. */
export function createInputError(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, scimType, detail);
}

/** Returns the error for a resource that the workspace does not have. It is the same for one of another workspace. */
export function createMissingError(): ScimError {
  return new ScimError(404, null, "The resource was not found.");
}

/** Returns the error for a value that another resource of the workspace has. */
export function createTakenError(detail: string): ScimError {
  return new ScimError(409, "uniqueness", detail);
}

/** Builds the body of an error (RFC 7644 section 3.12), in which the status is a text. */
export function buildErrorBody({ status, scimType, message }: ScimError): Record<string, unknown> {
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === null ? {} : { scimType }),
    detail: message,
  };
}
