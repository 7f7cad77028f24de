import * as z from "zod";
import {
  boundedText,
  cursorQuery,
  dateTime,
  EXAMPLE_ID,
  id,
  queryInteger,
  timestamp,
} from "../http/fields.ts";
import { ACTOR_TYPES } from "../tenant/actor.ts";
import { RESOURCE_TYPES } from "./resource-type.ts";

/** Maximum number of entries per page. An entry can contain two versions of all fields of a link. */
const PAGE_MAX = 100;
const NAME_MAX_LENGTH = 100;

/** Query parameters that select a page of a log. */
const pageShape = {
  limit: queryInteger(1, PAGE_MAX, 50).describe("Number of entries to return."),
  before: cursorQuery.before.describe("Returns only entries older than the entry with this ID."),
};

export const listAuditQuery = z.strictObject({
  ...pageShape,
  resource_type: z
    .enum(RESOURCE_TYPES)
    .optional()
    .describe("Returns only changes to resources of this type."),
  resource: z
    .uuid({ error: "must be a UUID" })
    .toLowerCase()
    .optional()
    .describe("Returns only changes to the resource with this ID, which may be deleted.")
    .meta({ example: EXAMPLE_ID }),
  actor: boundedText(1, NAME_MAX_LENGTH)
    .optional()
    .describe("Returns only changes by this actor: the ID of an API key, member or SCIM token, or `admin`.")
    .meta({ example: "admin" }),
  operation: boundedText(1, NAME_MAX_LENGTH)
    .optional()
    .describe("Returns only changes by this operation.")
    .meta({ example: "updateLink" }),
  from: dateTime.optional().describe("Returns only changes made at this time or later."),
  to: dateTime.optional().describe("Returns only changes made before this time."),
});

export const historyQuery = z.strictObject(pageShape);

/** Audit log entry in a response. */
export const entryResponse = z
  .object({
    id,
    at: timestamp,
    actor: z
      .object({
        type: z.enum(ACTOR_TYPES),
        id: z.string().meta({ example: "01a1fd70-e5c8-7a02-8c11-4d5e6f708192" }),
        name: z
          .string()
          .describe(
            "Name at the time of the change, kept even if the actor is deleted. For an identity provider, the public part of its SCIM token.",
          )
          .meta({ example: "Website" }),
      })
      .describe(
        "Who made the change: an API key, a person, an administrator (`admin`) or an identity provider (`scim`).",
      ),
    operation: z
      .string()
      .describe(
        "`operationId` of this API, the name of an administrator's command, or an action outside this API, such as `signInByLink` or `updateScimUser`.",
      )
      .meta({ example: "updateLink" }),
    resource: z.object({ type: z.enum(RESOURCE_TYPES), id }),
    changes: z
      // An array of two, not a tuple: older JSON Schema validators reject every item of a tuple.
      .record(z.string(), z.array(z.unknown()).length(2))
      .describe(
        'Old and new value of each changed field. When a resource is created, all old values are null; when it is deleted, all new values are null. Secrets are shown as `…`, URLs of webhook endpoints without path and query, and values over 2 KiB as `{"omitted_bytes": n}`. The old values of a link are always complete, so that they can be restored.',
      )
      .meta({ example: { title: ["Sale", "Summer sale"], enabled: [false, true] } }),
    request_id: z
      .uuid()
      .describe("ID of the request, as in its response.")
      .meta({ example: "01a20e4d-a7e0-7d19-8c4e-90a5b6c7d8e9" }),
  })
  .meta({ id: "AuditEntry" });

export type EntryResponse = z.output<typeof entryResponse>;
