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
        From now on, the short URL in `data.short_url` of the response redirects (302) to `url`. Without
        `custom_slug`, the short code is seven random letters and digits. `data.scan_count` increases with
        each scan. Visits by bots, link previews and prefetches are counted separately, in analytics.
      </P>
      <P>
        You can change the destination at any time: `PATCH /v1/links/{"{link_id}"}` with a new `url`. Printed
        QR codes keep working. Changes take effect everywhere within 35 seconds. After{" "}
        {'`{"enabled": false}`'}, or after `expires_at`, the short URL returns 410. The error pages for 404
        and 410 show the name of the workspace. Pages that visitors see are in their language, if it is one of
        thirteen. Clients that accept `application/json` but not `text/html` get JSON. From an IP address that
        requests more than 60 unknown short codes within 10 seconds, each browser or program can try two more
        per second. Beyond that, short codes that were not recently opened nearby return 429 with
        `Retry-After`.
      </P>
      <P>
        To keep codes that are already printed, give a link `aliases`: up to 20 further paths, such as
        `["menu/2024", "_Q"]`. They are text, not percent-encoded, and match exactly. `PATCH` with a new
        `custom_slug` renames a link. The old short code becomes an alias that matches in any case, unless the
        body has {'`"keep_old_code": false`'}.
      </P>
      <P>
        `DELETE` moves a link to the trash, which `GET /v1/links?deleted=true` lists. It stops redirecting
        immediately, and your other links can use its paths. For 30 days,{" "}
        {"`POST /v1/links/{link_id}/restore`"} brings it back with its scans and its history. If its short
        code is taken by then, the response is 409 `SLUG_TAKEN`, and the body can have another `custom_slug`.
        `DELETE` with `permanent=true` erases a link immediately. Bio pages and QR templates work the same
        way. The trash keeps up to 10,000 items of each kind; the oldest are erased first.
      </P>
      <ul>
        <Item>
          A destination is an http or https URL without a user name or password. It can be a published bio
          page or file of this service, but not a short URL or the click URL of a bio page, because they could
          cause a redirect loop.
        </Item>
        <Item>
          Responses contain the URL as `destination`. Requests accept `destination` as well as `url`.
        </Item>
        <Item>
          Use up to ten `labels` to organise links; `GET /v1/links?label=print` lists the links with a label.
          `search` finds links by a part of the short code, the title or the first 1,024 characters of the
          destination. The letters A to Z are not case-sensitive. One or two letters A to Z, digits or hyphens
          only match the start of a short code. With one or two other characters, such as 日本, a page
          examines 700 links; continue with `before`.
        </Item>
        <Item>
          `title` and `note` are only visible to your team. After {'`{"archived": true}`'}, lists omit a link
          unless you set `archived=true` or `archived=all`; it still redirects.
        </Item>
        <Item>
          You can also filter lists by `domain`, `created_after` and `created_before`. `sort=scan_count` and
          `sort=last_scan_at` sort lists in descending order. Across pages, counts are grouped in steps of 25
          percent and last scans by UTC day; within a page, the order is exact. Continue a list with its
          `meta.next_before`.
        </Item>
        <Item>
          To keep links in step with your own system, call {"`PUT /v1/links/external/{external_id}`"} with an
          ID of your own. It creates the link, or changes the fields that you send. You can repeat it, and
          parallel calls create one link. `GET /v1/links?external_id=order-4711` finds the link.
        </Item>
        <Item>
          `POST /v1/links/bulk` creates up to 100 links, `PATCH /v1/links/bulk` changes up to 100, each in its
          own way, and `PATCH /v1/links/bulk/status` enables or disables up to 200. `GET /v1/links/export`
          returns all links as CSV. These require the pro plan or higher.
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
          ["Before `starts_at`", "`early_url`, else 404 as for an unknown short code"],
          ["From `expires_at`", "`expired_url`, else 410"],
          ["Otherwise", "the destination selected by its rules, or 451 if a rule blocks them"],
        ]}
      />
      <P>
        With `forward_query`, the parameters of the short URL are added to the destination, before its
        fragment. If both contain the same parameter, the visitor's value wins. The rest of the destination is
        not changed. `pw` is never forwarded. If the resulting URL would exceed 8,192 characters, nothing is
        forwarded. Analytics and webhooks contain the destination without forwarded parameters. `expired_url`
        requires the pro plan or higher.
      </P>
      <P>
        From the pro plan on, the service checks the `destination` of links that were scanned in the last
        week, about once a day. A check fails with 404, 410, a 5xx, a timeout of 10 seconds, or if there is no
        connection, for example because of DNS or TLS. After a failure, the destination is checked again after
        one hour and then after six hours. The third failure in a row sets `destination_status` to `broken`
        and sends `link.broken`; the next success sets it to `ok` and sends `link.recovered`.
      </P>
      <Code title="Links with a broken destination">{`curl "${apiUrl}/v1/links?destination_status=broken" \
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        A check is a HEAD request and, unless that succeeds, a GET, with the user agent
        `Signpost-Link-Check/1.0 (bot)`. A host gets at most one request per second. Up to five redirects are
        followed. Other errors, such as 403, count as working. Only https URLs on public hosts are checked;
        destinations of rules are not. For links that are not checked, `destination_status` is null.
      </P>
      <P>
        An imported link can keep its original `created_at`, which determines its position in lists, and its
        previous scan count as `imported_scans`. `scan_count` never includes them. A `created_at` up to 5
        minutes in the future becomes the current time, because clocks differ.
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
        `routing_rules` send some visitors to other destinations. The first matching rule applies. If no rule
        matches, the visitor goes to the link's `url`. A rule matches if every key of `when` matches, and a
        key matches if any of its values matches.
      </P>
      <Code title="iPhones in the US and Canada, and a tenth of everyone else">{`curl -X POST ${apiUrl}/v1/links \\
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
          ["`percent`", "Percentage of visitors, 1 to 99; a visitor always gets the same result"],
        ]}
      />
      <P>
        Percentages of different rules are independent: if two rules have 50 percent, the second gets half of
        the visitors that the first did not match. A condition never matches an unknown value, such as an
        unknown country.
      </P>
      <P>
        Instead of `destination`, a rule can have {'`"block": true`'}, which returns 451 to its visitors, or
        `split`, which divides them between variants. The percentages of a split must add up to at most 100;
        the remaining visitors continue to the next rule. A visitor, identified by IP address and user agent,
        always gets the same variant. In analytics, a variant appears under its `name`, or under its rule and
        number (`#1/2`) if it has no name.
      </P>
      <Code title="A split between two pages">{`"routing_rules": [
  {"split": [
    {"name": "A", "destination": "https://example.com/a", "percent": 50},
    {"name": "B", "destination": "https://example.com/b", "percent": 50}
  ]}
]`}</Code>
      <P>
        `POST /v1/links/{"{link_id}"}/resolve` shows where a visitor would go. Describe the visitor, for
        example
        {' `{"country": "CA", "os": "ios"}`'}, and the response contains the status, the destination and, for
        each rule, the first condition that failed, with the visitor's value. It uses the same logic as the
        redirect and counts no scan.
      </P>
      <P>
        When running locally, the visitor's country is unknown. To test a rule, send Cloudflare's header
        yourself: `curl -i -H 'CF-IPCountry: CA' …`.
      </P>
      <P>
        A link can have up to 20 rules, with at most 16 KiB of JSON in total. Duplicate values of a key are
        removed. Only a visitor's first 20 languages are considered. Rules with conditions require the
        business plan or higher; splits without conditions require the pro plan or higher.
      </P>
    </>
  ),
};
