/** What the document says before its operations. */
export const INTRODUCTION = `Short links with conditional routing, QR codes, link-in-bio pages, file assets, scan analytics and signed webhooks.

Every operation below \`/v1\` takes an API key: \`Authorization: Bearer svc_pk_…\`. JSON answers are \`{"data": …, "meta": …}\`; errors are \`{"error": {"code", "message", "status"}, "meta": {"request_id"}}\`, and a path that does not answer a method says so with 405 \`METHOD_NOT_ALLOWED\` and \`Allow\`.

Input is strict: unknown fields and parameters are refused by name. Times are ISO 8601 in UTC. Lists answer newest first.

Calls are limited by a burst a second for each key and a quota a month for each workspace; the \`X-RateLimit-*\` headers of every answer say what is left. Every POST that answers JSON honours \`Idempotency-Key\`.`;

/** The tags of the operations, in the order they are shown. */
export const TAGS: Record<string, string> = {
  Links: "Short links, their routing rules and their states.",
  "QR codes": "QR codes of links and of any text, as SVG or PNG.",
  "QR templates": "Designs that are saved for QR codes to be drawn by.",
  "Bio pages": "Link-in-bio pages: made unpublished, and published at an address of their own.",
  Assets: "Files: uploaded to a signed address, confirmed, and published on the CDN address if wanted.",
  Workspace: "The workspace of the API key.",
  Analytics: "Scans over time and by what the visitors have in common.",
  Webhooks: "Endpoints that are told of events, and the log of what was delivered to them.",
  Events: "What a webhook endpoint is sent.",
  Service: "What the service says of itself. No key is needed.",
};
