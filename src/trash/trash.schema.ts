import * as z from "zod";
import { cursorQuery, laterTimestamp, queryBoolean } from "../http/fields.ts";

/** Query of operations that delete an item. */
export const deletionQuery = z.strictObject({
  permanent: queryBoolean
    .optional()
    .describe("`true` erases the item immediately, also if it is in the trash. It cannot be restored."),
});

/** Query parameter of lists that also show the trash. */
export const deletedQuery = {
  deleted: queryBoolean
    .optional()
    .describe(
      "`true` returns the items in the trash instead, last deleted first. Use `meta.next_before` as `before` for the next page.",
    )
    .meta({ example: false }),
};

/** Query of lists without filters. */
export const trashableListQuery = z.strictObject({ ...cursorQuery, ...deletedQuery });

/** Fields that responses have only for items in the trash. */
export const trashedFields = {
  deleted_at: laterTimestamp.optional().describe("Time of the deletion. Only for items in the trash."),
  erase_at: laterTimestamp
    .optional()
    .describe("Time after which the item is erased. Only for items in the trash."),
};
