// Pure: no I/O, clock or randomness.
import { FORM_CSS } from "./password-document.ts";
import { escapeHtml, type HtmlDocument, renderPlate } from "./plate.ts";
import type { VisitorTexts } from "./texts/visitor-texts.ts";

/**
 * Renders the page with a button that opens a link. It works without scripts, reveals nothing about the link, and sends
 * the form to the URL of the page, with its query.
 */
export function renderConfirmDocument(texts: VisitorTexts, report: string | null): HtmlDocument {
  const { title, text } = texts.confirm;
  const body = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<form method="post">
<button>${escapeHtml(texts.openLink)}</button>
</form>`;
  return renderPlate({ title: escapeHtml(title), body, texts, report, css: FORM_CSS });
}
