import { ERROR_STATUS, type ErrorCode } from "../../core/error.ts";
import { ERROR_MEANINGS } from "../../openapi/error-responses.ts";
import { listLowercaseCodes, listQuotaForms } from "../../openapi/variants.ts";
import { PLANS, type Plan } from "../../tenant/plans.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const idempotency: Guide = {
  id: "idempotency",
  title: "Safe retries",
  Body: ({ apiUrl }) => (
    <>
      <P>
        If a response is lost, you do not know whether the request took effect. Every POST that returns JSON
        accepts an `Idempotency-Key` of your choice. Retry with the same key, and the request takes effect
        once:
      </P>
      <Code title="Shell">{`curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-4711' \\
  -d '{"url":"https://example.com/4711"}'`}</Code>
      <ul>
        <Item>
          The first response is kept for 24 hours, per workspace and path. A retry returns it with
          `Idempotency-Replayed: true`.
        </Item>
        <Item>
          The same key with a different body returns 422 `IDEMPOTENCY_CONFLICT`. A retry returns 409 while the
          first request is in progress and, in rare cases, if the stored response can no longer be read.
        </Item>
        <Item>
          If a request ends without a response or with a 5xx, its key is locked for at most 10 seconds. A
          retry then completes it: the resource has the same ID, counts once towards the plan and causes one
          event. If the first request was only slow, it returns the response of the retry, or 409 while the
          retry is in progress.
        </Item>
      </ul>
    </>
  ),
};

const LIMIT_TITLES: Record<keyof Plan, string> = {
  apiCallsPerMonth: "API calls per month",
  burstPerSecond: "API calls per second and key",
  linksPerMonth: "Links created per month",
  dynamicQr: "Links with a QR code",
  qrTemplates: "QR templates",
  bioPages: "Bio pages",
  storageMb: "Storage in MiB",
  webhookEndpoints: "Webhook endpoints",
  domains: "Domains",
  sharedReports: "Shared reports",
  waitingDeliveries: "Pending webhook deliveries",
  writtenBytesPerDay: "Changes per day in bytes",
  routingRules: "Routing rules with conditions",
  linkControls: "Limits, passwords, previews, splits and `expired_url` of links",
  bulkOps: "Bulk operations",
  csvExport: "CSV export",
  destinationWatch: "Checks of destinations",
  adFree: "Bio pages without “Made with Signpost”",
};

export const rateLimits: Guide = {
  id: "rate-limits",
  title: "Plans and rate limits",
  Body: ({ operations }) => (
    <>
      <P>
        Each API key has a burst limit per second, and each workspace has a monthly quota. Both depend on the
        workspace's plan, like the other limits:
      </P>
      <Table
        head={["Limit", ...Object.keys(PLANS)]}
        rows={Object.entries(LIMIT_TITLES).map(([name, title]) => [
          title,
          ...Object.values<Plan>(PLANS).map((plan) => formatLimit(plan[name as keyof Plan])),
        ])}
      />
      <ul>
        <Item>
          `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (Unix time in seconds) describe
          the monthly quota. `X-RateLimit-Burst-Limit` and `X-RateLimit-Burst-Remaining` describe the burst
          limit.
        </Item>
        <Item>
          A call above the burst limit returns 429 `BURST_LIMIT_EXCEEDED`. A call above the quota returns 429
          `RATE_LIMIT_EXCEEDED`. `Retry-After` contains the number of seconds to wait.
        </Item>
        <Item>
          Creating more than another limit allows returns 403 `PLAN_LIMIT_EXCEEDED`. Using a feature that the
          plan does not include returns 403 `FEATURE_NOT_AVAILABLE`.
        </Item>
        <Item>
          A change that would exceed the limit for pending webhook deliveries returns 429 `DELIVERY_BACKLOG`.
          Retry it when fewer deliveries are pending.
        </Item>
        <Item>
          A change counts the size of its audit log entry, twice the size of the changed resource, and 512
          bytes. When the changes of a day have used up the plan's limit, further ones return 429
          `QUOTA_EXCEEDED` until midnight UTC. `Retry-After` contains the number of seconds until then.
          Redirects, reads, deletions and the revocation of keys still work.
        </Item>
        <Item>`GET /v1/workspace/usage` returns the usage of the current month. Months are UTC.</Item>
      </ul>
      <P>
        `meta.rate_limit` also contains the quota. It has two forms, because older clients rely on each of
        them:
      </P>
      <Table
        head={["Fields", "Operations", "Schema"]}
        rows={listQuotaForms(operations).map(({ fields, operations, schema }) => [
          fields,
          operations,
          `\`${schema}\``,
        ])}
      />
    </>
  ),
};

function formatLimit(value: number | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Number.isFinite(value) ? value.toLocaleString("en") : "unlimited";
}

export const errors: Guide = {
  id: "errors",
  title: "Errors",
  Body: ({ operations }) => (
    <>
      <P>
        An error response has a code for programs and a message for people. A `VALIDATION_ERROR` lists every
        invalid field in `details`:
      </P>
      <Code title="400">{`{
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "url: is required",
    "status": 400,
    "details": [{"field": "url", "message": "is required"}]
  },
  "meta": {"request_id": "01a20e4d-a7e0-7d19-8c4e-90a5b6c7d8e9"}
}`}</Code>
      <P>
        For a misspelled field or parameter, the error suggests the correct name. For invalid JSON, it
        contains the line and column. An ID that is malformed, unknown or from another workspace always
        returns the same 404, which names the type of resource. Retry a 429 after the time in `Retry-After`,
        and a 5xx after a moment; 503 has the same header. While a workspace is being moved to another
        database, changes return 503 `WORKSPACE_MOVING` for a few seconds; reads and redirects keep working.
        `request_id` equals the header `X-Request-Id`; include it when you report a problem.
      </P>
      <P>Codes are in upper case, except for a few that older clients rely on:</P>
      <ul>
        {listLowercaseCodes(operations).map(({ operationId, codes }) => (
          <Item>{`\`${operationId}\` returns ${codes}.`}</Item>
        ))}
      </ul>
      <Table
        head={["Code", "Status", "Meaning"]}
        rows={Object.entries(ERROR_MEANINGS).map(([code, meaning]) => [
          `\`${code}\``,
          String(ERROR_STATUS[code as ErrorCode]),
          meaning,
        ])}
      />
    </>
  ),
};
