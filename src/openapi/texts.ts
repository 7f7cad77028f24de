import type { Operation, OperationTag } from "../http/operation.ts";
import { describeVariants } from "./variants.ts";

/** Returns the introduction of the document (`info.description`) in Markdown. */
export function writeIntroduction(operations: readonly Operation[]): string {
  return `${INTRODUCTION}\n\n${describeVariants(operations)}`;
}

const INTRODUCTION = `Short links with conditional routing, QR codes, link-in-bio pages, file assets, scan analytics and signed webhooks.

Every operation under \`/v1\` requires an API key: \`Authorization: Bearer svc_pk_…\`. JSON responses have the form \`{"data": …, "meta": …}\`, errors the form \`{"error": {"code", "message", "status"}, "meta": {"request_id"}}\`. If a path does not support the method of a request, the response is 405 \`METHOD_NOT_ALLOWED\`, and its \`Allow\` header lists the supported methods.

Validation is strict: a request with unknown fields or parameters is rejected, and the error names them. Times are ISO 8601 in UTC. Lists are sorted from newest to oldest.

Each API key has a limit of calls per second, and each workspace has a monthly quota of calls. The \`X-RateLimit-*\` headers of a response contain the limits and the remaining calls. Every POST with a JSON response honours \`Idempotency-Key\`.`;

/** Descriptions of the tags, in the order of the document. */
export const TAGS: Record<OperationTag | "Events" | "Service", string> = {
  Links: "Short links, with their routing rules, limits and history.",
  "QR codes": "QR codes for links and any other text, as SVG, PNG or PDF.",
  "QR templates": "Saved designs for QR codes.",
  "Bio pages": "Link-in-bio pages. A page is created unpublished; once published, it has its own public URL.",
  Assets: "Files. A file is uploaded to a signed URL and confirmed. It can then be published on the CDN.",
  Workspace: "The workspace of the API key.",
  Sessions: "The person who is signed in and their sessions. Not available with API keys.",
  Passkeys: "Passkeys of the person who is signed in. Not available with API keys.",
  Members: "Invitations, roles and removal of members. Only for owners who are signed in.",
  Keys: "API keys of the workspace. Only for owners who are signed in.",
  Domains:
    "Domains of the workspace's short links, with their own root and error pages, and documents that let links open in apps.",
  Analytics: "Scans over time and by country, device, referrer and other dimensions.",
  Reports: "Pages that show the scans of some links to everyone who has the URL.",
  Webhooks: "Endpoints that receive events, and the log of deliveries to them.",
  "Audit log": "All changes in the workspace: who made them, and the old and new values.",
  Events: "Requests that a webhook endpoint receives.",
  Service: "Health and documentation of the service. No API key is required.",
};
