import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const auditLog: Guide = {
  id: "audit-log",
  title: "Audit log",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Every change in a workspace leaves an entry: who made it, with which operation, in which request, and
        the value of each changed field before and after. The entry is written in the same transaction as the
        change, so that neither exists without the other. The key needs the scope `audit:read`:
      </P>
      <Code title="The latest changes of a resource">{`curl "${apiUrl}/v1/audit?resource=$LINK_ID" -H "Authorization: Bearer $KEY"`}</Code>
      <Code title="An entry">{`{
  "id": "01a20e4d-a7e0-7d19-8000-90a5b6c7d8e9",
  "at": "2026-11-24T16:05:00.000Z",
  "actor": { "type": "key", "id": "01a1fd70-e5c8-7a02-8c11-4d5e6f708192", "name": "Website" },
  "operation": "updateLink",
  "resource": { "type": "link", "id": "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f" },
  "changes": { "title": ["Sale", "Summer sale"], "enabled": [false, true] },
  "request_id": "01a20e4d-a7e0-7d19-8c4e-90a5b6c7d8e9"
}`}</Code>
      <ul>
        <Item>
          `resource_type`, `resource`, `actor`, `operation`, `from` and `to` select entries.
          `meta.next_before` continues a list, also after a page with fewer entries than `limit`.
        </Item>
        <Item>
          A creation has null before, a deletion null after. Unchanged fields are not listed. A bulk operation
          leaves one for each resource that it changed, and a test or a resent delivery of a webhook one with
          no changes.
        </Item>
        <Item>
          Passwords and signing secrets are never in the log. `…` says that one was replaced. Page content and
          documents of a domain beyond 16 KiB are shown by their size, as `omitted_bytes`.
        </Item>
        <Item>
          `actor.type` is `key`, `person`, `admin` for the operator of the service, or `scim` for an identity
          provider, whose name is the public part of its token. `operation` is that of this API, or the words
          of the operator's command. Identity providers have `createScimUser`, `replaceScimUser`,
          `updateScimUser`, `deleteScimUser`, and the same of groups.
        </Item>
        <Item>
          Whoever joins or leaves a group of the identity provider, or has another role because of one, has an
          entry as a member, with `group` and `role`. So `resource` with the id of a member lists every role
          that they ever had. `own_role` is the role without the groups, where a group hides it.
        </Item>
        <Item>
          Sessions: `signInByLink` is in the log of the workspace of the link, `signInAtProvider` in that of
          the workspace that the person joined first, and `signOut` beside the beginning. It is not logged in
          the person's other workspaces. A session that expires, is replaced by another sign-in or ends with
          the membership has no entry of its own.
        </Item>
        <Item>
          Automatic changes, such as an endpoint disabled after failures, are not logged here. They are sent
          as events.
        </Item>
        <Item>
          Entries are kept for a year, also those of deleted resources, and are erased with the workspace.
        </Item>
      </ul>
      <P>
        The history of a link is its part of the log, for keys with `links:read`. A change in it can be
        reverted, with `links:write`:
      </P>
      <Code title="Revert a change of a link">{`curl "${apiUrl}/v1/links/$LINK_ID/history" -H "Authorization: Bearer $KEY"

curl -X POST "${apiUrl}/v1/links/$LINK_ID/history/$ENTRY_ID/revert" -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        The link gets the former values of that entry, as with an update: the plan must still include them,
        webhooks are told, and the history has a new entry. Later changes of other fields stay. A creation, a
        deletion and a former password cannot be restored: 409 `ENTRY_NOT_REVERTIBLE`, or a warning if the
        entry has other fields too.
      </P>
    </>
  ),
};
