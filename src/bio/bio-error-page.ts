import { BANNED_TEXTS, renderErrorDocument } from "../pages/error-document.ts";
import type { HtmlDocument } from "../pages/plate.ts";

const ERROR_PAGES = {
  404: {
    title: "Page not found",
    text: "Check the URL for typos. The page may also be unpublished.",
  },
  405: { title: "Unsupported request", text: "Open this page in a browser instead." },
  429: {
    title: "Too many attempts",
    text: "Your network has requested many pages that don't exist. Wait a moment and try again.",
  },
  451: { ...BANNED_TEXTS, title: "This page has been blocked" },
  503: {
    title: "Temporarily unavailable",
    text: "This page can't be loaded right now. Try again in a moment.",
  },
} as const;

export type ErrorPageStatus = keyof typeof ERROR_PAGES;

/** Renders the error page for a status. `report` is the URI for reporting the page. */
export function renderErrorPage(status: ErrorPageStatus, report: string | null): HtmlDocument {
  return renderErrorDocument(ERROR_PAGES[status], report);
}
