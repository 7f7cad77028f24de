// Pure: no I/O, clock or randomness.
import { escapeHtml, type HtmlDocument, renderPlate } from "./plate.ts";
import { english } from "./texts/english.ts";
import type { PageTexts, VisitorTexts } from "./texts/visitor-texts.ts";

/** Statuses of error responses on short hosts. */
export type ErrorPageStatus = 404 | 405 | 410 | 429 | 451 | 503;

/** Error page: its status, or the page of links that an administrator stopped, which has the status 451. */
export type ErrorPage = ErrorPageStatus | "banned";

/** Properties of an error page that don't depend on the error. */
interface ErrorContext {
  /** Texts of the page's language. Without them, the page is in English. */
  texts?: VisitorTexts;
  /** URI for reporting abuse. */
  report?: string | null;
  /** Replaces `{name}` in the error's texts. */
  name?: string;
}

/** Renders an error page in Signpost's design. Escapes the texts and the name. */
export function renderErrorDocument(
  { title, text }: PageTexts,
  { texts = english, report = null, name = "" }: ErrorContext = {},
): HtmlDocument {
  // The document title is plain text. In the body, `<bdi>` isolates the name, which may have another text
  // direction.
  const plainName = escapeHtml(name);
  const fill = (template: string, filling: string) =>
    escapeHtml(template).replaceAll("{name}", () => filling);
  const isolatedName = `<bdi>${plainName}</bdi>`;
  const body = `<h1>${fill(title, isolatedName)}</h1>
<p>${fill(text, isolatedName)}</p>`;
  return renderPlate({ title: fill(title, plainName), body, texts, report });
}
