// Pure: no I/O, clock or randomness.
import { type HtmlDocument, renderPlate } from "./plate.ts";

const TITLE = "This link is password protected";

const CSS = `
form { width: 100%; max-width: 22rem; margin-top: 1.5rem; text-align: start }
label { display: block; font-weight: 600 }
input, button { width: 100%; min-height: 3rem; border-radius: .75rem; font: inherit }
input { margin-top: .375rem; padding: 0 .875rem; border: 2px solid var(--muted); background: var(--surface); color: var(--text) }
button { margin-top: .875rem; border: 2px solid transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.wrong { margin-top: .5rem; color: var(--text); font-weight: 600; text-align: start }
`.replace(/\n\s*/g, "");

const WRONG = `
<p class="wrong" id="wrong" role="alert">Incorrect password. Check it and try again.</p>`;

/**
 * Renders the form for a link's password. It works without scripts and reveals nothing about the link. After
 * a wrong password (`isWrong`), the field gets the focus, so that screen readers announce the message.
 */
export function renderPasswordDocument(isWrong: boolean, report: string | null = null): HtmlDocument {
  const attributes = isWrong ? ' aria-invalid="true" aria-describedby="wrong" autofocus' : "";
  const body = `<h1>${TITLE}</h1>
<p>If you don't have the password, ask the person who shared this link.</p>
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" required${attributes}>${
    isWrong ? WRONG : ""
  }
<button>Open link</button>
</form>`;
  return renderPlate({ title: isWrong ? `Incorrect password: ${TITLE}` : TITLE, body, report, css: CSS });
}
