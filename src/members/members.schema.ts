import * as z from "zod";
import { EXAMPLE_ID, id, queryInteger } from "../http/fields.ts";
import { ROLES } from "../permissions/roles.ts";

/** Maximum and default number of members in a response. */
const MEMBERS_MAX = 1_000;

export const listMembersQuery = z.strictObject({
  limit: queryInteger(1, MEMBERS_MAX, MEMBERS_MAX).describe("Number of members to return."),
  after: z
    .uuid({ error: "must be a UUID" })
    .toLowerCase()
    .optional()
    .describe("Returns only members who joined after the member with this ID, who may have left.")
    .meta({ example: EXAMPLE_ID }),
});

/** Member in a response. */
export const memberResponse = z
  .object({
    id,
    email: z.string().meta({ example: "ada@example.com" }),
    name: z.string().meta({ example: "Ada" }),
    role: z.enum(ROLES).meta({ example: "owner" }),
  })
  .meta({ id: "Member" });
