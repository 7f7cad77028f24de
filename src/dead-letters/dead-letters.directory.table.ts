import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MessageKind } from "./queue-name.ts";

/** Queue messages that their consumers could not process, kept so that they can be replayed. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /**
     * Id of the message in the dead-letter queue. It is the key, so a redelivered message is stored only
     * once.
     */
    id: text().primaryKey(),
    kind: text().$type<MessageKind>().notNull(),
    /** Message as JSON. */
    body: text().notNull(),
    /** Time at which the message arrived in the dead-letter queue, after its retries were used up. */
    failedAt: integer("failed_at").notNull(),
    /**
     * Time at which an administrator requested a replay, or null. The cron sends the message and deletes the
     * row.
     */
    replayAt: integer("replay_at"),
  },
  (table) => [
    index("dead_letters_oldest").on(table.kind, table.failedAt),
    index("dead_letters_replayed").on(table.replayAt).where(sql`replay_at is not null`),
  ],
);
