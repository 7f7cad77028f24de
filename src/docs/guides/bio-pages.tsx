import { NETWORKS } from "../../bio/networks.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";
import { LocalhostNote } from "./localhost-note.tsx";

export const bioPages: Guide = {
  id: "bio-pages",
  title: "Bio pages",
  Body: ({ apiUrl, bioUrl, cdnUrl }) => (
    <>
      <P>
        A bio page shows a person's or a product's links on one public page. You send data; the service
        renders it in one of six themes, without scripts. In the dashboard, people begin with a working
        example and see the page beside the form. A new page is unpublished:
      </P>
      <Code title="1. Create">{`curl -X POST ${apiUrl}/v1/bio/pages \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "title": "Jane Doe",
    "description": "Illustrator in Malmö",
    "page_data": {
      "theme": "paper",
      "links": [
        {"label": "My new book", "url": "https://example.com/book", "highlight": true},
        {"label": "Workshops", "type": "heading"},
        {"label": "Linocut, 14 March", "url": "https://example.com/linocut",
         "ends_at": "2027-03-14T09:00:00Z"},
        {"label": "Write to me", "url": "mailto:jane@example.com"}
      ],
      "socials": [{"network": "instagram", "url": "https://instagram.com/jane"}]
    }
  }'`}</Code>
      <Code title="2. Publish">{`curl -X POST ${apiUrl}/v1/bio/pages/$PAGE_ID/publish -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        `data.html_url` is now public. Its path is the `slug` of the request that created the page: 1 to 60
        lower-case letters, digits and hyphens. All workspaces share the host, so the slug of another page is
        409 `SLUG_TAKEN`. Without a `slug`, it is derived from the title, in Latin letters whatever the
        script: `Αθήνα` becomes `athina`. Chinese characters are left out. A random suffix is added if that
        slug is taken or empty. A slug never changes.
      </P>
      <Code title="3. Change">{`curl -X PATCH ${apiUrl}/v1/bio/pages/$PAGE_ID \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"page_data_patch": {"theme": "ink", "avatar_url": null, "style": {"button": "outline"}}}'`}</Code>
      <P>
        This sets the theme and the button, removes the avatar and keeps everything else. The change is
        visible on the next request.
      </P>
      <Table
        head={["Field of PATCH", "Effect on the content"]}
        rows={[
          [
            "`page_data`",
            "Replaces all of it. What is not in the request is gone. Use it if you keep the content yourself",
          ],
          [
            "`page_data_patch`",
            "Changes parts of it (JSON Merge Patch, RFC 7396): objects are merged, `null` removes a field, and arrays such as `links` are replaced as a whole. Parallel patches of different parts are all kept",
          ],
        ]}
      />
      <P>
        A request has one of the two. Fields that are not known are kept, so that you can store your own, but
        a page does not show them. `meta.warnings` of the response names them, and unknown themes too:
      </P>
      <Code title="Part of a response">{`"warnings": [
  "page_data.avatr_url is not a known field: it is kept, but has no effect; did you mean \`avatar_url\`?"
]`}</Code>
      <Table
        head={["`theme`", "Look"]}
        rows={[
          ["`auto`", "The default: quiet cards, light or dark as the visitor prefers"],
          ["`paper`", "A serif typeface, numerals and dotted leaders, like a table of contents"],
          ["`ink`", "Pen strokes on midnight blue, the same for every visitor"],
          ["`sunrise`", "Sun and hills; dusk for visitors who prefer dark"],
          ["`mono`", "A monospaced typeface and hard shadows"],
          ["`contrast`", "Large print in black, white and yellow"],
        ]}
      />
      <ul>
        <Item>
          `style` changes a theme: `accent`, `background` and `text` are colours, `button` is `solid`,
          `outline` or `soft`, `radius` is `none`, `md` or `full`. The service picks readable colours for
          those that you leave out. It rejects a `text` colour whose contrast with the background is below 4.5
          (WCAG 2.2).
        </Item>
        <Item>
          With your own `background`, a page looks the same in light and dark. With your own `text` colour
          alone, it uses only the scheme in which that text is readable.
        </Item>
        <Item>
          `lang` is the language of the page as a BCP 47 tag such as `pt-BR`. Pages in Arabic, Hebrew, Persian
          and other such languages run from right to left. Long words are hyphenated by the rules of the
          language.
        </Item>
        <Item>From 8 links on, a screen of at least 800 pixels shows them in two columns, row by row.</Item>
        <Item>
          A link with `starts_at` or `ends_at` is visible only in that time, and one with{" "}
          {'`"enabled": false`'} never.
        </Item>
        <Item>
          `avatar_url` is the URL of an image, such as the `public_url` of an asset. A transparent one gets
          neither a background nor a ring. `seo` contains the title, the description and the image for search
          engines and link previews.
        </Item>
        <Item>
          Links lead through `{"{html_url}"}/l/{"{index}"}`, which counts clicks in `click_count`.
          `view_count` counts views. Both are of people; analytics also tells of crawlers, link previews and
          prefetches.
        </Item>
      </ul>
      <p>
        Social networks with an icon:{" "}
        {Object.entries(NETWORKS)
          .flatMap(([key, { name }]) => (key === "website" ? [] : [name]))
          .join(", ")}
        . Any other network gets a globe. Most icons are from{" "}
        <a href="https://simpleicons.org">Simple Icons</a> (CC0).
      </p>
      <LocalhostNote bioUrl={bioUrl} cdnUrl={cdnUrl} />
    </>
  ),
};
