import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const signIn: Guide = {
  id: "sign-in",
  title: "Members: sign-in, roles and API keys",
  Body: ({ appUrl }) => (
    <>
      <P>
        People sign in at `{appUrl}` and see every workspace that lists their e-mail address as an active
        member. The operator of the service adds members, and creates sign-in links, which work once, within
        15 minutes:
      </P>
      <Code title="Operator">{`npm run --silent admin -- member add --workspace acme --email ada@example.com --name Ada --role owner
npm run --silent admin -- sign-in-link --workspace acme --email ada@example.com`}</Code>
      <Table
        head={["Role", "What it may do"]}
        rows={[
          ["`owner`", "Everything, also API keys and domains"],
          ["`editor`", "Everything but API keys and changes of domains"],
          ["`viewer`", "Reads, and QR codes of links and of texts"],
        ]}
      />
      <P>
        Every operation under `/v1` works for people too, at `{appUrl}` and with the cookie of their session
        instead of a key. A request names the workspace in `X-SVC-Workspace`; only `GET /v1/session` and `GET
        /v1/sessions` need none. A changing request needs the `Origin` of the app, which browsers send by
        themselves.
      </P>
      <Code title="In a page of the app">{`const { data } = await (await fetch("/v1/session")).json();
await fetch("/v1/links", {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-SVC-Workspace": data.workspace.slug },
  body: JSON.stringify({ url: "https://example.com" }),
});`}</Code>
      <ul>
        <Item>
          Calls of people use no API quota and work on every plan. Each person may make 20 in a second;
          `limit` and `remaining` in `meta.rate_limit` and in the headers are about that second.
        </Item>
        <Item>
          A session ends 14 days after its last use (one that is used daily counts from the day), 30 days
          after it began, and at once with `DELETE /v1/session`, with `DELETE /v1/sessions/:session_id` or
          with a sign-out. Sessions and keys can be ended also while the workspace is moved to another
          database. Sign-ins and sign-outs are in the audit log. If a member is deactivated, removed or given
          a different role, this takes effect with the next request. Removal also ends the sessions of a
          person whom no workspace lists any more.
        </Item>
        <Item>
          Owners create API keys with `POST /v1/keys`. The key is only returned in that response. `POST
          /v1/keys/:key_id/rotate` replaces one; with `overlap_hours` up to 24, the former key works for so
          long beside the new one. `DELETE /v1/keys/:key_id` revokes one at once. A workspace can have 100
          keys that work.
        </Item>
        <Item>
          Keys cannot do what only people can: 403 `SESSION_REQUIRED`. A role that does not include an
          operation is 403 `INSUFFICIENT_ROLE`, a workspace that does not list the person 403 `NOT_A_MEMBER`.
        </Item>
      </ul>
    </>
  ),
};
