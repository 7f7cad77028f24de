import { toIso, toIsoOrNull } from "../core/time.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { readUsage } from "./usage-report.ts";
import { usageResponse, workspaceResponse } from "./workspace.schema.ts";

const common = { tag: "Workspace", rateLimit: "A", method: "get", scope: "workspace:read" } as const;

const get = defineRoute(
  {
    ...common,
    id: "getWorkspace",
    summary: "Get the workspace of the API key",
    path: "/v1/workspace",
    data: workspaceResponse,
  },
  async (c) => {
    const { id, name, description, plan, createdAt, suspendedAt } = c.var.workspace;
    return {
      data: {
        id,
        name,
        description,
        plan,
        created_at: toIso(createdAt),
        suspended_at: toIsoOrNull(suspendedAt),
      },
    };
  },
);

const usage = defineRoute(
  {
    ...common,
    id: "getUsage",
    summary: "Get usage and limits of the plan",
    path: "/v1/workspace/usage",
    data: usageResponse,
  },
  async (c) => ({ data: await readUsage(tenantFor(c), c.var.allowance.callsThisMonth) }),
);

export const workspaceRoutes: Route[] = [get, usage];
