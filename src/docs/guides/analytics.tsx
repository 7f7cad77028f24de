import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const analytics: Guide = {
  id: "analytics",
  title: "Analytics",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Two operations count scans: for the whole workspace or, with `link_id`, for one link. The default
        range is the last 30 days and today. Days are in UTC by default. Set `time_zone`, for example to
        `Europe/Berlin`, to change that.
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
            "Id of the link, with its `short_code` and `destination`, which are null if it is deleted",
          ],
          ["`country`, `region`", "ISO 3166-1 or ISO 3166-2 code"],
          ["`device`, `os`, `browser`", "As in routing rules"],
          ["`language`", "Preferred language of the visitor, as in routing rules"],
          ["`referrer`", "Host of the page that contained the link, or `direct`"],
          ["`rule`", "Name or position (`#1`) of the routing rule that matched, or `default`"],
          ["`traffic`", "Class of the requests: see below"],
        ]}
      />
      <P>
        Every dimension but `link` and `traffic` is also a filter of both operations. Several filters select
        the scans that have all of their values. A filter selects exactly its value: `language=fr` does not
        include `fr-CA`.
      </P>
      <Code title="Browsers within Germany">{`curl "${apiUrl}/v1/analytics/breakdown?by=browser&country=DE" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        Every request that leads to a destination is counted in one class. The default is `human`; set
        `traffic` to count another class, or `all`.
      </P>
      <Table
        head={["`traffic`", "Requests"]}
        rows={[
          ["`human`", "Of people, and of their programs: curl, wget and HTTP libraries. These are the scans"],
          ["`bot`", "Of crawlers"],
          ["`preview`", "Of fetchers of link previews, such as those of chat programs"],
          ["`prefetch`", "Of browsers that load a page ahead"],
        ]}
      />
      <P>
        Counts are always exact. If a query cannot be answered exactly from the stored data, it returns 400,
        and the error lists the ranges and filters that are available.
      </P>
      <Table
        head={["Kept", "For"]}
        rows={[
          ["Totals by UTC day, of the workspace and of each link", "ever"],
          ["Hours, days of other time zones, values by day", "at least the last 92 days"],
          ["Values by whole month", "ever"],
          ["Combinations of values, for filters and for breakdowns in a time zone", "the last 35 days"],
        ]}
      />
      <Code title="Clicks on the links of a bio page">{`curl "${apiUrl}/v1/bio/pages/$PAGE/analytics/breakdown?metric=clicks&by=link" \\
  -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        Bio pages have the same two operations, for `metric=views` and `metric=clicks`, with the scope
        `analytics:read`.
      </P>
      <ul>
        <Item>A missing value is `unknown`.</Item>
        <Item>
          A day counts at most 200 values of a dimension, of a link and of the workspace. Those that come
          later are `other`.
        </Item>
        <Item>A scan is counted within 5 seconds, and exactly once. HEAD requests are not counted.</Item>
        <Item>
          A filter that would match too many scans returns 400. Use a shorter range or a single link.
        </Item>
        <Item>
          Scans of a deleted link stay in the counts of the workspace, and in `by=link` under its id.
          Requesting them with `link_id` returns 404.
        </Item>
        <Item>The counts of a deleted bio page are deleted too, within minutes.</Item>
        <Item>The service stores no IP addresses.</Item>
      </ul>
    </>
  ),
};
