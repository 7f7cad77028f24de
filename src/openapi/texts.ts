import type { Operation, OperationTag } from "../http/operation.ts";
import { describeVariants } from "./variants.ts";

/** Returns the introduction of the document (`info.description`) in Markdown. */
export function writeIntroduction(operations: readonly Operation[]): string {
  return `${INTRODUCTION}\n\n${describeVariants(operations)}`;
}

const INTRODUCTION = `Short links with conditional routing, QR codes, link-in-bio pages, file assets, scan analytics and signed webhooks.

Every operation under \`/v1\` requires an API key: \`Authorization: Bearer svc_pk_…\`. JSON responses have the form \`{"data": …, "meta": …}\`, errors the form \`{"error": {"code", "message", "status"}, "meta": {"request_id"}}\`. If a path does not support the method of a request, the response is 405 \`METHOD_NOT_ALLOWED\`, and its \`Allow\` header lists the supported methods.

Validation is strict: a request with unknown fields or parameters is rejected, and the error names them. Times are ISO 8601 in UTC. Lists are sorted from newest to oldest.

Each API key has a limit of calls per second, and each workspace a monthly quota of calls. The \`X-RateLimit-*\` headers of a response contain the limits and what is left of them. Every POST with a JSON response honours \`Idempotency-Key\`.`;

/** Descriptions of the tags, in the order of the document. */
export const TAGS: Record<OperationTag | "Events" | "Service", string> = {
  Links: "Short links, their routing rules and their states.",
  "QR codes": "QR codes of links and of any text, as SVG or PNG.",
  "QR templates": "Saved designs for QR codes.",
  "Bio pages": "Link-in-bio pages. A page is created unpublished; once published, it has its own public URL.",
  Assets: "Files. A file is uploaded to a signed URL and confirmed. It can then be published on the CDN.",
  Workspace: "The workspace of the API key.",
  Sessions: "Who is signed in, and where. Only for people.",
  Keys: "API keys of the workspace. Only for people who are its owners.",
  Domains:
    "Hosts of the workspace's short links, with their own pages for the start and for errors, and the documents that open links in apps.",
  Analytics: "Scans over time and by properties of the visitors.",
  Webhooks: "Endpoints that receive events, and the log of deliveries to them.",
  "Audit log": "Who changed what in the workspace, and how it was before.",
  Events: "Requests that a webhook endpoint receives.",
  Service: "Health and documentation of the service. No API key is required.",
};
