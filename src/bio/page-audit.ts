import { defineResource, shownAs } from "../audit/describe-changes.ts";
import { bioPages } from "./bio.table.ts";

/** Fields of bio pages in the audit log. */
export const auditedPage = defineResource("bio_page", bioPages, {
  title: "title",
  description: shownAs("large", "description"),
  slug: "slug",
  page_data: shownAs("large", "pageData"),
  is_published: "isPublished",
});
