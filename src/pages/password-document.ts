// Pure: no I/O, clock or randomness.
import { escapeHtml, type HtmlDocument, renderPlate } from "./plate.ts";
import type { VisitorTexts } from "./texts/visitor-texts.ts";

/** Styles of a form with one button. */
export const FORM_CSS = `
form { width: 100%; max-width: 22rem; margin-top: 1.5rem; text-align: start }
input, button { width: 100%; min-height: 3rem; border-radius: .75rem; font: inherit }
button { margin-top: .875rem; border: 2px solid transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`.replace(/\n\s*/g, "");

const FIELD_CSS = `
label { display: block; font-weight: 600 }
input { margin-top: .375rem; padding: 0 .875rem; border: 2px solid var(--muted); background: var(--surface); color: var(--text) }
.wrong { margin-top: .5rem; color: var(--text); font-weight: 600; text-align: start }
`.replace(/\n\s*/g, "");

/**
 * Renders the form for a link's password. It works without scripts and reveals nothing about the link. After
 * a wrong password (`isWrong`), the field gets the focus, so that screen readers announce the message.
 */
export function renderPasswordDocument(
  isWrong: boolean,
  texts: VisitorTexts,
  report: string | null,
): HtmlDocument {
  const { title, wrongTitle, hint, label, wrong } = texts.password;
  const attributes = isWrong ? ' aria-invalid="true" aria-describedby="wrong" autofocus' : "";
  const alert = isWrong ? `\n<p class="wrong" id="wrong" role="alert">${escapeHtml(wrong)}</p>` : "";
  const body = `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(hint)}</p>
<form method="post">
<label for="password">${escapeHtml(label)}</label>
<input id="password" name="password" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" required${attributes}>${alert}
<button>${escapeHtml(texts.openLink)}</button>
</form>`;
  return renderPlate({
    title: escapeHtml(isWrong ? wrongTitle : title),
    body,
    texts,
    report,
    css: FORM_CSS + FIELD_CSS,
  });
}
