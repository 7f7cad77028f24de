import { defineResource, shownAs } from "../audit/describe-changes.ts";
import { bioPages } from "./bio.table.ts";

/** Bio pages as the log of changes has them. */
export const auditedPage = defineResource("bio_page", bioPages, {
  title: "title",
  description: "description",
  slug: "slug",
  page_data: shownAs("large", "pageData"),
  is_published: "isPublished",
});
