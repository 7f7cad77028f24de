/** Every table, for drizzle-kit: a migration is generated from the difference between this and the last one. */

export * from "../analytics/analytics.table.ts";
export * from "../assets/assets.table.ts";
export * from "../auth/keys.table.ts";
export * from "../bio/bio.table.ts";
export * from "../counting/counting.table.ts";
export * from "../http/idempotency.table.ts";
export * from "../links/links.table.ts";
export * from "../qr/templates.table.ts";
export * from "../webhooks/webhooks.table.ts";
export * from "../workspace/workspace.table.ts";
