import { ApiError } from "../core/error.ts";
import type { Role } from "../permissions/roles.ts";
import type { VerifiedSession } from "../tenant/actor.ts";
import { DELETED_FROM, DELETED_TO } from "../tenant/deleted-name.ts";
import type { Workspace } from "../tenant/workspace.ts";
import { parseWorkspaceRow, WORKSPACE_COLUMNS, type WorkspaceRow } from "../tenant/workspace-row.ts";

interface SessionRow extends Omit<WorkspaceRow, "id"> {
  session_id: string;
  person: string;
  session_created_at: number;
  last_seen_at: number;
  expires_at: number;
  member_id: string;
  member_name: string;
  member_email: string;
  role: Role;
  slug: string;
  id: string | null;
}

/**
 * Verifies a session and returns it with the person's workspace, in one query. The result isn't cached, so
 * that an ended session, a deactivated or removed member and a changed role take effect on the next call.
 * Without a slug, uses the workspace that the person joined first. Throws `INVALID_SESSION` or
 * `NOT_A_MEMBER`.
 */
export async function verifySession(
  directory: D1Database,
  tokenHash: string,
  slug: string | null,
  nowMs: number,
): Promise<{ session: VerifiedSession; workspace: Workspace }> {
  const row = await findSession(directory, tokenHash, slug);
  if (row === null || row.expires_at <= nowMs) {
    throw createInvalidSessionError("The session has ended. Sign in again.");
  }
  if (row.id === null) {
    // Same response for an unknown slug, so that callers can't find out which workspaces exist.
    const where = slug === null ? "any workspace" : "the workspace in X-SVC-Workspace";
    throw new ApiError("NOT_A_MEMBER", `You are not an active member of ${where}.`);
  }
  return {
    session: {
      id: row.session_id,
      person: row.person,
      email: row.member_email,
      createdAt: row.session_created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
      member: { id: row.member_id, name: row.member_name, role: row.role },
      slug: row.slug,
    },
    workspace: parseWorkspaceRow(row as WorkspaceRow),
  };
}

/** Returns the error for a missing, unknown or ended session. */
export function createInvalidSessionError(message: string): ApiError {
  return new ApiError("INVALID_SESSION", message);
}

function findSession(
  directory: D1Database,
  tokenHash: string,
  slug: string | null,
): Promise<SessionRow | null> {
  return directory
    .prepare(
      `SELECT s.id AS session_id, s.person, s.created_at AS session_created_at, s.last_seen_at, s.expires_at,
              m.id AS member_id, m.name AS member_name, m.email AS member_email, m.role, w.slug, ${WORKSPACE_COLUMNS}
         FROM sessions s
         LEFT JOIN members m ON m.person = s.person AND m.is_active = 1 AND m.is_accepted = 1
         LEFT JOIN workspaces w ON w.id = m.workspace_id AND (?2 IS NULL OR w.slug = ?2)
                               AND NOT (w.slug >= '${DELETED_FROM}' AND w.slug < '${DELETED_TO}')
        WHERE s.token_hash = ?1
        ORDER BY w.id IS NULL, m.id LIMIT 1`,
    )
    .bind(tokenHash, slug)
    .first<SessionRow>();
}
