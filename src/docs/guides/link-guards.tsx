import { PREVIEW_FETCHERS } from "../../routing/preview-fetchers.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const linkGuards: Guide = {
  id: "link-guards",
  title: "Limits, passwords and previews",
  Body: ({ apiUrl }) => (
    <>
      <P>
        You can limit how often a link is opened, protect it with a password, and set your own link preview.
        The pro plan and those above have these fields; `null` removes each of them.
      </P>
      <Code title="A link for the first hundred who know the password">{`curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "url": "https://example.com/tickets",
    "max_scans": 100,
    "password": "open sesame",
    "preview": {
      "title": "Tickets for friends",
      "description": "The first hundred get in.",
      "image_url": "https://example.com/tickets.png"
    }
  }'`}</Code>
      <P>
        `max_scans` is exact: no matter how many visitors arrive at once, exactly that many are redirected.
        After that, the link behaves as if it had expired.
      </P>
      <ul>
        <Item>
          Scans of people count, over the whole life of the link. One that had 40 scans when it gets
          `"max_scans": 100` has 60 left. To allow 50 more later, set `max_scans` to `scan_count` plus 50.
          `scan_count` follows within seconds, so it may be a little behind.
        </Item>
        <Item>
          Bots, link previews, prefetches and HEAD requests don't count towards the limit. They get a page
          that says to open the link in a browser (200), and do not learn its destination.
        </Item>
        <Item>
          A scan is used up when the visitor is redirected, also if they disconnect at that moment. If it
          cannot be told whether one is left, the response is 503 with `Retry-After`, and nobody is
          redirected.
        </Item>
        <Item>A new limit holds at once where it was set, and everywhere within 35 seconds.</Item>
      </ul>
      <P>
        `password` has 4 to 128 characters. It is stored as a hash and never returned; `has_password` says
        that there is one. Visitors get a form, which works without scripts. A program sends the field
        `password` as `application/x-www-form-urlencoded` to the short URL:
      </P>
      <Code title="Shell">{`curl -i "$SHORT_URL" --data-urlencode 'password=open sesame'`}</Code>
      <ul>
        <Item>
          The right password redirects (303), counts as a scan, and sets a cookie. For an hour the visitor is
          not asked again. The cookie is for this link and this password: after a change, everybody is asked.
        </Item>
        <Item>
          A wrong password returns the form with 403. After 10 wrong ones in a minute from one address (for
          all links together), or 100 for one link, the response is 429 with `Retry-After`.
        </Item>
        <Item>
          The form reveals nothing about the link. A link that has expired, is disabled or has not started
          answers so without asking. Rules are applied, and scans taken, after the password.
        </Item>
      </ul>
      <P>
        `preview` is what chats and social networks show instead of what is at the destination. It has a
        `title` of up to 120 characters, a `description` of up to 240, and the address of an image; the last
        two are optional. Fetchers of link previews get it as a page with Open Graph tags (200), which caches
        may keep for a minute. Everybody else is redirected. A preview uses up no scan, and is shown of a link
        with a password too: then it is all that they get. These are known by their `User-Agent`:
      </P>
      <Table head={["Fetcher", "Source"]} rows={PREVIEW_FETCHERS.map(({ name, source }) => [name, source])} />
    </>
  ),
};
