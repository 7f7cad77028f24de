import * as z from "zod";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { listMembersQuery, memberResponse } from "./members.schema.ts";
import { listMembers } from "./members.ts";

const list = defineRoute(
  {
    id: "listMembers",
    tag: "Workspace",
    rateLimit: "A",
    method: "get",
    scope: "workspace:read",
    summary: "List the members of the workspace in the order they joined",
    path: "/v1/workspace/members",
    query: listMembersQuery,
    data: z.array(memberResponse),
  },
  async (c, { query }) => ({ data: await listMembers(tenantFor(c), query) }),
);

export const memberRoutes: Route[] = [list];
