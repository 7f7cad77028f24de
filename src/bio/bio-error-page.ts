import { renderErrorDocument } from "../pages/error-document.ts";
import type { HtmlDocument } from "../pages/plate.ts";

const ERROR_PAGES = {
  404: {
    title: "There is no page here",
    text: "The address may have a typing error, or its page is not public at the moment.",
  },
  405: { title: "That does not work here", text: "A page can be read, and nothing else." },
  503: { title: "Back in a moment", text: "This page cannot be shown right now. Please try again shortly." },
} as const;

export type ErrorPageStatus = keyof typeof ERROR_PAGES;

/** Renders the error page for a status. */
export function renderErrorPage(status: ErrorPageStatus): HtmlDocument {
  return renderErrorDocument(ERROR_PAGES[status]);
}
