import * as z from "zod";
import { toIso } from "../core/time.ts";
import { id, laterTimestamp, timestamp } from "../http/fields.ts";
import { normalizeEmail } from "../members/email.ts";
import { INVITATION_PATH } from "../members/sign-in-link-address.ts";
import { ROLES } from "../permissions/roles.ts";
import type { Invitation } from "./invitations.ts";

const email = z
  .string()
  .transform((text, context) => {
    const normalized = normalizeEmail(text);
    if (normalized !== null) return normalized;
    context.addIssue({ code: "custom", message: "must be an email address" });
    return z.NEVER;
  })
  .meta({ format: "email", example: "grace@example.com" });

/** Input for an invitation. */
export const newInvitation = z
  .strictObject({ email, role: z.enum(ROLES).meta({ example: "editor" }) })
  .meta({ id: "NewInvitation" });

/** Input for changing a member. */
export const memberChange = z
  .strictObject({ role: z.enum(ROLES).meta({ example: "owner" }) })
  .meta({ id: "MemberChange" });

/** Invitation in a response. */
export const invitationResponse = z
  .object({
    id,
    email: z.string().meta({ example: "grace@example.com" }),
    role: z.enum(ROLES).meta({ example: "editor" }),
    created_by: z
      .object({ member_id: id, name: z.string().meta({ example: "Ada" }) })
      .describe("Owner who created the invitation, with their name at that time."),
    created_at: timestamp,
    expires_at: laterTimestamp,
  })
  .meta({ id: "Invitation" });

const url = z
  .url()
  .describe("URL to send to the person. It is only returned in this response, and works once.");

/** Response to creating an invitation. */
export const createdInvitationResponse = invitationResponse
  .extend({ url: url.meta({ example: `https://app.example.com${INVITATION_PATH}${"aB3".repeat(16)}` }) })
  .meta({ id: "MadeInvitation" });

/** Response to creating a recovery. */
export const recoveryResponse = z
  .object({
    member_id: id,
    url: url.meta({ example: `https://app.example.com${INVITATION_PATH}${"cD4".repeat(16)}` }),
    expires_at: laterTimestamp,
  })
  .meta({ id: "MemberRecovery" });

export function formatInvitation(invitation: Invitation): z.input<typeof invitationResponse> {
  const { id, email, role, createdBy, createdByName, createdAt, expiresAt } = invitation;
  return {
    ...{ id, email, role, created_by: { member_id: createdBy, name: createdByName } },
    ...{ created_at: toIso(createdAt), expires_at: toIso(expiresAt) },
  };
}
