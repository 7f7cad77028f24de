// Pure: no I/O, clock or randomness.
import type { ImportRow } from "./import-row.ts";

/** Time from another service: text in any supported format, or Unix milliseconds. */
export type Moment = string | number;

/** Link as described by another service, before conversion. Empty text counts as missing. */
export interface ForeignLink {
  /** Line of the file where the link begins, starting at 1. */
  line: number;
  url: string;
  /** Short URL at the other service, with or without a scheme. */
  formerUrl?: string | null | undefined;
  /** Slug of the link. Default: the path of `formerUrl`, or without `formerUrl` a generated code. */
  slug?: string | null | undefined;
  /** True if the service has a slug for every link. A link without slug is then a domain's root link. */
  needsSlug?: boolean | undefined;
  title?: string | null | undefined;
  note?: string | null | undefined;
  labels?: readonly string[] | undefined;
  createdAt?: Moment | null | undefined;
  expiresAt?: Moment | null | undefined;
  startsAt?: Moment | null | undefined;
  archived?: boolean | undefined;
  /** Reason why the row can't be imported, to be shown after `line 12: `. */
  problem?: string | null | undefined;
  /**
   * Reason why the link no longer redirected, such as `is disabled at Dub`. The link is imported as expired,
   * so that it doesn't become active again.
   */
  closed?: string | null | undefined;
  scans?: string | number | null | undefined;
  maxScans?: string | number | null | undefined;
  password?: string | null | undefined;
  /** Hash of the password, in the service's format. */
  passwordHash?: string | null | undefined;
  earlyUrl?: string | null | undefined;
  expiredUrl?: string | null | undefined;
  forwardQuery?: boolean | undefined;
  confirm?: boolean | undefined;
  preview?: ForeignPreview | undefined;
  /** Rules in the order in which they are tried. They may exceed this service's limits. */
  rules?: readonly ForeignRule[] | undefined;
  /** Parts of the link that can't be imported, each described in a short sentence. */
  notes?: readonly string[] | undefined;
}

/** Preview of a link in chats and social networks. */
export interface ForeignPreview {
  title: string;
  description: string;
  imageUrl: string;
}

export type NewRule = NonNullable<ImportRow["link"]["routing_rules"]>[number];

export type Conditions = NonNullable<NewRule["when"]>;

/** Rule that sends matching visitors to another destination. It may exceed this service's limits. */
export interface ForeignRule {
  name?: string | undefined;
  when: Conditions;
  destination: string;
}

/** Thrown if a row can't be imported. The message is shown after `line 12: `. */
export class RowError extends Error {
  override name = "RowError";
}

const SHOWN_MAX_LENGTH = 80;

/** Quotes text from the file for a message. Shortens long text. */
export function quote(text: string): string {
  const shown = cutText(text, SHOWN_MAX_LENGTH);
  return JSON.stringify(shown === text ? text : `${cutText(text, SHOWN_MAX_LENGTH - 1)}…`);
}

/** Returns up to `lengthMax` characters of a text. Counts Unicode code points, as the service does. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  // A code point has at most two code units.
  const start = Array.from(text.slice(0, 2 * lengthMax + 1));
  return start.length <= lengthMax ? text : start.slice(0, lengthMax).join("");
}
