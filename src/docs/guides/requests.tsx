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
          The same key with another body returns 422 `IDEMPOTENCY_CONFLICT`. While the first request is in
          progress, it returns 409; so it does in the rare case that the stored response can no longer be
          read.
        </Item>
        <Item>
          A request that ended without a response, by a crash or a 5xx, holds its key for at most 10 seconds.
          A retry then completes it: the resource has the same id, counts once against the plan, and causes
          one event. If the first request was only slow, it returns the response of the retry, or 409 while
          the retry is in progress.
        </Item>
      </ul>
    </>
  ),
};

const LIMIT_TITLES: Record<keyof Plan, string> = {
  apiCallsPerMonth: "API calls per month",
  burstPerSecond: "Calls per second and key",
  linksPerMonth: "Links created per month",
  dynamicQr: "Links with a QR code",
  qrTemplates: "QR templates",
  bioPages: "Bio pages",
  storageMb: "Storage in MiB",
  webhookEndpoints: "Webhook endpoints",
  domains: "Domains",
  waitingDeliveries: "Waiting webhook deliveries",
  routingRules: "Routing rules with conditions",
  linkControls: "Limits, passwords, previews, splits and `expired_url` of links",
  bulkOps: "Bulk operations",
  csvExport: "CSV export",
  adFree: "Bio pages without a credit",
};

export const rateLimits: Guide = {
  id: "rate-limits",
  title: "Plans and rate limits",
  Body: ({ operations }) => (
    <>
      <P>
        Each key has a burst limit per second, and each workspace a monthly quota. Both depend on the plan of
        the workspace, as do the other limits of the workspace:
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
          Above the burst limit, a call returns 429 `BURST_LIMIT_EXCEEDED`, and above the quota 429
          `RATE_LIMIT_EXCEEDED`. `Retry-After` contains the seconds to wait.
        </Item>
        <Item>
          A creation beyond another limit returns 403 `PLAN_LIMIT_EXCEEDED`. A feature that the plan lacks
          returns 403 `FEATURE_NOT_AVAILABLE`.
        </Item>
        <Item>
          A change whose webhook deliveries would be too many returns 429 `DELIVERY_BACKLOG`. It can succeed
          as soon as fewer deliveries wait.
        </Item>
        <Item>`GET /v1/workspace/usage` returns the usage of the current month. Months are UTC.</Item>
      </ul>
      <P>
        `meta.rate_limit` repeats the quota. It has two forms, because clients of earlier versions rely on
        each of them:
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
        faulty field in `details`:
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
        contains the line and column. An id that is malformed, unknown or of another workspace always returns
        the same 404, which names the kind of resource. Retry a 429 after the time in `Retry-After`, and a 5xx
        after a moment. While a workspace is moved to another database, changes return 503 `WORKSPACE_MOVING`
        for a few seconds, with the same header; reads and redirects go on. `request_id` equals the header
        `X-Request-Id`; include it when you report a problem.
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
