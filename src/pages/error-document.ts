// Pure: no I/O, clock or randomness.
import { escapeHtml, type HtmlDocument, renderPlate } from "./plate.ts";

/** Statuses of error responses on short hosts. */
export type ErrorPageStatus = 404 | 405 | 410 | 429 | 451 | 503;

/**
 * Title and text of an error page, without HTML. `{name}` is replaced with the name passed to {@link
 * renderErrorDocument}.
 */
export interface ErrorTexts {
  title: string;
  text: string;
}

/** Renders an error page in Signpost's design. Escapes the texts and the name. */
export function renderErrorDocument({ title, text }: ErrorTexts, name = ""): HtmlDocument {
  // The document title is plain text. In the body, `<bdi>` isolates the name, which may have another text
  // direction.
  const plainName = escapeHtml(name);
  const fill = (template: string, filling: string) =>
    escapeHtml(template).replaceAll("{name}", () => filling);
  const isolatedName = `<bdi>${plainName}</bdi>`;
  const body = `<h1>${fill(title, isolatedName)}</h1>
<p>${fill(text, isolatedName)}</p>`;
  return renderPlate({ title: fill(title, plainName), body });
}
