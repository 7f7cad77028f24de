import * as z from "zod";
import { toIso } from "../core/time.ts";
import { type Route, route } from "../http/operation.ts";
import { tenantOf } from "../http/tenant.ts";
import { listMembers } from "./members.ts";
import { readUsage } from "./usage-report.ts";
import { memberAnswer, usageAnswer, workspaceAnswer } from "./workspace.schema.ts";

const inWorkspace = { tag: "Workspace", rateLimit: "A", method: "get", scope: "workspace:read" } as const;

const get = route(
  {
    ...inWorkspace,
    id: "getWorkspace",
    summary: "Get the workspace of the API key",
    path: "/v1/workspace",
    data: workspaceAnswer,
  },
  async (c) => {
    const { id, name, description, plan, createdAt } = c.var.workspace;
    return { data: { id, name, description, plan, created_at: toIso(createdAt) } };
  },
);

const usage = route(
  {
    ...inWorkspace,
    id: "getUsage",
    summary: "Get usage against the plan's limits",
    path: "/v1/workspace/usage",
    data: usageAnswer,
  },
  async (c) => ({ data: await readUsage(tenantOf(c), c.var.allowance.callsThisMonth) }),
);

const members = route(
  {
    ...inWorkspace,
    id: "listMembers",
    summary: "List the members of the workspace",
    path: "/v1/workspace/members",
    data: z.array(memberAnswer),
  },
  async (c) => ({ data: await listMembers(tenantOf(c)) }),
);

export const workspaceRoutes: Route[] = [get, usage, members];
