import type { Child, FC } from "hono/jsx";
import { Code } from "./text.tsx";

/** A guide: its place on the page, its title and its text. */
export interface Guide {
  id: string;
  title: string;
  Body: FC<{ apiUrl: string }>;
}

const FirstLink: FC<{ apiUrl: string }> = ({ apiUrl }) => (
  <>
    <p>
      A key is all it takes. <code>npm run dev</code> prints one for the demo workspace; on a deployment{" "}
      <code>npm run admin -- key create --workspace …</code> makes one. Keep it in a variable:
    </p>
    <Code title="Shell">{`KEY=svc_pk_…

curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://example.com/sale","custom_slug":"sale"}'`}</Code>
    <p>
      The answer's <code>data.short_url</code> redirects to <code>url</code> from now on. Without{" "}
      <code>custom_slug</code> the code is seven random characters. <code>data.scan_count</code> goes up with
      each visit, but for link previews and crawlers.
    </p>
    <p>
      Change the destination at any time: <code>PATCH /v1/links/{"{link_id}"}</code> with a new{" "}
      <code>url</code>; printed codes stay valid. <code>{`{"enabled": false}`}</code> and a past{" "}
      <code>expires_at</code> make the short address answer 410.
    </p>
    <p>
      Send an <code>Idempotency-Key</code> with a POST that might be repeated, and it creates one link however
      often it arrives.
    </p>
  </>
);

const RoutingRules: FC<{ apiUrl: string }> = ({ apiUrl }) => (
  <>
    <p>
      <code>routing_rules</code> send some visitors elsewhere. The first rule that matches wins; when none
      does, the visitor gets the link's <code>url</code>. All keys of <code>when</code> are to hold, and of
      the values of one key any.
    </p>
    <Code title="iPhones in North America, and a tenth of all others">{`curl -X POST ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "url": "https://example.com/",
    "routing_rules": [
      {"name": "app",
       "when": {"country": ["US", "CA"], "os": ["ios"]},
       "destination": "https://example.com/ios"},
      {"name": "new page",
       "when": {"percent": 10},
       "destination": "https://example.com/new"}
    ]
  }'`}</Code>
    <table>
      <thead>
        <tr>
          <th>Key</th>
          <th>Values</th>
        </tr>
      </thead>
      <tbody>
        <RuleKey name="country">ISO 3166-1 codes: CA</RuleKey>
        <RuleKey name="continent">AF AN AS EU NA OC SA</RuleKey>
        <RuleKey name="region">ISO 3166-2 codes: US-CA</RuleKey>
        <RuleKey name="device">mobile, tablet, desktop</RuleKey>
        <RuleKey name="os">ios, android, windows, macos, linux, chromeos</RuleKey>
        <RuleKey name="browser">chrome, safari, firefox, edge, opera, samsung</RuleKey>
        <RuleKey name="language">BCP 47: fr also matches fr-CA</RuleKey>
        <RuleKey name="query">{`{"utm_source": ["mail"], "beta": true}; true is “present”`}</RuleKey>
        <RuleKey name="after, before">a date-time; after is included, before is not</RuleKey>
        <RuleKey name="percent">1 to 99: this share of visitors, the same ones every time</RuleKey>
      </tbody>
    </table>
    <p>Rules need the business plan or above.</p>
  </>
);

const RuleKey: FC<{ name: string; children?: Child }> = ({ name, children }) => (
  <tr>
    <td>
      <code>{name}</code>
    </td>
    <td>{children}</td>
  </tr>
);

