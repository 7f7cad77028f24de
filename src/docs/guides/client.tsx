import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const client: Guide = {
  id: "typed-client",
  title: "OpenAPI document and client",
  Body: ({ apiUrl }) => (
    <>
      <P>
        `/openapi.json` is an OpenAPI 3.1 document of this API. The router, the validation and this page use
        the same definitions. The package `@signpost/client` is a typed client of it, for Node.js, Deno, Bun,
        Workers and browsers:
      </P>
      <Code title="TypeScript, npm install @signpost/client">{`import { createSignpostClient, listAll } from "@signpost/client";

const signpost = createSignpostClient({ apiUrl: "${apiUrl}", key });
const { data, error } = await signpost.POST("/v1/links", { body: { url: "https://example.com" } });
if (error) console.error(error.error.code); // "SLUG_TAKEN" | "VALIDATION_ERROR" | …
else console.log(data.data.short_url);

for await (const link of listAll(signpost, "/v1/links")) console.log(link.short_code);`}</Code>
      <P>
        It retries calls that fail because of a rate limit or a server error, honours `Retry-After`, and sends
        an `Idempotency-Key` with every POST so that retries create nothing twice. `verifyWebhook` verifies
        deliveries.
      </P>
      <P>
        Code generators write clients from the document for other projects. Tests compile those of orval and
        of oazapfts. Bodies of webhook deliveries have types too, such as `LinkScannedEvent`.
      </P>
      <ul>
        <Item>Unknown fields and parameters are rejected by name.</Item>
        <Item>Times are ISO 8601 in UTC. Ids are UUIDs whose order is the order of creation.</Item>
        <Item>
          Lists return the newest item first. `limit` and `offset` select a page, and `meta.total` is the
          number of all items. `offset` ends at 1,000; `before`, the id of the last item of a page, continues
          a list at any depth.
        </Item>
        <Item>
          A list of links with a filter looks at 700 links per request. `meta.next_before` continues it until
          it is null, and `meta.total_is_capped` says that `meta.total` may not be all. A page can have fewer
          links than `limit` before the end.
        </Item>
        <Item>
          A list of deliveries with a filter looks at 2,000 deliveries per request. If there are more and the
          page is not full, `meta.warnings` names the value of `before` that continues it. The header `Link`
          has the address of the next page, and `listAll` follows it.
        </Item>
        <Item>The list of members has the oldest first, at most 1,000 of them; `after` continues it.</Item>
      </ul>
    </>
  ),
};
