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
        You can also generate a client from the document, for example with orval or oazapfts, whose output is
        compiled in tests of this API. The document also has types for the bodies of webhook deliveries, such
        as `LinkScannedEvent`.
      </P>
      <ul>
        <Item>Requests with unknown fields or parameters are rejected, and the error names them.</Item>
        <Item>Times are ISO 8601 in UTC. IDs are UUIDs that sort by creation time.</Item>
        <Item>
          Lists return the newest item first. `limit` and `offset` select a page, and `meta.total` is the
          total number of items. `offset` can be at most 1,000. To go further, set `before` to the ID of the
          last item of a page.
        </Item>
        <Item>
          A filtered list of links examines 700 links per request, so a page can contain fewer links than
          `limit`. Pass `meta.next_before` as `before` until it is null. If `meta.total_is_capped` is true,
          the actual total can be higher than `meta.total`.
        </Item>
        <Item>
          A filtered list of deliveries examines 2,000 deliveries per request. If there are more and the page
          is not full, `meta.warnings` contains the value of `before` with which to continue. The header
          `Link` contains the URL of the next page, and `listAll` follows it.
        </Item>
        <Item>
          The list of members starts with the oldest and returns at most 1,000 per page. Continue it with
          `after`.
        </Item>
      </ul>
    </>
  ),
};
