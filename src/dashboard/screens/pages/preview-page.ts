// Pure: no I/O, clock or randomness.
import { renderPage } from "../../../bio/bio-page.tsx";
import type { PageContent, RenderedPage } from "../../../bio/page-content.ts";
import { buildPalettes } from "../../../bio/palette.ts";
import { getTheme } from "../../../bio/theme-registry.ts";
import type { PageStyle } from "../../../bio/theme-types.ts";
import { isHexColour } from "../../../core/colour.ts";
import { hasFeature, type PlanName } from "../../../tenant/plans.ts";

/** Renders previews with the server's renderer. Import it lazily: it contains all icons and themes. */

/** Page to preview: a saved one, or the current state of a form. */
export interface PreviewPage {
  slug: string;
  title: string;
  description: string;
  page_data: PageContent;
}

/** HTML and style sheet of a page. */
export interface Preview {
  html: string;
  css: string;
  /**
   * Number of colour schemes: 2 if the page follows the visitor's preference for light or dark, otherwise 1.
   */
  schemes: number;
}

interface PreviewOptions {
  /** Base URL of bio pages, without a trailing slash. */
  bioUrl: string;
  plan: PlanName;
  nowMs: number;
}

/** Renders a page as the server does. Values that are incomplete are left out until they are valid. */
export function renderPreview(page: PreviewPage, { bioUrl, plan, nowMs }: PreviewOptions): Preview {
  const { slug, title, description, page_data } = page;
  const pageData = takeShown(page_data);
  const isAdFree = hasFeature(plan, "adFree");
  const rendered: RenderedPage = { slug, title, description, pageData, isAdFree };
  const { html, css } = renderPage(rendered, { bioUrl }, nowMs);
  return { html, css, schemes: buildPalettes(getTheme(pageData.theme), pageData.style).length };
}

/** Removes values that the API would reject, because the renderer only supports valid ones. */
function takeShown(data: PageContent): PageContent {
  const { avatar_url: avatar, lang, style } = data;
  const isLanguage = lang === undefined || /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(lang);
  return {
    ...data,
    lang: isLanguage ? lang : undefined,
    avatar_url: avatar !== undefined && isAddress(avatar) ? avatar : undefined,
    style: style && takeStyle(data.theme, style),
  };
}

function takeStyle(theme: string | undefined, style: PageStyle): PageStyle {
  const colours = { accent: style.accent, background: style.background, text: style.text };
  const valid = Object.fromEntries(
    Object.entries(colours).filter(([, colour]) => colour !== undefined && isHexColour(colour)),
  );
  const taken = { ...style, accent: undefined, background: undefined, text: undefined, ...valid };
  return buildPalettes(getTheme(theme), taken).length > 0 ? taken : { ...taken, text: undefined };
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
