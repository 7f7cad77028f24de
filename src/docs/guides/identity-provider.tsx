import { CALLBACK_PATH } from "../../sign-in/return-path.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const identityProvider: Guide = {
  id: "identity-provider",
  title: "Identity provider",
  Body: ({ appUrl }) => (
    <>
      <P>
        For administrators: members can sign in with your identity provider through OpenID Connect
        (authorization code with PKCE). Anyone with a verified email address there is signed in to every
        workspace in which that address is an active member. Sign-in links from the administrator keep working
        as a fallback.
      </P>
      <Table
        head={["At the provider", "Value"]}
        rows={[
          ["Redirect URL", `\`${appUrl}${CALLBACK_PATH}\`, exactly`],
          ["Scopes", "`openid email`"],
          ["Claims", "`email` and `email_verified`, in the ID token or from the UserInfo endpoint"],
          ["Flow, client", "Authorization code; confidential with a secret, or public with PKCE"],
          ["Pushed authorization requests", "Used if `require_pushed_authorization_requests` is `true`"],
          ["Signature of ID tokens", "RS256, PS256, ES256 or EdDSA"],
        ]}
      />
      <Code title="Then in wrangler.toml, below [env.production.vars]">{`OIDC_ISSUER = "https://id.example.com/realms/acme"
OIDC_CLIENT_ID = "signpost"`}</Code>
      <Code title="The secret, if the client uses one">{`npx wrangler secret put OIDC_CLIENT_SECRET --env production
npm run deploy -- --env production`}</Code>
      <P>
        `OIDC_ISSUER` must be exactly the `issuer` in the document at `{"{OIDC_ISSUER}"}
        /.well-known/openid-configuration`, including a trailing slash if it has one. To try it on your
        machine, set the same names, and `OIDC_CLIENT_SECRET`, in the environment of `npm run dev`.
      </P>
      <h3>Keycloak</h3>
      <ol>
        <Item>
          In your realm, Clients → Create client: type OpenID Connect, client ID `signpost`. Turn on Client
          authentication, and leave only Standard flow.
        </Item>
        <Item>Enter the redirect URL under Valid redirect URIs, and copy the secret from Credentials.</Item>
        <Item>
          The issuer is `https://{"{host}"}/realms/{"{realm}"}`. Email verified must be on for each user. To
          have users verify their addresses, turn on Verify email under realm settings → Login.
        </Item>
      </ol>
      <h3>Google</h3>
      <ol>
        <Item>
          In the Google Cloud console, configure the consent screen. With the user type Internal, only people
          in your organisation can sign in.
        </Item>
        <Item>
          Open Credentials → Create credentials → OAuth client ID → Web application. Enter the redirect URL
          under Authorized redirect URIs, and copy the ID and secret.
        </Item>
        <Item>The issuer is `https://accounts.google.com`, without a trailing slash.</Item>
      </ol>
      <h3>Cloudflare Access</h3>
      <ol>
        <Item>
          In Zero Trust, Access → Applications → Add an application → SaaS → OIDC. Choose the scopes `openid`
          and `email`, and enter the redirect URL under Redirect URLs.
        </Item>
        <Item>
          Copy the client ID, the client secret and the issuer, which is `https://{"{team}"}
          .cloudflareaccess.com/cdn-cgi/access/sso/oidc/{"{client ID}"}`. The policies of the application
          decide who may sign in.
        </Item>
        <Item>
          If people see "Your email address isn't verified", the provider behind Access does not send
          `email_verified`: see below.
        </Item>
      </ol>
      <h3>Unverified email addresses</h3>
      <P>
        People are identified by their email address, so an unverified address cannot be used to sign in:
        `email_verified` must be `true` (or the string `"true"`, which some providers send). Some providers,
        such as Microsoft Entra ID, do not send this claim. For them, list the domains in which only your
        organisation assigns email addresses:
      </P>
      <Code title="wrangler.toml">{`OIDC_TRUST_EMAIL = "acme.com, acme.de"`}</Code>
      <P>
        Email addresses in these domains are then accepted without the claim, unless it is `false`. Never list
        a domain in which other people have addresses: the guests of your directory have addresses elsewhere,
        and anyone who can set an address at the provider could sign in as its owner. With Entra, use the
        issuer of your own tenant, `https://login.microsoftonline.com/{"{tenant ID}"}/v2.0`; shared issuers
        are rejected.
      </P>
      <h3>What members and administrators see</h3>
      <ul>
        <Item>
          A sign-in must be completed within ten minutes, in the browser in which it was started, and works
          only once. The session is managed by Signpost: it ends after 14 days of inactivity, independently of
          the session at the provider.
        </Item>
        <Item>
          Signing out ends the session at Signpost. If the provider has an `end_session_endpoint`, the next
          page links to it, so that people can sign out there too.
        </Item>
        <Item>
          Sign-ins and sign-outs are logged in the audit log, as `signInAtProvider` and `signOut`, in the
          workspace that the person joined first. Failed sign-ins are not logged there.
        </Item>
        <Item>
          Clocks may differ by up to a minute. If the provider does not respond within seconds, people see a
          page with status 503 and can try again. If its response cannot be used, they see a page with status
          502, and the log contains a line that starts with `the identity provider could not be used`.
        </Item>
      </ul>
    </>
  ),
};
