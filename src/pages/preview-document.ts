// Pure: no I/O, clock or randomness.
import { guessLanguage, isRightToLeft } from "./page-language.ts";
import { escapeHtml } from "./plate.ts";

/** Texts and image of a link preview. */
export interface PreviewTexts {
  title: string | null;
  description: string | null;
  image_url: string | null;
}

/**
 * Renders the page for services that fetch link previews: Open Graph tags (https://ogp.me/), and the card
 * type for X (https://developer.x.com/en/docs/x-for-websites/cards/overview/markup). `address` is the short
 * URL, which previews show and link to.
 */
export function renderPreviewDocument(
  { title, description, image_url: imageUrl }: PreviewTexts,
  address: string,
): string {
  const tags = [
    ["property", "og:type", "website"],
    ["property", "og:url", address],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["name", "description", description],
    ["property", "og:image", imageUrl],
    ["name", "twitter:card", imageUrl === null ? "summary" : "summary_large_image"],
  ] as const;
  const metas = tags.flatMap(([attribute, name, content]) =>
    content === null ? [] : [`<meta ${attribute}="${name}" content="${escapeHtml(content)}">`],
  );
  const heading = escapeHtml(title ?? address);
  const language = guessLanguage(`${title ?? ""} ${description ?? ""}`);
  return `<!doctype html>
<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>${heading}</title>
${metas.join("\n")}
</head>
<body>
<h1>${heading}</h1>
${description === null ? "" : `<p>${escapeHtml(description)}</p>\n`}</body>
</html>
`;
}
