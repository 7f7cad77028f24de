// Pure: no I/O, clock or randomness.
import type { components } from "../schema.d.ts";

type Schemas = components["schemas"];

/** Fields of an existing link that an import needs. */
export type ExistingLink = Pick<
  Schemas["Link"],
  "id" | "short_code" | "short_url" | "destination" | "aliases"
>;

/** Problem of one item passed to {@link ImportTarget.createLinks}. */
export type ItemProblem = Schemas["BulkError"];

/** Result of a call that creates links: the created links in order, and the problems of the others. */
export interface CreatedLinks {
  created: readonly ExistingLink[];
  errors: readonly ItemProblem[];
}

/** Service that links are imported into. Implementations retry temporary failures. */
export interface ImportTarget {
  /** Returns the ID of the workspace. */
  readWorkspaceId(): Promise<string>;
  /** Returns true if one of the workspace's domains also serves the API, so that links can't have its paths. */
  servesApi(): Promise<boolean>;
  /**
   * Returns the links with up to 100 short codes in any case or exact aliases, including archived links.
   * Throws {@link TargetError}.
   */
  findCodes(codes: readonly string[]): Promise<readonly ExistingLink[]>;
  /** Creates up to 100 links. Throws {@link TargetError} if the whole call is rejected. */
  createLinks(links: readonly Schemas["NewLink"][]): Promise<CreatedLinks>;
}

/** Thrown if a call is rejected or gets no response. */
export class TargetError extends Error {
  override name = "TargetError";
  /** Status of the response, or 0 without a response. */
  readonly status: number;
  /** Error code of the service, such as `FEATURE_NOT_AVAILABLE`, or empty without one. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Maximum codes per look-up and links per creation, as limited by the service. */
export const CALL_ITEMS_MAX = 100;

/** Maximum number of parallel calls, for look-ups and for creations. */
export const PARALLEL_CALLS = 3;
