import type { ImportRow } from "./import-row.ts";

/** Time of another service: text in any form that is read, or Unix milliseconds. */
export type Moment = string | number;

/** Link as another service tells it, before it is fitted to what a link can be here. Empty texts are as missing. */
export interface ForeignLink {
  /** Line of the file on which the link begins, from 1. */
  line: number;
  url: string;
  /** Short address at the other service, with or without a scheme. */
  formerUrl?: string | null | undefined;
  /** Without one, the path of `formerUrl` is the slug, and without that a code is generated. */
  slug?: string | null | undefined;
  /** True if the service has a slug for each link, so that a link without one is that of a domain itself. */
  needsSlug?: boolean | undefined;
  title?: string | null | undefined;
  note?: string | null | undefined;
  labels?: readonly string[] | undefined;
  createdAt?: Moment | null | undefined;
  expiresAt?: Moment | null | undefined;
  startsAt?: Moment | null | undefined;
  archived?: boolean | undefined;
  /** Why the row can be no link here, in words that follow `line 12: `. */
  fault?: string | null | undefined;
  /** Why the link led nowhere, such as `is disabled at Dub`. It is made expired, so that it does not come to life. */
  closed?: string | null | undefined;
  scans?: string | number | null | undefined;
  maxScans?: string | number | null | undefined;
  password?: string | null | undefined;
  /** Hash of the password in the form of the service. */
  passwordHash?: string | null | undefined;
  earlyUrl?: string | null | undefined;
  expiredUrl?: string | null | undefined;
  forwardQuery?: boolean | undefined;
  preview?: ForeignPreview | undefined;
  /** Rules in the order in which they are tried. They may break the limits. */
  rules?: readonly ForeignRule[] | undefined;
  /** Losses of the import, each a short sentence. */
  notes?: readonly string[] | undefined;
}

/** Preview of a link in chats and social networks. */
export interface ForeignPreview {
  title: string;
  description: string;
  imageUrl: string;
}

/** Rule of a new link. */
export type NewRule = NonNullable<ImportRow["link"]["routing_rules"]>[number];

/** Conditions of a rule of a new link. */
export type Conditions = NonNullable<NewRule["when"]>;

/** Rule that sends visitors to a destination of their own. Its values may break the limits. */
export interface ForeignRule {
  name?: string | undefined;
  when: Conditions;
  destination: string;
}

/** Reason why a row is no link, in words that follow `line 12: `. */
export class RowFault extends Error {
  override name = "RowFault";
}

const SHOWN_MAX_LENGTH = 80;

/** Quotes a text of a file for a message. A long one is cut. */
export function quote(text: string): string {
  const shown = cutText(text, SHOWN_MAX_LENGTH);
  return JSON.stringify(shown === text ? text : `${cutText(text, SHOWN_MAX_LENGTH - 1)}…`);
}

/** Returns the start of a text with at most so many characters: Unicode code points, as the service counts them. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  // A code point has at most two code units.
  const start = Array.from(text.slice(0, 2 * lengthMax + 1));
  return start.length <= lengthMax ? text : start.slice(0, lengthMax).join("");
}
