import { isEqualInConstantTime, sha256Hex } from "../core/crypto.ts";
import { ApiError } from "../core/error.ts";
import type { Workspace } from "../tenant/workspace.ts";
import { parseWorkspaceRow, WORKSPACE_COLUMNS, type WorkspaceRow } from "../tenant/workspace-row.ts";
import type { AuthenticatedKey, KeyParts } from "./key.ts";

/** Row of {@link findKey}: columns of the key, then of its workspace. */
interface KeyRow extends WorkspaceRow {
  key_id: string;
  key_name: string;
  secret_hash: string;
  scopes: string;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_day: number | null;
}

/**
 * Verifies an API key and returns it with its workspace, in one query. The result isn't cached, so a
 * revocation applies to the next request. Throws `INVALID_API_KEY`, `REVOKED_API_KEY` or `EXPIRED_API_KEY`.
 */
export async function verifyKey(
  directory: D1Database,
  parts: KeyParts,
  nowMs: number,
): Promise<{ key: AuthenticatedKey; workspace: Workspace }> {
  const [row, hash] = await Promise.all([findKey(directory, parts.prefix), sha256Hex(parts.secret)]);
  if (row === null || !isEqualInConstantTime(row.secret_hash, hash)) {
    // Same response for an unknown prefix and a wrong secret, so that callers can't find out which prefixes
    // exist.
    throw createInvalidKeyError("The API key is unknown.");
  }
  if (row.revoked_at !== null && row.revoked_at <= nowMs)
    throw new ApiError("REVOKED_API_KEY", "This API key has been revoked.");
  if (row.expires_at !== null && row.expires_at <= nowMs) {
    throw new ApiError("EXPIRED_API_KEY", "This API key has expired.");
  }
  return {
    key: {
      id: row.key_id,
      name: row.key_name,
      prefix: parts.prefix,
      scopes: JSON.parse(row.scopes),
      lastUsedDay: row.last_used_day,
    },
    workspace: parseWorkspaceRow(row),
  };
}

/** Returns the error for a missing, malformed or unknown key. */
export function createInvalidKeyError(message: string): ApiError {
  return new ApiError("INVALID_API_KEY", message);
}

function findKey(directory: D1Database, prefix: string): Promise<KeyRow | null> {
  return directory
    .prepare(
      `SELECT k.id AS key_id, k.name AS key_name, k.secret_hash, k.scopes, k.expires_at, k.revoked_at,
              k.last_used_day, ${WORKSPACE_COLUMNS}
         FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
        WHERE k.prefix = ?`,
    )
    .bind(prefix)
    .first<KeyRow>();
}
