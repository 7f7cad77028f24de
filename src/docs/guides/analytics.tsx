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
        ]}
      />
      <P>
        `source` is `qr` if a compact QR code was scanned, because such a code contains the short URL in upper
        case. `page` is a button of a bio page, and `link` everything else, also QR codes that are not compact
        and aliases. Scans from before sources were counted are `link`.
      </P>
      <P>
        Counts are always exact. If a query cannot be answered exactly from the stored data, it returns 400,
        and the error lists the ranges and filters that are available.
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
        <Item>IP addresses are not stored.</Item>
      </ul>
    </>
  ),
};
