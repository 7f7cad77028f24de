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
        A bio page shows the links of a person or product on one public page. You send the content, and
        Signpost renders it in one of six themes, without scripts. In the dashboard, you can start from a
        working example and see a preview while you edit. A new page is unpublished:
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
        `data.html_url` is now public. Its path is the `slug` from the request that created the page: 1 to 60
        lower-case letters, digits and hyphens. All workspaces share the host, so a slug that another page
        uses returns 409 `SLUG_TAKEN`. Without `slug`, it is derived from the title and written in Latin
        letters: `Αθήνα` becomes `athina`. Chinese characters are left out. If that slug is taken or empty, a
        random suffix is added. A slug cannot be changed, except when a deleted page is restored and its slug
        is taken. After a page was deleted, only your workspace can use its slug for a year.
      </P>
      <Code title="3. Change">{`curl -X PATCH ${apiUrl}/v1/bio/pages/$PAGE_ID \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"page_data_patch": {"theme": "ink", "avatar_url": null, "style": {"button": "outline"}}}'`}</Code>
      <P>
        This sets the theme and the button, removes the avatar and keeps everything else. Visitors see the
        change with their next request.
      </P>
      <Table
        head={["Field of PATCH", "Effect on the content"]}
        rows={[
          [
            "`page_data`",
            "Replaces all of it. Anything that is not in the request is removed. Use this if you store the content yourself",
          ],
          [
            "`page_data_patch`",
            "Changes parts of it (JSON Merge Patch, RFC 7396): objects are merged, `null` removes a field, and arrays such as `links` are replaced as a whole. Concurrent patches to different parts do not overwrite each other",
          ],
        ]}
      />
      <P>
        Send only one of the two. Unknown fields are stored, so you can add your own, but they are not shown
        on the page. `meta.warnings` of the response lists unknown fields and themes:
      </P>
      <Code title="Part of a response">{`"warnings": [
  "page_data.avatr_url is not a known field: it is stored, but has no effect; did you mean \`avatar_url\`?"
]`}</Code>
      <Table
        head={["`theme`", "Look"]}
        rows={[
          ["`auto`", "The default: simple cards, light or dark as the visitor prefers"],
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
          `outline` or `soft`, `radius` is `none`, `md` or `full`. Colours that you leave out are chosen so
          that the page is readable. A `text` colour with a contrast ratio below 4.5 to the background is
          rejected (WCAG 2.2).
        </Item>
        <Item>
          If you set `background`, the page looks the same in light and dark mode. If you set only `text`, the
          page uses only the mode in which that text is readable.
        </Item>
        <Item>
          `lang` is the language of the page as a BCP 47 tag such as `pt-BR`. Pages in Arabic, Hebrew, Persian
          and other such languages run from right to left. Long words are hyphenated by the rules of the
          language.
        </Item>
        <Item>
          On screens at least 800 pixels wide, 8 or more links are shown in two columns, row by row.
        </Item>
        <Item>
          A link with `starts_at` or `ends_at` is only visible within that time. A link with{" "}
          {'`"enabled": false`'} is hidden.
        </Item>
        <Item>
          `avatar_url` is the URL of an image, such as the `public_url` of an asset. A transparent image is
          shown without a background or ring. `seo` contains the title, description and image for search
          engines and link previews.
        </Item>
        <Item>
          Links go through `{"{html_url}"}/l/{"{index}"}`, which counts clicks in `click_count`. `view_count`
          counts views. Both only count people; analytics also counts bots, link previews and prefetches.
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
