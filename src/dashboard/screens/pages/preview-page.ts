import { renderPage } from "../../../bio/bio-page.tsx";
import type { PageContent, RenderedPage } from "../../../bio/page-content.ts";
import { buildPalettes } from "../../../bio/palette.ts";
import { getTheme } from "../../../bio/theme-registry.ts";
import type { PageStyle } from "../../../bio/theme-types.ts";
import { isHexColour } from "../../../core/colour.ts";
import { hasFeature, type PlanName } from "../../../tenant/plans.ts";

/** Preview of a page: the HTML of the service, by its own renderer. Import it lazily, since it has all icons and themes. */

/** Page as it is shown: saved, or as it is typed. */
export interface PreviewPage {
  slug: string;
  title: string;
  description: string;
  page_data: PageContent;
}

/** Document of a page, with its style sheet. */
export interface Preview {
  html: string;
  css: string;
  /** Number of looks: 2 if visitors see the page in light or dark, as they prefer. */
  schemes: number;
}

interface PreviewOptions {
  /** URL of the host of bio pages, without a slash at its end. */
  bioUrl: string;
  plan: PlanName;
  nowMs: number;
}

/** Renders a page as the service does. What is typed only in part is left out until it is valid. */
export function renderPreview(page: PreviewPage, { bioUrl, plan, nowMs }: PreviewOptions): Preview {
  const { slug, title, description, page_data } = page;
  const pageData = takeShown(page_data);
  const isAdFree = hasFeature(plan, "adFree");
  const rendered: RenderedPage = { slug, title, description, pageData, isAdFree };
  const { html, css } = renderPage(rendered, { bioUrl }, nowMs);
  return { html, css, schemes: buildPalettes(getTheme(pageData.theme), pageData.style).length };
}

/** Leaves out what the renderer may not get, since the service would refuse it. Valid content is returned as it is. */
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
