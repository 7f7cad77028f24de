// Pure: no I/O, clock or randomness.
/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { guessLanguage, isRightToLeft } from "../pages/page-language.ts";
import type { HtmlDocument } from "../pages/plate.ts";
import { SIGNPOST_MARK } from "../pages/signpost-art.ts";
import { getChromeTexts } from "./chrome-texts.ts";
import { isLive } from "./live.ts";
import { findNetwork } from "./networks.ts";
import { buildPageUrl, type ContentLink, type PageContent, type RenderedPage } from "./page-content.ts";
import { buildPalettes } from "./palette.ts";
import { buildStyleSheet } from "./style-sheet.ts";
import { getTheme } from "./theme-registry.ts";
import { measureLongestWord } from "./words.ts";

/**
 * Renders a public bio page. JSX escapes all values from the owner. The dashboard also renders its preview
 * with this function; the `@jsxImportSource` pragma makes the dashboard's build use Hono's JSX for this file.
 */
export function renderPage(page: RenderedPage, settings: { bioUrl: string }, nowMs: number): HtmlDocument {
  const { pageData: data, title, description } = page;
  const lang = data.lang ?? guessLanguage(title);
  const texts = getChromeTexts(lang);
  const theme = getTheme(data.theme);
  const schemes = buildPalettes(theme, data.style);
  const css = buildStyleSheet(theme, schemes, data.style ?? {}, {
    longestWord: measureLongestWord(title),
    hasLanguage: data.lang !== undefined,
  });
  const sections = groupIntoSections(data.links ?? [], nowMs);
  const head = <PageHead page={page} address={buildPageUrl(settings, page.slug)} />;
  const body = (
    <>
      <main {...(hasManyLinks(sections) && { class: "many" })}>
        <header>
          <Avatar data={data} title={title} />
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {description.trim() !== "" && (
            <p class="about">
              <bdi>{description}</bdi>
            </p>
          )}
          <Socials data={data} label={texts.socials} />
        </header>
        <Links slug={page.slug} sections={sections} label={texts.links} />
      </main>
      {!page.isAdFree && (
        <footer class="made" lang={texts.tag}>
          <Icon path={SIGNPOST_MARK} />
          {texts.madeWith}
        </footer>
      )}
    </>
  );
  const themeColourTags = schemes.map(({ isDark, grounds }) => (
    <meta
      name="theme-color"
      content={grounds[0]}
      {...(schemes.length > 1 && { media: `(prefers-color-scheme: ${isDark ? "dark" : "light"})` })}
    />
  ));
  return { html: renderDocument({ css, lang, head: [head, themeColourTags], body }), css, language: lang };
}

function renderDocument({ css, lang, head, body }: { css: string; lang: string; head: Child; body: Child }) {
  const html = (
    <html lang={lang} {...(isRightToLeft(lang) && { dir: "rtl" })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {head}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>{body}</body>
    </html>
  );
  return `<!doctype html>${html}`;
}

function PageHead({ page, address }: { page: RenderedPage; address: string }) {
  const { avatar_url, seo = {} } = page.pageData;
  const title = seo.title ?? page.title;
  const description = seo.description ?? page.description;
  const image = seo.image_url ?? avatar_url;
  return (
    <>
      <title>{title}</title>
      {description !== "" && <meta name="description" content={description} />}
      <link rel="canonical" href={address} />
      {seo.noindex === true && <meta name="robots" content="noindex" />}
      <meta property="og:type" content="profile" />
      <meta property="og:url" content={address} />
      <meta property="og:title" content={title} />
      {description !== "" && <meta property="og:description" content={description} />}
      {image !== undefined && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={seo.image_url === undefined ? "summary" : "summary_large_image"} />
      {avatar_url !== undefined && <link rel="icon" href={avatar_url} />}
    </>
  );
}

function Avatar({ data, title }: { data: PageContent; title: string }) {
  if (data.avatar_url === undefined) {
    return (
      <span class="avatar initial" aria-hidden="true">
        {getInitial(title)}
      </span>
    );
  }
  return (
    <img
      class="avatar"
      src={data.avatar_url}
      alt={data.avatar_alt ?? ""}
      width="104"
      height="104"
      referrerpolicy="no-referrer"
    />
  );
}

/** Returns the first grapheme cluster (UAX #29) in upper case, such as an emoji of several code points. */
function getInitial(title: string): string {
  const [first] = new Intl.Segmenter().segment(title.trim());
  return (first?.segment ?? "").toUpperCase();
}

function Socials({ data: { socials = [] }, label }: { data: PageContent; label: string }) {
  if (socials.length === 0) return null;
  return (
    <nav aria-label={label}>
      <ul class="socials">
        {socials.map(({ network, url }) => {
          const { name, icon } = findNetwork(network);
          return (
            <li>
              <a href={url} rel="me noopener" aria-label={name} title={name}>
                <Icon path={icon} />
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** Minimum number of links that wide screens show in two columns. */
const MANY_LINKS = 8;

function hasManyLinks(sections: readonly Section[]): boolean {
  return sections.reduce((count, { links }) => count + links.length, 0) >= MANY_LINKS;
}

/** Heading with the links below it. The heading is null for links before the first heading. */
interface Section {
  heading: string | null;
  links: { link: ContentLink; index: number }[];
}

function Links({ slug, sections, label }: { slug: string; sections: readonly Section[]; label: string }) {
  if (sections.length === 0) return null;
  return (
    <nav class="links" aria-label={label}>
      {sections.map(({ heading, links }) => (
        <>
          {heading !== null && (
            <h2>
              <bdi>{heading}</bdi>
            </h2>
          )}
          {links.length > 0 && (
            <ul>
              {links.map(({ link, index }) => (
                <li>
                  <a
                    class={link.highlight === true ? "link strong" : "link"}
                    href={`/${slug}/l/${index}`}
                    rel="nofollow"
                  >
                    <bdi>{link.label}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </>
      ))}
    </nav>
  );
}

/** Groups the currently shown links by heading. `index` is the position among all links of the page. */
function groupIntoSections(all: readonly ContentLink[], nowMs: number): Section[] {
  const sections: Section[] = [];
  for (const [index, link] of all.entries()) {
    if (!isLive(link, nowMs)) continue;
    if (link.type === "heading") sections.push({ heading: link.label, links: [] });
    else {
      if (sections.length === 0) sections.push({ heading: null, links: [] });
      sections.at(-1)?.links.push({ link, index });
    }
  }
  return sections;
}