const QrDesign: FC<{ apiUrl: string }> = ({ apiUrl }) => (
  <>
    <p>
      Every link has a QR code: <code>GET /v1/links/{"{link_id}"}/qr</code>. Any other text is drawn by{" "}
      <code>POST /v1/qr/generate</code>, with a design if you like:
    </p>
    <Code title="Shell">{`curl -X POST ${apiUrl}/v1/qr/generate \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -o qr.svg \\
  -d '{
    "content": "https://example.com/",
    "design": {"foreground_color": "#0b5d51", "dot_style": "rounded", "corner_style": "extra-rounded"}
  }'`}</Code>
    <p>
      Save a design once as a template (<code>POST /v1/qr/templates</code>) and name it in{" "}
      <code>template_id</code> of a link's QR code. With a <code>logo_url</code> the error correction and the
      version are raised until the code can be read with the logo on it; <code>X-QR-Error-Correction</code>{" "}
      and <code>X-QR-Version</code> say what was used, and <code>X-QR-Warning</code> what a scanner may
      dislike.
    </p>
    <p>
      SVG scales to any print size. For PNG, <code>size</code> is the number of pixels of a module.
    </p>
  </>
);

const WebhookVerification: FC<{ apiUrl: string }> = ({ apiUrl }) => (
  <>
    <p>
      Register an endpoint; its answer shows the signing secret this once. An event is sent to every endpoint
      that asked for it, and tried again after 5 seconds, 30 seconds, 5 minutes, 30 minutes and 2 hours until
      the answer is a 2xx.
    </p>
    <Code title="Shell">{`curl -X POST ${apiUrl}/v1/webhooks \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"https://hooks.example.com/signpost","events":["link.created","link.scanned"]}'`}</Code>
    <p>
      Verify before you parse: <code>X-SVC-Signature</code> is <code>sha256=</code> and the HMAC-SHA256 of the
      body's exact bytes. The key is the secret as it is shown, <code>whsec_</code> included.
    </p>
    <Code title="Node.js">{`import { createHmac, timingSafeEqual } from "node:crypto";

export function isFromSignpost(body, signature, secret) {
  const expected = Buffer.from("sha256=" + createHmac("sha256", secret).update(body).digest("hex"));
  const given = Buffer.from(signature ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}`}</Code>
    <p>
      This signature alone does not tell a new delivery from a copy of an old one. The headers{" "}
      <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> do: they
      follow the Standard Webhooks specification, whose libraries refuse what is older than five minutes.
    </p>
    <Code title="Node.js, npm install standardwebhooks">{`import { Webhook } from "standardwebhooks";

const event = new Webhook(secret).verify(body, headers); // throws on a forgery`}</Code>
    <p>
      The same delivery can arrive more than once: remember <code>X-SVC-Delivery</code>. After 100 failed
      attempts in a row an endpoint is disabled; <code>{`PATCH {"enabled": true}`}</code> enables it again.
    </p>
  </>
);

const Uploads: FC<{ apiUrl: string }> = ({ apiUrl }) => (
  <>
    <p>Three steps bring a file in, and a fourth puts it on the CDN. First, say what will come:</p>
    <Code title="1. Presign">{`curl -X POST ${apiUrl}/v1/assets/presign \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"filename":"menu.pdf","mime_type":"application/pdf","file_size":48213}'`}</Code>
    <p>
      <code>data.upload</code> is the request that uploads it. The address is good for 15 minutes, for exactly
      this size and type, and for one upload; it needs no key, so a browser may be handed it.
    </p>
    <Code title="2. Upload, 3. confirm, 4. publish">{`curl -X PUT "$UPLOAD_URL" -H 'Content-Type: application/pdf' --data-binary @menu.pdf

curl -X POST ${apiUrl}/v1/assets/$ASSET_ID/confirm -H "Authorization: Bearer $KEY"
curl -X POST ${apiUrl}/v1/assets/$ASSET_ID/publish -H "Authorization: Bearer $KEY"`}</Code>
    <p>
      <code>data.public_url</code> of the last answer is cached for good: a new version of a file is a new
      asset. What is not confirmed is removed after a day.
    </p>
  </>
);

/** The guides, in reading order. */
export const GUIDES: readonly Guide[] = [
  { id: "first-link", title: "Your first link", Body: FirstLink },
  { id: "routing-rules", title: "Routing rules", Body: RoutingRules },
  { id: "qr-design", title: "QR codes by design", Body: QrDesign },
  { id: "webhook-verification", title: "Verifying webhooks", Body: WebhookVerification },
  { id: "uploads", title: "Uploading files", Body: Uploads },
];
