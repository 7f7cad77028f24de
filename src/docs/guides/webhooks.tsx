import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const webhooks: Guide = {
  id: "webhook-verification",
  title: "Webhooks",
  Body: ({ apiUrl }) => (
    <>
      <p>
        Register an endpoint to receive <a href="#event-link.created">events</a>: scans, and changes to links,
        bio pages and assets. Without <code>events</code>, it receives all of them.
      </p>
      <Code title="Shell">{`curl -X POST ${apiUrl}/v1/webhooks \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://hooks.example.com/signpost","events":["link.created","link.scanned"]}'`}</Code>
      <P>
        The response contains the signing secret, which is only shown once. `POST /v1/webhooks/
        {"{webhook_id}"}/test` sends a `webhook.test` event. An endpoint must have a public https URL on port
        443 or 8443; when running locally, http and loopback addresses are allowed too.
      </P>
      <h3>Verify a delivery</h3>
      <P>
        Verify the exact bytes of the body before you parse them. `X-SVC-Signature` is `sha256=` and the
        HMAC-SHA256 of the body. Use the secret as it was shown, including `whsec_`, as the key.
      </P>
      <Code title="Node.js">{`import { createHmac, timingSafeEqual } from "node:crypto";

export function isFromSignpost(body, signature, secret) {
  const expected = Buffer.from("sha256=" + createHmac("sha256", secret).update(body).digest("hex"));
  const given = Buffer.from(signature ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}`}</Code>
      <P>
        This signature alone does not distinguish a new delivery from a copy of an old one. The headers
        `webhook-id`, `webhook-timestamp` and `webhook-signature` do. They follow the Standard Webhooks
        specification, whose libraries reject deliveries older than five minutes:
      </P>
      <Code title="Node.js, npm install standardwebhooks">{`import { Webhook } from "standardwebhooks";

const event = new Webhook(secret).verify(body, headers); // throws if the delivery is forged`}</Code>
      <P>
        `POST /v1/webhooks/{"{webhook_id}"}/rotate-secret` returns a new secret. For 24 hours,
        `webhook-signature` contains a signature for each secret, so verification with either one succeeds.
        `X-SVC-Signature` uses the new secret immediately.
      </P>
      <h3>Handle each event once</h3>
      <P>
        A delivery can arrive more than once, with the same `X-SVC-Delivery`. Store this ID in the transaction
        that handles the event:
      </P>
      <Code title="Node.js and PostgreSQL">{`const { rowCount } = await sql\`insert into webhook_deliveries (id)
  values (\${headers["x-svc-delivery"]}) on conflict do nothing\`;
if (rowCount === 0) return respond(204); // handled before`}</Code>
      <h3>Deliveries</h3>
      <ul>
        <Item>
          No event is lost: each event is written in the same transaction as the change. If a queue message is
          lost, the delivery is found and sent within two minutes.
        </Item>
        <Item>
          A 2xx response within 10 seconds is a success. Any other result, including a redirect, is a failure.
          Signpost retries after 5 seconds, 30 seconds, 5 minutes, 30 minutes and 2 hours; then the delivery
          has failed.
        </Item>
        <Item>
          After 100 consecutive failed attempts, Signpost disables the endpoint, its pending deliveries fail,
          and the other endpoints in the workspace receive `webhook.disabled`. {'`PATCH {"enabled": true}`'}{" "}
          enables it again. Deliveries that were pending are not sent. If there are very many, it can take a
          few minutes until all of them are `failed`.
        </Item>
        <Item>
          `GET /v1/webhooks/{"{webhook_id}"}/deliveries` lists deliveries. Each has a log of its last 50
          attempts, with the status, the latency and the beginning of the response (1 KiB if it succeeded, 16
          KiB if the first attempt failed, 512 bytes if a retry failed; at most 10 MB per workspace and day).
          A POST to `…/{"{delivery_id}"}/resend` resends a delivery.
        </Item>
        <Item>
          Deliveries of `link.scanned` are kept for 7 days, all others for 30 days. Deliveries that are still
          pending then are deleted too. Deleting an endpoint deletes its log.
        </Item>
        <Item>
          Endpoints take turns, so one with many deliveries does not delay others. At most 5 attempts per
          endpoint and 50 per workspace run at the same time. A slow endpoint only delays its own deliveries.
        </Item>
        <Item>
          The plan limits how many deliveries of a workspace can be pending, waiting for their first attempt
          or a retry. A change that would exceed the limit returns 429 `DELIVERY_BACKLOG` with `Retry-After`,
          and nothing is changed. A scan that would exceed it is counted but not delivered, and on a plan
          without webhooks, no event is: `skipped_count` and `skipped_at` of the endpoint contain the number
          of skipped events and the time of the last one.
        </Item>
      </ul>
    </>
  ),
};
