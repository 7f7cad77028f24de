import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const domains: Guide = {
  id: "domains",
  title: "Custom domains",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Short links work on every active domain of the workspace. To add a domain, claim its host. The key
        needs the scope `domains:write`:
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
          If the domain stays `pending`, `meta.warnings` contains the DNS response. Signpost also checks
          automatically: after a minute, then at increasing intervals, at least once an hour. A claim that is
          not verified within 7 days is removed.
        </Item>
        <Item>
          Several workspaces can claim the same host; the first one to verify it gets it. The others receive
          409 `DOMAIN_TAKEN`, as does a workspace that claims a host which is already active elsewhere.
        </Item>
        <Item>
          Exactly one domain is the primary domain, which is used in `short_url`. Short URLs printed with
          another domain keep working as long as that domain is active. The primary domain cannot be deleted
          (409 `DOMAIN_IS_PRIMARY`).
        </Item>
        <Item>
          You can send international domain names as they are; they are stored in Punycode. A direct subdomain
          of the domain that Signpost uses for short URLs is active immediately, without DNS records. It
          cannot be an international name, or the name of a service or a well-known brand.
        </Item>
        <Item>
          A deleted domain stays yours for a year, because its short URLs are printed: another workspace that
          claims it receives 409 `DOMAIN_TAKEN` unless your administrator releases it.
        </Item>
        <Item>
          You can remove the TXT record once the domain is active. Changing or deleting a domain takes effect
          within 35 seconds.
        </Item>
      </ul>
      <Table
        head={["Field", "What visitors get"]}
        rows={[
          ["`root_url`", "302 for `/`"],
          ["`not_found_url`", "302 for unknown short URLs, instead of the page with 404"],
          ["`expired_url`", "302 for links that have expired or are disabled, instead of the page with 410"],
          [
            "`apple_app_site_association`",
            "JSON at `/.well-known/apple-app-site-association`: links open in your app on iOS",
          ],
          ["`assetlinks`", "JSON at `/.well-known/assetlinks.json`: links open in your app on Android"],
        ]}
      />
      <P>
        These redirects are not counted as scans. None of these URLs can be on a short domain, because this
        could cause a redirect loop. Each of the two documents can have up to 128 KiB and is served unchanged,
        without redirects:
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
        with `android:autoVerify` (Android). Apple fetches its document through its own servers, so changes
        can take up to a day.
      </P>
    </>
  ),
};
