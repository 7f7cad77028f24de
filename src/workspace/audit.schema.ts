import * as z from "zod";
import { RESOURCE_TYPES } from "../audit/resource-type.ts";
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

/** Maximum number of entries per page. An entry can contain two versions of all fields of a link. */
const PAGE_MAX = 100;
const NAME_MAX_LENGTH = 100;

/** Query parameters that select a page of a log. */
const pageShape = {
  limit: queryInteger(1, PAGE_MAX, 50).describe("Number of entries to return."),
  before: cursorQuery.before.describe("Returns only entries that are older than the one with this id."),
};

export const listAuditQuery = z.strictObject({
  ...pageShape,
  resource_type: z.enum(RESOURCE_TYPES).optional().describe("Returns only changes of this kind of resource."),
  resource: z
    .uuid({ error: "must be a UUID" })
    .toLowerCase()
    .optional()
    .describe("Returns only changes of the resource with this id, which may be deleted.")
    .meta({ example: EXAMPLE_ID }),
  actor: boundedText(1, NAME_MAX_LENGTH)
    .optional()
    .describe("Returns only changes by this actor: the ID of an API key, member or SCIM token, or `admin`.")
    .meta({ example: "admin" }),
  operation: boundedText(1, NAME_MAX_LENGTH)
    .optional()
    .describe("Returns only changes by this operation.")
    .meta({ example: "updateLink" }),
  from: dateTime.optional().describe("Returns only changes at this time or later."),
  to: dateTime.optional().describe("Returns only changes before this time."),
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
        "Who made the change: an API key, a person, the operator of the service (`admin`) or an identity provider (`scim`).",
      ),
    operation: z
      .string()
      .describe(
        "`operationId` of this API, the words of the operator's command, or what people and identity providers do elsewhere: `signInByLink`, `updateScimUser`.",
      )
      .meta({ example: "updateLink" }),
    resource: z.object({ type: z.enum(RESOURCE_TYPES), id }),
    changes: z
      .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
      .describe(
        'Value before and after the change, for each field that it changed. A creation has null before, a deletion null after, for each field with a value. Secrets are shown as `…`, and very large values as `{"omitted_bytes": n}`.',
      )
      .meta({ example: { title: ["Sale", "Summer sale"], enabled: [false, true] } }),
    request_id: z
      .uuid()
      .describe("Id of the request, as in its response.")
      .meta({ example: "01a20e4d-a7e0-7d19-8c4e-90a5b6c7d8e9" }),
  })
  .meta({ id: "AuditEntry" });

export type EntryResponse = z.output<typeof entryResponse>;
