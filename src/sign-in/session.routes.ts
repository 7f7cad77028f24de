import * as z from "zod";
import { toIso, toIsoOrNull } from "../core/time.ts";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { selectMemberships } from "../members/memberships.ts";
import { clearSessionCookie } from "../members/session-cookie.ts";
import { endSession, endSessionById, listSessions } from "../members/sessions.ts";
import { listScopes } from "../permissions/roles.ts";
import type { VerifiedSession } from "../tenant/actor.ts";
import { currentSession, sessionResponse } from "./session.schema.ts";

const common = { tag: "Sessions", rateLimit: "A", scope: "session" } as const;

/** Returns the session of a request to an operation whose scope only people have. */
function getSession(c: ApiContext): VerifiedSession {
  if (c.var.session === undefined) throw new Error("a scope of people was given to a key");
  return c.var.session;
}

const get = defineRoute(
  {
    ...common,
    id: "getSession",
    summary: "Get the signed-in person, their role in the workspace, and their workspaces",
    method: "get",
    path: "/v1/session",
    data: currentSession,
  },
  async (c) => {
    const { id, email, createdAt, expiresAt, member, slug } = getSession(c);
    const { workspace } = c.var;
    return {
      data: {
        id,
        email,
        name: member.name,
        created_at: toIso(createdAt),
        expires_at: toIso(expiresAt),
        workspace: {
          id: workspace.id,
          slug,
          name: workspace.name,
          plan: workspace.plan,
          suspended_at: toIsoOrNull(workspace.suspendedAt),
        },
        role: member.role,
        scopes: [...listScopes(member.role)],
        workspaces: (await selectMemberships(tenantFor(c).directory, email)).map(
          ({ suspendedAt, ...membership }) => ({ ...membership, suspended_at: toIsoOrNull(suspendedAt) }),
        ),
      },
    };
  },
);

const signOut = defineRoute(
  {
    ...common,
    id: "endCurrentSession",
    summary: "Sign out",
    method: "delete",
    path: "/v1/session",
    worksDuringMove: true,
    data: deletedResponse,
    headers: { "Set-Cookie": "Removes the session cookie from the browser." },
  },
  async (c) => {
    const { id } = getSession(c);
    await endSessionById(tenantFor(c), id);
    c.header("Set-Cookie", clearSessionCookie(c.var.settings.appUrl));
    return { data: { id, deleted: true as const } };
  },
);

const list = defineRoute(
  {
    ...common,
    id: "listSessions",
    summary: "List your sessions, newest first",
    method: "get",
    path: "/v1/sessions",
    data: z.array(sessionResponse),
  },
  async (c) => {
    const { id, email } = getSession(c);
    const sessions = await listSessions(tenantFor(c).directory, email, c.var.nowMs);
    return {
      data: sessions.map((session) => ({
        id: session.id,
        user_agent: session.userAgent,
        is_current: session.id === id,
        created_at: toIso(session.createdAt),
        last_seen_at: toIso(session.lastSeenAt),
        expires_at: toIso(session.expiresAt),
      })),
    };
  },
);

const end = defineRoute(
  {
    ...common,
    id: "endSession",
    summary: "End one of your sessions",
    method: "delete",
    path: "/v1/sessions/:session_id",
    worksDuringMove: true,
    data: deletedResponse,
  },
  async (c) => {
    const id = c.req.param("session_id") ?? "";
    await endSession(tenantFor(c), getSession(c).email, id);
    return { data: { id, deleted: true as const } };
  },
);

export const sessionRoutes: Route[] = [get, signOut, list, end];
