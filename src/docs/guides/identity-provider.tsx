import { CALLBACK_PATH } from "../../people/oidc/return-path.ts";
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
          ["Redirect address", `\`${appUrl}${CALLBACK_PATH}\`, exactly`],
          ["Scopes", "`openid email`"],
          ["Claims", "`email` and `email_verified`, in the ID token or from the UserInfo endpoint"],
          ["Flow, client", "Authorization code; confidential with a secret, or public with PKCE"],
          ["Signature of ID tokens", "RS256, PS256, ES256 or EdDSA"],
        ]}
      />
      <Code title="Then in wrangler.toml, below [env.production.vars]">{`OIDC_ISSUER = "https://id.example.com/realms/acme"
OIDC_CLIENT_ID = "signpost"`}</Code>
      <Code title="The secret, if the client has one">{`npx wrangler secret put OIDC_CLIENT_SECRET --env production
npm run deploy -- --env production`}</Code>
      <P>
        `OIDC_ISSUER` must be exactly the `issuer` in the document at `{"{OIDC_ISSUER}"}
        /.well-known/openid-configuration`, with its slash at the end or without. To try it on your machine,
        set the same names, and `OIDC_CLIENT_SECRET`, in the environment of `npm run dev`.
      </P>
      <h3>Keycloak</h3>
      <ol>
        <Item>
          In your realm, Clients → Create client: type OpenID Connect, client ID `signpost`. Turn on Client
          authentication, and leave only Standard flow.
        </Item>
        <Item>
          Write the redirect address under Valid redirect URIs, and copy the secret from Credentials.
        </Item>
        <Item>
          The issuer is `https://{"{host}"}/realms/{"{realm}"}`. People need Email verified in their account;
          realm settings → Login → Verify email asks them for it.
        </Item>
      </ol>
      <h3>Google</h3>
      <ol>
        <Item>
          In the Google Cloud console, configure the consent screen. With the user type Internal, only people
          of your organization can sign in.
        </Item>
        <Item>
          Credentials → Create credentials → OAuth client ID → Web application. Write the redirect address
          under Authorized redirect URIs, and copy ID and secret.
        </Item>
        <Item>The issuer is `https://accounts.google.com`, without a slash at the end.</Item>
      </ol>
      <h3>Cloudflare Access</h3>
      <ol>
        <Item>
          In Zero Trust, Access → Applications → Add an application → SaaS → OIDC. Choose the scopes `openid`
          and `email`, and write the redirect address under Redirect URLs.
        </Item>
        <Item>
          Copy client ID, client secret and issuer, which is `https://{"{team}"}
          .cloudflareaccess.com/cdn-cgi/access/sso/oidc/{"{client ID}"}`. The policies of the application
          decide who may sign in.
        </Item>
        <Item>
          If people see "Your email address isn't verified", the provider behind Access sends no
          `email_verified`: see below.
        </Item>
      </ol>
      <h3>Unverified email addresses</h3>
      <P>
        A person is known by the e-mail address, so one that is not verified signs nobody in: `email_verified`
        must be `true` (or the text `"true"`, which some providers send). Providers such as Microsoft Entra ID
        send no such claim. For them, name the domains whose addresses only you give out:
      </P>
      <Code title="wrangler.toml">{`OIDC_TRUST_EMAIL = "acme.com, acme.de"`}</Code>
      <P>
        Addresses of these domains are then believed without the claim; `false` still signs nobody in. Name no
        domain where others have addresses: guests of your directory bring theirs along, and whoever can set
        an address at the provider could sign in as its owner. With Entra, use the issuer of your own tenant,
        `https://login.microsoftonline.com/{"{tenant ID}"}/v2.0`; the shared ones are refused.
      </P>
      <h3>What members and administrators see</h3>
      <ul>
        <Item>
          A sign-in takes ten minutes at most and works once, in the browser that began it. The session is
          managed by Signpost: it ends after 14 days of inactivity, independently of the session at the
          provider.
        </Item>
        <Item>
          Signing out ends our session. The page after it leads to the provider, to sign out there too, if the
          provider has an `end_session_endpoint`.
        </Item>
        <Item>
          Sign-ins and sign-outs are in the audit log, as `signInAtProvider` and `signOut`, in the workspace
          that the person joined first. A refused sign-in leaves no entry.
        </Item>
        <Item>
          Clocks may differ by a minute. If the provider does not answer within seconds, people get a 503 and
          try again; if its answer cannot be used, they get a 502 and the log has a line that begins with `the
          identity provider could not be used`.
        </Item>
      </ul>
    </>
  ),
};
