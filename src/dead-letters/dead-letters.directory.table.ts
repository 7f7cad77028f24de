import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MessageKind } from "./queue-name.ts";

/** Messages that their consumers could not process, kept so that they can be replayed. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /** Id of the message in the dead-letter queue, so that a redelivered message is kept once. */
    id: text().primaryKey(),
    kind: text().$type<MessageKind>().notNull(),
    /** Message as JSON. */
    body: text().notNull(),
    /** Time at which the consumer's queue gave the message up. */
    failedAt: integer("failed_at").notNull(),
    /** Time at which the operator asked for a replay; null before. The cron sends the message and deletes the row. */
    replayAt: integer("replay_at"),
  },
  (table) => [
    index("dead_letters_oldest").on(table.kind, table.failedAt),
    index("dead_letters_replayed").on(table.replayAt).where(sql`replay_at is not null`),
  ],
);
