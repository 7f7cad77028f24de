import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const signIn: Guide = {
  id: "sign-in",
  title: "Members: sign-in, roles and API keys",
  Body: ({ appUrl }) => (
    <>
      <P>
        People sign in at `{appUrl}` and see every workspace in which their email address is an active member.
        An administrator adds members and creates sign-in links, which work once, within 15 minutes:
      </P>
      <Code title="Administrator">{`npm run --silent admin -- member add --workspace acme --email ada@example.com --name Ada --role owner
npm run --silent admin -- sign-in-link --workspace acme --email ada@example.com`}</Code>
      <Table
        head={["Role", "Permissions"]}
        rows={[
          ["`owner`", "Everything, including API keys and domains"],
          ["`editor`", "Everything except API keys and changes to domains"],
          [
            "`viewer`",
            "Read everything except API keys, and render QR codes. URLs of webhook endpoints have no path and query",
          ],
        ]}
      />
      <P>
        Every operation under `/v1` also works for people, at `{appUrl}`, with their session cookie instead of
        an API key. Send the slug of the workspace in the header `X-SVC-Workspace`; only `GET /v1/session` and
        `GET /v1/sessions` do not need it. Write requests need the `Origin` of the app, which browsers send
        automatically.
      </P>
      <Code title="In a page of the app">{`const { data } = await (await fetch("/v1/session")).json();
await fetch("/v1/links", {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-SVC-Workspace": data.workspace.slug },
  body: JSON.stringify({ url: "https://example.com" }),
});`}</Code>
      <ul>
        <Item>
          Calls by people do not count towards the API quota and work on every plan. Each person can make 20
          calls per second; for them, `limit` and `remaining` in `meta.rate_limit` and in the headers refer to
          that second.
        </Item>
        <Item>
          A session ends after 14 days of inactivity, or after 30 days at the latest. Use is recorded once a
          day, so inactivity can count from up to a day earlier. `DELETE /v1/session`, `DELETE
          /v1/sessions/:session_id` and signing out end a session immediately. You can end sessions and revoke
          keys even while the workspace is being moved to another database. Sign-ins and sign-outs are in the
          audit log. If a member is deactivated, removed or given a different role, this takes effect with the
          next request. If a removed person is not a member of any other workspace, their sessions end too.
        </Item>
        <Item>
          Owners create API keys with `POST /v1/keys`. The key is only returned in that response. `POST
          /v1/keys/:key_id/rotate` replaces a key; with `overlap_hours`, the old key keeps working for up to
          24 hours. `DELETE /v1/keys/:key_id` revokes a key immediately. A workspace can have up to 100 active
          keys. A key keeps working after its creator has left; `created_by.has_left` and the audit log
          (`creator_has_left`) say so.
        </Item>
        <Item>
          Operations that only people can use return 403 `SESSION_REQUIRED` to API keys. If a role does not
          permit an operation, the response is 403 `INSUFFICIENT_ROLE`. If the person is not a member of the
          workspace, it is 403 `NOT_A_MEMBER`.
        </Item>
      </ul>
    </>
  ),
};
