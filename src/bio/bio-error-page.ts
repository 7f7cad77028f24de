import { renderErrorDocument } from "../pages/error-document.ts";
import type { HtmlDocument } from "../pages/plate.ts";
import type { VisitorTexts } from "../pages/texts/visitor-texts.ts";
import { loadVisitorTexts } from "../pages/visitor-language.ts";

export type ErrorPageStatus = keyof VisitorTexts["page"];

/** Renders the error page for a status. `report` is the URI for reporting the page. */
export async function renderErrorPage(
  status: ErrorPageStatus,
  request: Request,
  report: string | null,
): Promise<HtmlDocument> {
  const texts = await loadVisitorTexts(request);
  return renderErrorDocument(texts.page[status], { texts, report });
}
