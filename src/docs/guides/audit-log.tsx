import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const auditLog: Guide = {
  id: "audit-log",
  title: "Audit log",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Every change in a workspace is recorded as an entry. It shows who made the change, with which
        operation and request, and the old and new value of each changed field. The entry is written in the
        same transaction as the change, so one never exists without the other. The key needs the scope
        `audit:read`:
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
          Filter entries by `resource_type`, `resource`, `actor`, `operation`, `from` and `to`. A page can
          contain fewer entries than `limit`. Pass `meta.next_before` as `before` until it is null.
        </Item>
        <Item>
          When a resource is created or restored, all old values are null; when it is deleted, all new values
          are null. `permanent` means that it was not moved to the trash, or was erased from it. Items that
          expire in the trash have no further entry. Unchanged fields are not listed. A bulk operation adds
          one entry for each changed resource. Sending a test event or resending a delivery adds an entry
          without changes.
        </Item>
        <Item>
          Passwords and signing secrets are never in the log. The value `…` means that one was replaced. URLs
          of webhook endpoints have no path and query.
        </Item>
        <Item>
          Values over 2 KiB are replaced by their size, as `omitted_bytes`. The old values of a link are
          always complete, so every change can be reverted. The long new value of a link is the old value of
          the next change of the field.
        </Item>
        <Item>
          `actor.type` is `key`, `person`, `admin` for the administrator, or `scim` for an identity provider,
          whose name is the public part of its token. `operation` is the operation ID of this API, or the name
          of the administrator's command. For identity providers, it is `createScimUser`, `replaceScimUser`,
          `updateScimUser` or `deleteScimUser`, and likewise for groups.
        </Item>
        <Item>
          When a member joins or leaves a group of the identity provider, or a group changes their role, an
          entry for the member contains `group` and `role`. To list every role that a member has had, set
          `resource` to the member's ID. `own_role` is the role that the member would have without groups. It
          is included if a group overrides it.
        </Item>
        <Item>
          `signInByLink` is logged in the workspace of the sign-in link, `signInAtProvider` in the workspace
          that the person joined first, and `signOut` in the workspace in which the sign-in was logged. They
          are not logged in the person's other workspaces. There is no entry when a session expires, is
          replaced by another sign-in or ends with the membership.
        </Item>
        <Item>
          Automatic changes, such as an endpoint disabled after failures, are not logged here. They are sent
          as events.
        </Item>
        <Item>
          Entries are kept for one year, including entries for deleted resources. They are deleted with the
          workspace.
        </Item>
      </ul>
      <P>
        The history of a link contains its entries of the log. Reading it requires the scope `links:read`, and
        reverting a change requires `links:write`:
      </P>
      <Code title="Revert a change to a link">{`curl "${apiUrl}/v1/links/$LINK_ID/history" -H "Authorization: Bearer $KEY"

curl -X POST "${apiUrl}/v1/links/$LINK_ID/history/$ENTRY_ID/revert" -H "Authorization: Bearer $KEY"`}</Code>
      <P>
        A revert restores the old values of that entry. It works like an update: the plan must still include
        the fields, webhooks are sent, and the history gets a new entry. Later changes to other fields are
        kept. Creating a link, deleting a link and changing only its password cannot be reverted: 409
        `ENTRY_NOT_REVERTIBLE`. If the entry also contains other fields, these are restored, and a warning
        says that the password was not.
      </P>
    </>
  ),
};
