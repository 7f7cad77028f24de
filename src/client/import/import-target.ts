import type { components } from "../schema.d.ts";

type Schemas = components["schemas"];

/** Link of the workspace, as far as an import compares it. */
export type ExistingLink = Pick<Schemas["Link"], "id" | "short_code" | "short_url" | "destination">;

/** Fault of one item of {@link ImportTarget.createLinks}. */
export type ItemFault = Schemas["BulkError"];

/** Result of one call that creates links: those that were made, in their order, and the faults of the others. */
export interface CreatedLinks {
  created: readonly ExistingLink[];
  errors: readonly ItemFault[];
}

/** Service that links are imported into. Calls that fail for a passing reason are repeated behind it. */
export interface ImportTarget {
  /** Returns the id of the workspace. */
  readWorkspaceId(): Promise<string>;
  /** Returns the links that have one of up to 100 short codes, archived or not. Throws {@link TargetError}. */
  findCodes(codes: readonly string[]): Promise<readonly ExistingLink[]>;
  /** Creates up to 100 links. Throws {@link TargetError} if the whole call was refused. */
  createLinks(links: readonly Schemas["NewLink"][]): Promise<CreatedLinks>;
}

/** Refused call, or one without a response. */
export class TargetError extends Error {
  override name = "TargetError";
  /** Status of the response; 0 without one. */
  readonly status: number;
  /** Error code of the service, such as `FEATURE_NOT_AVAILABLE`; empty without one. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Codes of one look-up, and links of one creation: as many as the service takes. */
export const CALL_ITEMS_MAX = 100;

/** Calls at the same time, of look-ups and of creations. */
export const PARALLEL_CALLS = 3;
