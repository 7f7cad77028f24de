import * as z from "zod";
import { DAY_MS, toIso, toIsoOrNull } from "../core/time.ts";
import { boundedText, dateTime, id, timestamp } from "../http/fields.ts";
import { ALL_SCOPES, SCOPES } from "../permissions/scopes.ts";
import type { CreatedKey, ListedKey } from "./keys.ts";

const NAME_MAX_LENGTH = 200;
const OVERLAP_MAX_HOURS = 24;

const scopes = z.array(z.enum([ALL_SCOPES, ...SCOPES]));

/** Input for creating a key. */
export const newKey = z
  .strictObject({
    name: boundedText(1, NAME_MAX_LENGTH).meta({ example: "Shop" }),
    scopes: scopes
      .min(1)
      .max(SCOPES.length + 1)
      .refine((list) => new Set(list).size === list.length, { error: "must not contain a scope twice" })
      .describe("Scopes of the key. `*` includes every scope.")
      .meta({ example: ["links:read", "links:write"] }),
    expires_at: dateTime
      .nullable()
      .optional()
      .describe("Time from which the key is rejected. Null if the key does not expire."),
  })
  .meta({ id: "NewKey" });

/** Input for rotating a key. */
export const keyRotation = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(OVERLAP_MAX_HOURS)
      .default(0)
      .describe("Hours for which the old key keeps working.")
      .meta({ example: 24 }),
  })
  .meta({ id: "KeyRotation" });

/** Key in a response. */
export const keyResponse = z
  .object({
    id,
    prefix: z.string().describe("Characters that follow `svc_pk_` in the key.").meta({ example: "JyvrUpZB" }),
    name: z.string().meta({ example: "Shop" }),
    scopes: z.array(z.string()).meta({ example: ["links:read", "links:write"] }),
    expires_at: timestamp.nullable().meta({ example: "2027-01-01T00:00:00.000Z" }),
    revoked_at: timestamp
      .nullable()
      .describe("Time from which the key is rejected. It is in the future while a rotated key still works.")
      .meta({ example: null }),
    replaced_by: z
      .uuid()
      .nullable()
      .describe("ID of the key that replaced this key in a rotation.")
      .meta({ example: null }),
    last_used_on: z.iso.date().nullable().describe("Day of the last use, in UTC.").meta({ example: null }),
    created_at: timestamp,
    created_by: z
      .object({
        member_id: id,
        name: z.string().describe("Name at the time of creation.").meta({ example: "Ada Lovelace" }),
        has_left: z
          .boolean()
          .describe(
            "True if the member was removed or deactivated since. The key still works; rotate or revoke it.",
          )
          .meta({ example: false }),
      })
      .nullable()
      .describe("Member who created or rotated the key. Null if an administrator did, or if it is unknown."),
  })
  .meta({ id: "Key" });

/** Response to creating or rotating a key. The only response that contains the key's text. */
export const createdKeyResponse = keyResponse
  .extend({
    key: z
      .string()
      .describe("The API key. It is only shown once, because only a hash of its secret is stored.")
      .meta({ example: `svc_pk_JyvrUpZB.${"0aB".repeat(21)}x` }),
  })
  .meta({ id: "MadeKey" });

export function formatKeyResponse(key: ListedKey): z.input<typeof keyResponse> {
  return {
    id: key.id,
    prefix: key.prefix,
    name: key.name,
    scopes: key.scopes,
    expires_at: toIsoOrNull(key.expiresAt),
    revoked_at: toIsoOrNull(key.revokedAt),
    replaced_by: key.replacedBy,
    last_used_on: key.lastUsedDay === null ? null : toIso(key.lastUsedDay * DAY_MS).slice(0, 10),
    created_at: toIso(key.createdAt),
    created_by:
      key.createdBy === null
        ? null
        : { member_id: key.createdBy, name: key.createdByName ?? "", has_left: key.creatorHasLeft },
  };
}

/** Formats a new key, including its text. */
export function formatCreatedKey({ key, text }: CreatedKey): z.input<typeof createdKeyResponse> {
  return { ...formatKeyResponse({ ...key, creatorHasLeft: false }), key: text };
}
