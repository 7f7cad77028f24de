import * as z from "zod";
import { id, laterTimestamp, timestamp } from "../http/fields.ts";
import { ROLES } from "../permissions/roles.ts";
import { PLAN_NAMES } from "../tenant/plans.ts";

const role = z.enum(ROLES).meta({ example: "owner" });
const workspace = {
  id,
  slug: z.string().describe("Value of `X-SVC-Workspace`.").meta({ example: "acme" }),
  name: z.string().meta({ example: "Acme" }),
  plan: z.enum(PLAN_NAMES).meta({ example: "business" }),
  suspended_at: timestamp
    .nullable()
    .describe("Time since which the administrator of this service has suspended the workspace.")
    .meta({ example: null }),
};

const email = z.string().meta({ example: "ada@example.com" });
const expiresAt = laterTimestamp
  .describe("Time at which the session ends if it is not used until then.")
  .meta({ example: "2026-12-05T09:30:00.000Z" });

/** Session of the request, with everything that the dashboard needs to start. */
export const currentSession = z
  .object({
    id,
    email,
    name: z.string().meta({ example: "Ada" }),
    created_at: timestamp,
    expires_at: expiresAt,
    workspace: z.object(workspace).meta({ id: "SessionWorkspace" }),
    role,
    scopes: z
      .array(z.string())
      .describe("Scopes of the role in the workspace. `*` includes every scope.")
      .meta({ example: ["*"] }),
    workspaces: z
      .array(z.object({ ...workspace, role }).meta({ id: "Membership" }))
      .describe("Workspaces in which the person is an active member, in the order they joined."),
  })
  .meta({ id: "CurrentSession" });

/** Session in a list of the person's sessions. */
export const sessionResponse = z
  .object({
    id,
    user_agent: z.string().describe("Browser and operating system.").meta({ example: "Firefox on Linux" }),
    is_current: z.boolean().describe("True for the session of this request.").meta({ example: true }),
    created_at: timestamp,
    last_seen_at: timestamp.describe("Day of the last use."),
    expires_at: expiresAt,
  })
  .meta({ id: "Session" });
