import { Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const provisioning: Guide = {
  id: "scim",
  title: "Provisioning (SCIM)",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Your identity provider can manage the members of a workspace: anyone you assign there becomes a
        member, and anyone you remove loses access with their next request. It speaks SCIM 2.0 (RFC 7643, RFC
        7644) at
        {` \`${apiUrl}/scim/v2\``}. The operator of the service makes a token for your workspace with `npm run
        admin -- scim-token create SLUG`; it begins with `svc_scim_`, is shown once, and `scim-token revoke
        PREFIX` ends it.
      </P>
      <h3>Okta</h3>
      <ol>
        <Item>
          Under Applications, open your app integration, or create one. Under General, App Settings, Edit,
          choose SCIM as the provisioning, and save.
        </Item>
        <Item>
          {`Under Provisioning, Integration, Edit: the base URL is \`${apiUrl}/scim/v2\`, the unique identifier field is \`userName\`. Choose to push new users, profile updates and groups, the mode HTTP Header, and paste the token. Test the configuration, and save.`}
        </Item>
        <Item>
          Under Provisioning, To App, Edit: enable Create Users, Update User Attributes and Deactivate Users,
          and save.
        </Item>
        <Item>
          Assign people under Assignments. Under Push Groups, push the groups whose names give roles (below).
        </Item>
      </ol>
      <h3>Microsoft Entra ID</h3>
      <ol>
        <Item>
          Under Enterprise apps, create your own application that is not in the gallery, and open Provisioning
          with the mode Automatic.
        </Item>
        <Item>
          {`The tenant URL is \`${apiUrl}/scim/v2\`, the secret token is the token. Test the connection, and save. The flag \`?aadOptscim062020\` is not needed; both ways of changing users are understood.`}
        </Item>
        <Item>
          Under Mappings, keep `userName`, `active`, `displayName`, `emails[type eq "work"].value`,
          `name.givenName`, `name.familyName` and `externalId`. You may delete the others: they are accepted
          and ignored. A user without `mail` needs a `userName` that is an e-mail address.
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
          Names are compared as a whole and without their case. The highest role of a member's groups counts.
          Without such a group, it is that of the attribute `roles`, else the one that the operator has given,
          else viewer.
        </Item>
        <Item>
          The last owner can be deactivated as everybody else: an identity provider must be able to end the
          access of anybody who leaves. API keys go on working, and the operator makes somebody an owner with
          `npm run admin -- member set-role` or adds one.
        </Item>
      </ul>
      <h3>What happens to members</h3>
      <ul>
        <Item>
          `"active": false` and deletion end access at the next call, and delete the sign-in links of this
          workspace. The person's sessions are deleted too, unless another workspace has them as an active
          member: no workspace can sign people out of another. A user who is activated again is the same
          member; one who was deleted is a new one.
        </Item>
        <Item>
          A person is known by the e-mail address, which is kept in lower case. A member whom the operator has
          added is found by it: `userName` of such a member is the address.
        </Item>
        <Item>
          Every change is in the audit log of the workspace, with the token as its actor. Tokens are there
          too, when they are made and revoked.
        </Item>
        <Item>
          Two users of a workspace cannot have the same `userName` or address, nor two groups the same
          `displayName`, in any case of letters: 409 with `scimType` `uniqueness`.
        </Item>
      </ul>
      <Table
        head={["What", "How"]}
        rows={[
          [
            "Users",
            "`/Users`: create, read, list, replace, PATCH, delete. At most 10,000, with other members",
          ],
          ["Groups", "`/Groups`: the same. At most 500; a PATCH of a group answers 204 without it"],
          ["Lists", "`startIndex`, `count` up to 200, `attributes`, `excludedAttributes`, `filter`"],
          [
            "Filters",
            "All operators, `and`, `or`, `not`, on `userName`, `externalId`, `id`, `emails`, `active`, `displayName`, `name`, `roles`, `meta`; groups on `displayName`, `externalId`, `id`, `members`",
          ],
          ["PATCH", "At most 100 operations and 1,000 members; a body has at most 256 KiB"],
          ["Calls", "25 per second for each token: 429 with `Retry-After`. They use no quota of the API"],
          [
            "Not supported",
            "Bulk, `/Me`, sorting, ETags, passwords; attributes that are not listed here are ignored",
          ],
        ]}
      />
    </>
  ),
};
