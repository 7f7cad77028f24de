import { Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const provisioning: Guide = {
  id: "scim",
  title: "Provisioning (SCIM)",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Your identity provider can manage the members of a workspace: anyone you assign there becomes a
        member, and anyone you remove loses access with their next request. It uses SCIM 2.0 (RFC 7643, RFC
        7644) at {`\`${apiUrl}/scim/v2\``}. Ask your administrator to create a token for your workspace with
        `npm run admin -- scim-token create SLUG`. The token starts with `svc_scim_` and is only shown once.
        `scim-token revoke PREFIX` revokes it.
      </P>
      <P>
        People whose email address has a domain that your workspace hasn't proved join only after they accept
        the membership at a sign-in. An active custom domain is proved, and your administrator can vouch for
        others: `scim-token create SLUG --email-domain acme.com`.
      </P>
      <h3>Okta</h3>
      <ol>
        <Item>
          Under Applications, open your app integration, or create one. Under General, App Settings, Edit,
          choose SCIM for provisioning, and save.
        </Item>
        <Item>
          {`Under Provisioning, Integration, Edit: the base URL is \`${apiUrl}/scim/v2\`, the unique identifier field is \`userName\`. Choose to push new users, profile updates and groups. Select the authentication mode HTTP Header and paste the token. Test the configuration, and save.`}
        </Item>
        <Item>
          Under Provisioning, To App, Edit: enable Create Users, Update User Attributes and Deactivate Users,
          and save.
        </Item>
        <Item>
          Assign people under Assignments. Under Push Groups, push the groups whose names assign roles (see
          below).
        </Item>
      </ol>
      <h3>Microsoft Entra ID</h3>
      <ol>
        <Item>
          Under Enterprise apps, create your own application (not from the gallery). Open Provisioning and
          choose the mode Automatic.
        </Item>
        <Item>
          {`Enter \`${apiUrl}/scim/v2\` as the tenant URL and the token as the secret token. Test the connection, and save. You do not need the flag \`?aadOptscim062020\`; requests with and without it are supported.`}
        </Item>
        <Item>
          Under Mappings, keep `userName`, `active`, `displayName`, `emails[type eq "work"].value`,
          `name.givenName`, `name.familyName` and `externalId`. You can delete the others, which are ignored.
          For a user without `mail`, `userName` must be an email address.
        </Item>
        <Item>Assign people and groups to the application, and start provisioning.</Item>
      </ol>
      <h3>Roles</h3>
      <Table
        head={["Group or value of `roles`", "Role"]}
        rows={[
          ["`owner`, `owners`, `signpost-owner`, `signpost-owners`", "owner"],
          ["`editor`, `editors`, `signpost-editor`, `signpost-editors`", "editor"],
          ["`viewer`, `viewers`, `signpost-viewer`, `signpost-viewers`", "viewer"],
          ["any other name", "none"],
        ]}
      />
      <ul>
        <Item>
          Names must match in full and are not case-sensitive. A member gets the highest role of their groups.
          If none of their groups has a role, they get the role from the attribute `roles`, otherwise the role
          assigned by the administrator, otherwise viewer.
        </Item>
        <Item>
          Even the last owner can be deactivated, because an identity provider must be able to end the access
          of anyone who leaves. API keys keep working. Your administrator can add an owner, or make a member
          an owner with `npm run admin -- member set-role`.
        </Item>
      </ul>
      <h3>What happens to members</h3>
      <ul>
        <Item>
          Deactivating (`"active": false`) or deleting a user ends their access with the next request and
          deletes their sign-in links for this workspace. Their sessions are deleted too, unless they are an
          active member of another workspace: a workspace cannot sign people out of another one. A user who is
          reactivated stays the same member; a deleted user who is created again becomes a new member.
        </Item>
        <Item>
          People are identified by their email address, which is stored in lower case. This also applies to
          members added by the administrator: their `userName` is the email address.
        </Item>
        <Item>
          Every change is recorded in the audit log of the workspace, with the token as the actor. Creating
          and revoking tokens is recorded too.
        </Item>
        <Item>
          Two users in a workspace cannot have the same `userName` or email address, and two groups cannot
          have the same `displayName`. The comparison is not case-sensitive. Duplicates return 409 with the
          `scimType` `uniqueness`.
        </Item>
      </ul>
      <Table
        head={["Feature", "Support"]}
        rows={[
          [
            "Users",
            "`/Users`: create, read, list, replace, PATCH, delete. At most 10,000 members per workspace",
          ],
          [
            "Groups",
            "`/Groups`: the same operations. At most 500 per workspace; PATCH returns 204 without a body",
          ],
          ["Lists", "`startIndex`, `count` up to 200, `attributes`, `excludedAttributes`, `filter`"],
          [
            "Filters",
            "All operators, `and`, `or` and `not`. Users: `userName`, `externalId`, `id`, `emails`, `active`, `displayName`, `name`, `roles`, `meta`. Groups: `displayName`, `externalId`, `id`, `members`",
          ],
          ["PATCH", "At most 100 operations and 1,000 members; a body has at most 256 KiB"],
          [
            "Rate limit",
            "25 requests per second and token, then 429 with `Retry-After`. They do not count towards the API quota",
          ],
          [
            "Not supported",
            "Bulk operations, `/Me`, sorting, ETags and passwords. Attributes that are not listed here are ignored",
          ],
        ]}
      />
    </>
  ),
};
