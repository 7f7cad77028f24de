import * as z from "zod";
import { toIso } from "../core/time.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { memberResponse } from "../members/members.schema.ts";
import { INVITATION_PATH } from "../members/sign-in-link-address.ts";
import { createInvitation, createRecovery, listInvitations, revokeInvitation } from "./invitations.ts";
import { removeMember, setMemberRole } from "./manage-members.ts";
import {
  createdInvitationResponse,
  formatInvitation,
  invitationResponse,
  memberChange,
  newInvitation,
  recoveryResponse,
} from "./people.schema.ts";

const common = { tag: "Members", rateLimit: "A", scope: "members" } as const;
const MANAGED = "MEMBERS_MANAGED_BY_PROVIDER";

const setRole = defineRoute(
  {
    ...common,
    id: "updateMember",
    summary: "Change the role of a member",
    description: "The role applies from the member's next request. A workspace keeps at least one owner.",
    method: "patch",
    path: "/v1/members/:member_id",
    body: memberChange,
    data: memberResponse,
    errors: ["LAST_OWNER", MANAGED],
  },
  async (c, { body: { role } }) => ({
    data: await setMemberRole(tenantFor(c), c.req.param("member_id") ?? "", role),
  }),
);

const remove = defineRoute(
  {
    ...common,
    id: "removeMember",
    summary: "Remove a member from the workspace",
    description:
      "The person loses access immediately. The API keys that they created keep working. A workspace keeps at least one owner.",
    method: "delete",
    path: "/v1/members/:member_id",
    worksDuringMove: true,
    data: deletedResponse,
    errors: ["LAST_OWNER", MANAGED],
  },
  async (c) => {
    const id = c.req.param("member_id") ?? "";
    await removeMember(tenantFor(c), id);
    return { data: { id, deleted: true as const } };
  },
);

const recover = defineRoute(
  {
    ...common,
    id: "recoverMember",
    summary: "Create a URL that gives a member access again",
    description:
      "For members who can no longer sign in. The URL works once, within 24 hours, and gives access to this workspace only: the person continues with the account they are signed in with, or with a new one.",
    method: "post",
    path: "/v1/members/:member_id/recovery",
    status: 201,
    data: recoveryResponse,
    errors: ["INVITATION_LIMIT_EXCEEDED", MANAGED],
  },
  async (c) => {
    const memberId = c.req.param("member_id") ?? "";
    const { invitation, token } = await createRecovery(tenantFor(c), memberId);
    const url = `${c.var.settings.appUrl}${INVITATION_PATH}${token}`;
    return { data: { member_id: memberId, url, expires_at: toIso(invitation.expiresAt) } };
  },
);

const listOpen = defineRoute(
  {
    ...common,
    id: "listInvitations",
    summary: "List the open invitations of the workspace, oldest first",
    method: "get",
    path: "/v1/members/invitations",
    data: z.array(invitationResponse),
  },
  async (c) => ({ data: (await listInvitations(tenantFor(c))).map(formatInvitation) }),
);

const invite = defineRoute(
  {
    ...common,
    id: "createInvitation",
    summary: "Invite a person to the workspace",
    description:
      "Returns a URL to send to the person. It works once, within 7 days. The person joins with the account they are signed in with, or with a new one. A further invitation of the same address replaces the first. A workspace can have up to 200 open invitations.",
    method: "post",
    path: "/v1/members/invitations",
    body: newInvitation,
    status: 201,
    data: createdInvitationResponse,
    errors: ["ALREADY_A_MEMBER", "INVITATION_LIMIT_EXCEEDED", MANAGED],
  },
  async (c, { body }) => {
    const { invitation, token } = await createInvitation(tenantFor(c), body);
    return {
      data: { ...formatInvitation(invitation), url: `${c.var.settings.appUrl}${INVITATION_PATH}${token}` },
    };
  },
);

const revoke = defineRoute(
  {
    ...common,
    id: "revokeInvitation",
    summary: "Revoke an invitation",
    method: "delete",
    path: "/v1/members/invitations/:invitation_id",
    worksDuringMove: true,
    data: deletedResponse,
  },
  async (c) => {
    const id = c.req.param("invitation_id") ?? "";
    await revokeInvitation(tenantFor(c), id);
    return { data: { id, deleted: true as const } };
  },
);

export const peopleRoutes: Route[] = [listOpen, invite, revoke, setRole, remove, recover];
