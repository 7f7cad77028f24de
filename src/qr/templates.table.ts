import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenants } from "../tenant/tenant.table.ts";
import type { DesignInput } from "./design.ts";

export const qrTemplates = sqliteTable(
  "qr_templates",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => tenants.id),
    name: text().notNull(),
    description: text().notNull(),
    /** Contains only the members that were set. */
    design: text({ mode: "json" }).$type<DesignInput>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("qr_templates_newest").on(table.workspaceId, table.id)],
);
