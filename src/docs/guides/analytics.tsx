import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const analytics: Guide = {
  id: "analytics",
  title: "Analytics",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Two operations count scans, of the workspace or, with `link_id`, of one link. Days are UTC. The
        default range is the last 30 days and today.
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
          ["`link`", "Id of the link, also of a deleted one"],
          ["`country`, `region`", "ISO 3166-1 or ISO 3166-2 code"],
          ["`device`, `os`, `browser`", "As in routing rules"],
          ["`language`", "Preferred language of the visitor, as in routing rules"],
          ["`referrer`", "Host of the page that contained the link, or `direct`"],
          ["`rule`", "Name or position (`#1`) of the routing rule that matched, or `default`"],
        ]}
      />
      <ul>
        <Item>An unknown value is `unknown`.</Item>
        <Item>
          A scan is counted within a few seconds, and exactly once. Crawlers, link previews and prefetches are
          not scans; curl, wget and HTTP libraries are.
        </Item>
        <Item>Scans of a deleted link stay in the counts of the workspace.</Item>
        <Item>The service stores no IP addresses.</Item>
      </ul>
    </>
  ),
};
