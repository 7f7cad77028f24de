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
        codes stay valid. A change is visible everywhere within 35 seconds. After {'`{"enabled": false}`'}, or
        once `expires_at` is past, the short URL returns 410. Its error page, like that of an unknown address,
        names the workspace. Clients that accept `application/json` but not `text/html` get JSON. After 60
        unknown codes within 10 seconds, further codes that are not in use nearby return 429 with
        `Retry-After` to that address.
      </P>
      <ul>
        <Item>
          A destination is an http or https URL without a user name or password. Published bio pages and files
          of this service are welcome. Its short URLs and the click addresses of its bio pages are not,
          because they could redirect in a circle.
        </Item>
        <Item>Responses name the URL `destination`. Requests accept `destination` as well as `url`.</Item>
        <Item>
          Up to ten `labels` organise links; `GET /v1/links?label=print` lists those with a label. `search`
          finds links by part of the code or of the first 1,024 characters of the destination; A to Z match in
          either case. One or two characters are found at the start of a code.
        </Item>
        <Item>
          `POST /v1/links/bulk` creates up to 100 links, and `PATCH /v1/links/bulk/status` enables or disables
          up to 200. `GET /v1/links/export` returns all links as CSV. These need the pro plan or above.
        </Item>
      </ul>
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
        A local start does not know the country of a visitor. Send Cloudflare's header to test a rule: `curl
        -i -H 'CF-IPCountry: CA' …`.
      </P>
      <P>
        A link has at most 20 rules, and they have at most 16 KiB as JSON. Repeated values of a key are kept
        once. Of a visitor's languages, the first 20 count. Rules need the business plan or above.
      </P>
    </>
  ),
};
