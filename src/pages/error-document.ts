import { escapeHtml, type HtmlDocument, renderPlate } from "./plate.ts";

/** Plain texts of an error page. `{name}` stands for the name that {@link renderErrorDocument} is given. */
export interface ErrorTexts {
  title: string;
  text: string;
}

/** Renders an error page in the look of Signpost. Texts and name are escaped. */
export function renderErrorDocument({ title, text }: ErrorTexts, name = ""): HtmlDocument {
  // The document title is plain text; in the page, the name may be written in another direction than the sentence.
  const plainName = escapeHtml(name);
  const fill = (template: string, filling: string) =>
    escapeHtml(template).replaceAll("{name}", () => filling);
  const isolatedName = `<bdi>${plainName}</bdi>`;
  const body = `<h1>${fill(title, isolatedName)}</h1>
<p>${fill(text, isolatedName)}</p>`;
  return renderPlate({ title: fill(title, plainName), body });
}
