import { SCANNER_NETWORKS } from "../../routing/scanners.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const analytics: Guide = {
  id: "analytics",
  title: "Analytics",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Two operations count scans: for the whole workspace, with `link_id` for one link, or with `label` for
        all links that have a label. The default range is the last 30 days and today. Days are in UTC by
        default. Set `time_zone`, for example to `Europe/Berlin`, to change that.
      </P>
      <Code title="Scans over time">{`curl "${apiUrl}/v1/analytics/timeseries?interval=day" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        `interval` is `hour`, `day`, `week` (starting on Monday) or `month`. The response contains every
        bucket of the range, including those without scans.
      </P>
      <Code title="Scans by country">{`curl "${apiUrl}/v1/analytics/breakdown?by=country" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <Table
        head={["`by`", "Value of an item"]}
        rows={[
          [
            "`link`",
            "ID of the link, with its `short_code` and `destination`, which are null if the link was deleted",
          ],
          ["`country`, `region`", "ISO 3166-1 or ISO 3166-2 code"],
          ["`device`, `os`, `browser`", "As in routing rules"],
          ["`language`", "Preferred language of the visitor, as in routing rules"],
          ["`referrer`", "Host of the page that contained the link, or `direct`"],
          ["`rule`", "Name or position (`#1`) of the routing rule that matched, or `default`"],
          ["`source`", "`qr`, `page` or `link`: see below"],
          [
            "`utm_source`, `utm_medium`, `utm_campaign`",
            "Decoded parameter of the URL that the visitor was redirected to, or `none`",
          ],
          ["`traffic`", "Traffic class: see below"],
        ]}
      />
      <P>
        You can filter both operations by every dimension except `link` and `traffic`. If you set several
        filters, only scans that match all of them are counted. A filter matches its exact value:
        `language=fr` does not include `fr-CA`.
      </P>
      <Code title="Browsers in Germany">{`curl "${apiUrl}/v1/analytics/breakdown?by=browser&country=DE" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        A label can be a campaign: `label` adds up the links that have it now, and `by=link` ranks them. An
        unknown label has no scans, and a label with more than 1,000 links returns 400. If these links have
        too much data in the range, the response is 400 too; use a shorter range.
      </P>
      <Code title="The links of a campaign">{`curl "${apiUrl}/v1/analytics/breakdown?by=link&label=spring" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        Every request that is redirected to a destination is counted in one traffic class. The default is
        `human`; set `traffic` to count another class, or `all`.
      </P>
      <Table
        head={["`traffic`", "Requests"]}
        rows={[
          ["`human`", "People, including curl, wget and HTTP libraries. These visits are the scans"],
          ["`bot`", "Bots, such as search engine crawlers"],
          ["`preview`", "Link previews, such as the ones in chat apps"],
          ["`prefetch`", "Browsers that load a page in advance"],
          ["`scanner`", "Security programs that open the links of messages and pose as browsers"],
        ]}
      />
      <P>
        The first class that applies is counted. Bots, previews and prefetches identify themselves by their
        headers. A visitor is a scanner if one of these signs applies. Scanners are redirected like everyone
        else, but links with guards may ask them to confirm.
      </P>
      <Table
        head={["Sign of a scanner", "Decision"]}
        rows={[
          [
            "Network",
            `The request comes from a network of ${listScannerVendors()}. People on a cloud PC in one of these networks count as scanners too`,
          ],
          [
            "User agent",
            "It names a security service, or is a version of Chrome for computers from before July 2019, which Microsoft Safe Links uses",
          ],
          [
            "Missing headers",
            "Over https, the user agent is a current browser's (Chromium 76, Firefox 90, Safari or iOS 16.4, or later), but neither `Sec-Fetch-Mode` nor `Sec-Fetch-Site` is sent. Browsers that load pages through their own servers, such as Opera Mini, are not judged",
          ],
          [
            "Many links at once",
            "A browser's IP address opens 8 or more links of the workspace within 10 seconds. The first 7 still count as people. Many people behind one address who open the same link stay people",
          ],
        ]}
      />
      <P>
        The lists of networks, user agents and browsers, each with its public source, are in the file
        `src/routing/scanners.ts`. They are tested with 75 browsers of the years 2024 to 2026 and 36 scanners
        from public sources. Of 24 browsers, the sources have all headers; of the others only the user agent,
        so these are tested with the `Sec-Fetch` headers that their engine is documented to send.
      </P>
      <P>
        `source` is `qr` if a compact QR code was scanned, because such a code contains the short URL in upper
        case. `page` is a button of a bio page, and `link` everything else, also QR codes that are not compact
        and aliases. Scans from before sources were counted are `link`.
      </P>
      <P>
        Beside scans, the responses contain unique visitors: `visitors` of each bucket and item, and
        `total_visitors`. A visitor is one IP address with one browser on one UTC day. On another day, the
        same person is another visitor, so weeks, months and totals are sums of days (`visitors_are: daily`).
        Visitors are people: with another `traffic` than `human`, and with `interval=hour`, they are null. In
        a time zone, a visitor counts at the first scan of the UTC day.
      </P>
      <Table
        head={["Number", "How exact it is"]}
        rows={[
          ["Scans", "Exact. If a query cannot be answered exactly from the stored data, it returns 400"],
          [
            "Scans with `scans_are: sampled`",
            "Estimates of Analytics Engine, if the service is set up with it",
          ],
          ["Visitors, up to 8,192 on a day", "Exact"],
          ["Visitors, beyond that", "Estimates with a standard error of 1.1 %; more for rare values"],
          [
            "Visitors with `label`",
            "By UTC day and in total, a visitor of several links counts once. Values, days of other time zones, and days more than 92 days ago add up the visitors of each link, as an estimate; a value has at most the total",
          ],
        ]}
      />
      <P>
        `estimated: true` stands beside each estimate and is missing where all numbers are exact. The error of
        a 400 lists the ranges and filters that are available. Scans from before visitors were counted, and
        scans whose visitor is unknown, count as one visitor each.
      </P>
      <Table
        head={["Data", "Kept for"]}
        rows={[
          ["Totals by UTC day, for the workspace and for each link", "indefinitely"],
          ["Hours, days of other time zones, values by day", "at least the last 92 days"],
          ["Values by whole month", "indefinitely"],
          ["Combinations of values, for filters and for breakdowns in a time zone", "the last 35 days"],
        ]}
      />
      <Code title="Clicks on the links of a bio page">{`curl "${apiUrl}/v1/bio/pages/$PAGE/analytics/breakdown?metric=clicks&by=link" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        Bio pages have the same two operations, with `metric=views` or `metric=clicks`. They require the scope
        `analytics:read`.
      </P>
      <ul>
        <Item>Missing values are counted as `unknown`.</Item>
        <Item>
          Up to 200 values of a dimension are counted per day, for each link and for the workspace. Further
          values are counted as `other`.
        </Item>
        <Item>Every scan is counted exactly once, within 5 seconds. HEAD requests are not counted.</Item>
        <Item>
          A filter that would match too many scans returns 400. Use a shorter range or a single link.
        </Item>
        <Item>
          Scans of a deleted link are still included in the workspace's totals and in `by=link`, under the
          link's ID. Requesting them with `link_id` returns 404.
        </Item>
        <Item>When a bio page is deleted, its counts are deleted within minutes.</Item>
        <Item>
          IP addresses are not stored. Visitors are counted with a keyed hash of address and user agent. Its
          random key is deleted within two hours after the UTC day and has no backup. From then on, it is
          impossible to find out whether an address visited.
        </Item>
      </ul>
    </>
  ),
};

export const sharedReports: Guide = {
  id: "shared-reports",
  title: "Shared reports",
  Body: ({ apiUrl, appUrl }) => (
    <>
      <P>
        A shared report is a page that shows the scans of some links to everyone who has its URL: totals, a
        chart, a ranking of the links and breakdowns. In the dashboard, choose “Share report” in the menu of a
        link or of a selection, or at a label. By API, name up to 50 links, or a label:
      </P>
      <Code title="Report on a label">{`curl ${apiUrl}/v1/reports -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "Summer campaign", "label": "summer", "range": {"days": 30}, "password": "open sesame"}'`}</Code>
      <P>
        The response has the `url`, below `{appUrl}/reports/`. The page works on phones, without scripts, in
        13 languages, and on paper: a report on up to five links is one A4 page.
      </P>
      <ul>
        <Item>
          `range` is `days` (1 to 366, up to today, moving with the day), or `from_date` and `to_date`. Days
          are in UTC, and only people are counted.
        </Item>
        <Item>
          The page shows short URLs and titles of links, but no destinations, labels, routing rules or
          members. Search engines don't index it.
        </Item>
        <Item>
          Renamed links stay in a report. Links in the trash leave it within 30 seconds, and return when they
          are restored. A label can be on up to 1,000 links; of more, the newest are counted.
        </Item>
        <Item>
          Breakdowns by country and so on reach back at least 92 days, and before that cover whole months. The
          page names their days if they don't cover the whole range.
        </Item>
        <Item>
          `expires_at` and `DELETE /v1/reports/:report_id` end a report immediately. Lists show its URL again,
          although the database stores only a hash: the URL derives from a secret of the deployment.
        </Item>
        <Item>
          With a `password`, visitors enter it once an hour. Wrong passwords are limited as for links.
        </Item>
      </ul>
    </>
  ),
};

function listScannerVendors(): string {
  return [...new Set(SCANNER_NETWORKS.map(({ vendor }) => vendor))].join(", ");
}
