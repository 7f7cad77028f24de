import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const domains: Guide = {
  id: "domains",
  title: "Custom domains",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Short links work on every active domain of the workspace. To add one, claim its host. The key needs
        the scope `domains:write`:
      </P>
      <Code title="1. Claim">{`curl -X POST ${apiUrl}/v1/domains \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"hostname":"go.example.com"}'`}</Code>
      <P>
        The domain is `pending`. Prove that you own it with a TXT record that contains the `id` from the
        response, and point the host to the service with a CNAME record. Ask your administrator for its
        target:
      </P>
      <Code title="2. DNS records">{`_signpost.go.example.com.  TXT    "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f"
go.example.com.            CNAME  fallback.signpost-go.example.`}</Code>
      <Code title="3. Verify, 4. use it in short URLs">{`curl -X POST ${apiUrl}/v1/domains/$DOMAIN_ID/verify -H "Authorization: Bearer $KEY"

curl -X PATCH ${apiUrl}/v1/domains/$DOMAIN_ID \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"is_primary":true}'`}</Code>
      <ul>
        <Item>
          If the domain stays `pending`, `meta.warnings` contains the DNS response. The service also looks by
          itself: after a minute, then less and less often, at least once an hour. A claim that is not proved
          within 7 days is dropped.
        </Item>
        <Item>
          Several workspaces may claim a host; the first to prove it has it. For the others, and for a host
          that is active elsewhere, the response is 409 `DOMAIN_TAKEN`.
        </Item>
        <Item>
          Exactly one domain is primary: the one in `short_url`. Links that were printed with another one keep
          working as long as that is active. The primary domain cannot be deleted (409 `DOMAIN_IS_PRIMARY`).
        </Item>
        <Item>
          International names may be written as they are; they are stored in Punycode. A host directly below
          the domain of the service's own short hosts is active at once, without DNS records.
        </Item>
        <Item>
          Keep the TXT record only until the domain is active. Visitors see a change of a domain, and its
          deletion, within 35 seconds.
        </Item>
      </ul>
      <Table
        head={["Field", "What visitors get"]}
        rows={[
          ["`root_url`", "302 for `/`"],
          ["`not_found_url`", "302 for unknown addresses, instead of the page with 404"],
          ["`expired_url`", "302 for links that have expired or are disabled, instead of the page with 410"],
          [
            "`apple_app_site_association`",
            "JSON at `/.well-known/apple-app-site-association`: links open in your app on iOS",
          ],
          ["`assetlinks`", "JSON at `/.well-known/assetlinks.json`: links open in your app on Android"],
        ]}
      />
      <P>
        These redirects are no scans. None of them may lead to a short host, which could redirect in a circle.
        The two documents have at most 128 KiB each and are served as they are, without redirects:
      </P>
      <Code title="Open links in apps">{`curl -X PATCH ${apiUrl}/v1/domains/$DOMAIN_ID \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "apple_app_site_association": {
      "applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/*"}]}]}
    },
    "assetlinks": [{
      "relation": ["delegate_permission/common.handle_all_urls"],
      "target": {"namespace": "android_app", "package_name": "com.example.app",
                 "sha256_cert_fingerprints": ["14:6D:E9:…"]}
    }]
  }'`}</Code>
      <P>
        In the app, name the domain in the entitlement `applinks:go.example.com` (iOS) or in an intent filter
        with `android:autoVerify` (Android). Apple reads its document by way of its own servers, which can
        take a day.
      </P>
    </>
  ),
};
