import { BROWSERS, CONTINENTS, DEVICES, OPERATING_SYSTEMS } from "../../routing/rules.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const firstLink: Guide = {
  id: "first-link",
  title: "Your first link",
  Body: ({ apiUrl }) => (
    <>
      <P>
        You need an API key. `npm run dev` prints a key for the demo workspace. On a deployment, `npm run
        admin -- key create --workspace …` creates one. Keep it in a variable:
      </P>
      <Code title="Shell">{`export KEY=svc_pk_…

curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://example.com/sale","custom_slug":"sale"}'`}</Code>
      <P>
        From now on, the URL in `data.short_url` of the response redirects (302) to `url`. Without
        `custom_slug`, the short code is seven random letters and digits. `data.scan_count` increases with
        each visit. Visits of crawlers, link previews and prefetches are counted apart, in analytics.
      </P>
      <P>
        You can change the destination at any time: `PATCH /v1/links/{"{link_id}"}` with a new `url`. Printed
        codes stay valid. Changes take effect everywhere within 35 seconds. After {'`{"enabled": false}`'}, or
        once `expires_at` is past, the short URL returns 410. Its error page, like that of an unknown address,
        names the workspace. Clients that accept `application/json` but not `text/html` get JSON. After 60
        unknown codes within 10 seconds, further codes that are not in use nearby return 429 with
        `Retry-After` to that address.
      </P>
      <ul>
        <Item>
          A destination is an http or https URL without a user name or password. Published bio pages and files
          of this service are welcome. Its short URLs and the click addresses of its bio pages are not,
          because they could cause a redirect loop.
        </Item>
        <Item>Responses name the URL `destination`. Requests accept `destination` as well as `url`.</Item>
        <Item>
          Up to ten `labels` organise links; `GET /v1/links?label=print` lists those with a label. `search`
          finds links by part of the code, of the title or of the first 1,024 characters of the destination; A
          to Z match in either case. Searches of one or two characters only match the start of a short code.
        </Item>
        <Item>
          `title` and `note` are only visible to your team. After {'`{"archived": true}`'}, lists leave a link
          out unless `archived=true` or `archived=all` asks for it; it still redirects.
        </Item>
        <Item>
          `domain`, `created_after` and `created_before` filter lists too. `sort=scan_count` and
          `sort=last_scan_at` sort in descending order. Across pages, counts are grouped in steps of 25
          percent and last scans by UTC day; within a page, the order is exact. Continue a list with its
          `meta.next_before`.
        </Item>
        <Item>
          `POST /v1/links/bulk` creates up to 100 links, and `PATCH /v1/links/bulk/status` enables or disables
          up to 200. `GET /v1/links/export` returns all links as CSV. These need the pro plan or above.
        </Item>
      </ul>
    </>
  ),
};

export const schedules: Guide = {
  id: "schedules",
  title: "Schedules and query parameters",
  Body: ({ apiUrl }) => (
    <>
      <P>
        A link can have a start and an expiry time, and a destination for before and after. Visits to those
        destinations are not counted as scans.
      </P>
      <Code title="A campaign in May">{`curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "url": "https://example.com/campaign?ref=short",
    "starts_at": "2027-05-01T00:00:00Z",
    "early_url": "https://example.com/soon",
    "expires_at": "2027-06-01T00:00:00Z",
    "expired_url": "https://example.com/over",
    "forward_query": true
  }'`}</Code>
      <Table
        head={["Link", "Visitors get"]}
        rows={[
          ["Disabled", "`expired_url`, else 410"],
          ["Before `starts_at`", "`early_url`, else 404 as for an unknown address"],
          ["From `expires_at`", "`expired_url`, else 410"],
          ["Otherwise", "the destination that its rules choose, or 451 if a rule blocks them"],
        ]}
      />
      <P>
        With `forward_query`, the parameters of the short URL are added to the destination, before its
        fragment. If both contain the same parameter, the visitor's value wins. Everything else stays as it is
        written. `pw` is never forwarded. If the resulting URL would exceed 8,192 characters, nothing is
        forwarded. Analytics and webhooks have the destination without them. `expired_url` needs the pro plan
        or above.
      </P>
      <P>
        An imported link can keep its original `created_at`, which determines its position in lists, and its
        previous scan count as `imported_scans`. `scan_count` never includes them.
      </P>
    </>
  ),
};

export const routingRules: Guide = {
  id: "routing-rules",
  title: "Routing rules",
  Body: ({ apiUrl }) => (
    <>
      <P>
        `routing_rules` send some visitors to other destinations. The first rule that matches decides. If no
        rule matches, the visitor goes to the link's `url`. A rule matches if every key of `when` matches, and
        a key matches if any of its values does.
      </P>
      <Code title="iPhones in North America, and a tenth of all others">{`curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "url": "https://example.com/",
    "routing_rules": [
      {"name": "app",
       "when": {"country": ["US", "CA"], "os": ["ios"]},
       "destination": "https://example.com/ios"},
      {"name": "new page",
       "when": {"percent": 10},
       "destination": "https://example.com/new"}
    ]
  }'`}</Code>
      <Table
        head={["Key of `when`", "Values"]}
        rows={[
          ["`country`", "ISO 3166-1 codes: `CA`"],
          ["`continent`", CONTINENTS.join(", ")],
          ["`region`", "ISO 3166-2 codes: `US-CA`"],
          ["`device`", DEVICES.join(", ")],
          ["`os`", OPERATING_SYSTEMS.join(", ")],
          ["`browser`", BROWSERS.join(", ")],
          ["`language`", "BCP 47 tags: `fr` also matches `fr-CA`"],
          [
            "`query`",
            'Parameters of the short URL: `{"utm_source": ["mail"], "beta": true}`; `true` matches any value',
          ],
          ["`after`, `before`", "A date-time; `after` is inclusive, `before` is exclusive"],
          ["`percent`", "1 to 99, the share of visitors; a visitor always gets the same result"],
        ]}
      />
      <P>
        Shares of different rules are independent: if two rules have 50 percent, the second gets half of the
        visitors that the first did not match. A missing value, such as an unknown country, matches no rule.
      </P>
      <P>
        Instead of `destination`, a rule has {'`"block": true`'} to refuse its visitors with 451, or `split`
        to divide them. The shares of a split have at most 100 percent together; the rest goes to the next
        rule. A visitor, identified by IP address and user agent, always gets the same variant. Analytics name
        a share by its `name`, else by its rule and number (`#1/2`).
      </P>
      <Code title="Two pages, half of the visitors each">{`"routing_rules": [
  {"split": [
    {"name": "A", "destination": "https://example.com/a", "percent": 50},
    {"name": "B", "destination": "https://example.com/b", "percent": 50}
  ]}
]`}</Code>
      <P>
        `POST /v1/links/{"{link_id}"}/resolve` explains what a visitor gets: describe one, for example
        {' `{"country": "CA", "os": "ios"}`'}, and the response has the status, the destination, and for each
        rule the first condition that failed with the value seen. It uses the same logic as the redirect and
        counts no scan.
      </P>
      <P>
        When running locally, the visitor's country is unknown. Send Cloudflare's header to test a rule: `curl
        -i -H 'CF-IPCountry: CA' …`.
      </P>
      <P>
        A link has at most 20 rules, and they have at most 16 KiB as JSON. Repeated values of a key are kept
        once. Only a visitor's first 20 languages are considered. Rules with conditions need the business plan
        or above, splits of all visitors the pro plan.
      </P>
    </>
  ),
};
