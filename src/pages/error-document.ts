// Pure: no I/O, clock or randomness.
import { escapeHtml, type HtmlDocument, renderPlate } from "./plate.ts";

/** Statuses of error responses on short hosts. */
export type ErrorPageStatus = 404 | 405 | 410 | 429 | 451 | 503;

/** Error page: its status, or the page of links that an administrator stopped, which has the status 451. */
export type ErrorPage = ErrorPageStatus | "banned";

/** Title and text of the page that visitors see instead of something that an administrator stopped. */
export const BANNED_TEXTS: ErrorTexts = {
  title: "This link has been blocked",
  text: "The administrator of this service has stopped it because of abuse.",
};

/**
 * Title and text of an error page, without HTML. `{name}` is replaced with the name passed to {@link
 * renderErrorDocument}.
 */
export interface ErrorTexts {
  title: string;
  text: string;
}

/**
 * Renders an error page in Signpost's design. Escapes the texts and the name. `report` is the URI for reporting
 * abuse.
 */
export function renderErrorDocument(
  { title, text }: ErrorTexts,
  report: string | null = null,
  name = "",
): HtmlDocument {
  // The document title is plain text. In the body, `<bdi>` isolates the name, which may have another text
  // direction.
  const plainName = escapeHtml(name);
  const fill = (template: string, filling: string) =>
    escapeHtml(template).replaceAll("{name}", () => filling);
  const isolatedName = `<bdi>${plainName}</bdi>`;
  const body = `<h1>${fill(title, isolatedName)}</h1>
<p>${fill(text, isolatedName)}</p>`;
  return renderPlate({ title: fill(title, plainName), body, report });
}
