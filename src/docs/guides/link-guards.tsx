import { OTHER_FETCHERS, PREVIEW_FETCHERS } from "../../routing/preview-fetchers.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const linkGuards: Guide = {
  id: "link-guards",
  title: "Limits, passwords, buttons and previews",
  Body: ({ apiUrl }) => (
    <>
      <P>
        You can limit how often a link is opened, protect it with a password, ask visitors to press a button,
        and set your own link preview. All fields but `confirm` require the pro plan or higher. Set a field to
        `null` to remove it.
      </P>
      <Code title="A link for the first 100 visitors with the password">{`curl -X POST ${apiUrl}/v1/links \\
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
          The limit applies to all scans over the lifetime of the link. If a link already has 40 scans and you
          set `"max_scans": 100`, 60 scans are left. To allow 50 more scans later, set `max_scans` to
          `scan_count` plus 50. `scan_count` is updated within seconds, so it can be slightly behind.
        </Item>
        <Item>
          Bots, link previews, prefetches and HEAD requests don't count towards the limit. They get a page
          that asks to open the link in a browser (200) and does not contain the destination.
        </Item>
        <Item>
          Known browsers are redirected directly. Security scanners of mail and chat services, HTTP libraries
          and other programs get the page with a button that `confirm` shows, so opening the link in a message
          uses up no scan.
        </Item>
        <Item>
          A scan is used when the visitor is redirected, even if they disconnect at that moment. If the number
          of remaining scans cannot be determined, the response is 503 with `Retry-After`, and visitors are
          not redirected.
        </Item>
        <Item>A new limit takes effect immediately where it was set, and everywhere within 35 seconds.</Item>
      </ul>
      <P>
        `"confirm": true` shows every visitor except link previews a page with a button (200), which works
        without JavaScript. Only pressing the button, a POST to the short URL, redirects (303) and counts as a
        scan by a person. If `Accept` prefers JSON, the response is 403 `CONFIRMATION_REQUIRED` instead. Forms
        that pages of other sites send show the page again. A correct password also confirms.
      </P>
      <P>
        `password` has 4 to 128 characters. It is stored as a hash and never returned; `has_password` is true
        if a link has a password. Visitors get a form, which works without JavaScript. From a program, send
        the field `password` as `application/x-www-form-urlencoded` to the short URL:
      </P>
      <Code title="Shell">{`curl -i "$SHORT_URL" --data-urlencode 'password=open sesame'`}</Code>
      <ul>
        <Item>
          The correct password redirects the visitor (303), counts as a scan and sets a cookie, so that the
          visitor is not asked again for an hour. The cookie is only valid for this link and password: after a
          change, everyone is asked again.
        </Item>
        <Item>
          An incorrect password returns the form with 403. Per link and minute, 10 incorrect passwords from
          one browser or program, 30 from one network (an IPv4 address or IPv6 /64), 60 from an IPv6 /48 and
          100 in all are possible. Then the response is 429 with `Retry-After`. Beyond the 100, every network
          still has three tries, up to 300 for an IPv6 /32 and 1,000 in all. Correct passwords are limited
          too: 40 at once and 2 per second for one browser or program, 120 at once and 6 per second for its
          network.
        </Item>
        <Item>
          Forms that pages of other sites send are rejected (403 `ORIGIN_MISMATCH`). If the service uses
          https, links with a password, a scan limit or a preview redirect plain http to https first.
        </Item>
        <Item>
          The form reveals nothing about the link. A link that has expired, is disabled or has not started
          responds accordingly without asking for the password. Rules are applied and scans are counted after
          the password is entered.
        </Item>
      </ul>
      <P>
        `preview` is shown in chats and on social networks instead of the destination's own preview. It has a
        `title` of up to 120 characters and, optionally, a `description` of up to 240 characters and the URL
        of an image. Apps that fetch link previews get it as a page with Open Graph tags (200), which may be
        cached for 30 seconds. Everyone else is redirected. Previews do not count towards the scan limit. They
        are also shown for links with a password, without asking for it. These apps are recognised by their
        `User-Agent`:
      </P>
      <Table head={["Fetcher", "Source"]} rows={listBySource()} />
      <P>
        People who open the link in a browser inside such an app are redirected. These programs get no
        preview, although they are often listed with the ones above:
      </P>
      <Table
        head={["Why no preview", "`User-Agent` contains"]}
        rows={OTHER_FETCHERS.map(({ reason, names }) => [reason, names.join(", ")])}
      />
    </>
  ),
};

/** Lists the fetchers of each source in one row, because most come from the same list. */
function listBySource(): string[][] {
  const bySource = Object.groupBy(PREVIEW_FETCHERS, ({ source }) => source);
  return Object.entries(bySource).map(([source, fetchers = []]) => [
    fetchers.map(({ name }) => name).join(", "),
    source,
  ]);
}
