import { DurableObject } from "cloudflare:workers";
import type { DatabaseBindings } from "../db/shards.ts";
import type { ChangeCollection } from "./collect-changes.ts";
import type { News } from "./feed-document.ts";

/**
 * Collects the changes of the directory and all shards for the data centres. The deployment has one. It stores nothing:
 * the databases keep their changes, and it reads again what it forgot.
 */
export class ChangeCollector extends DurableObject<DatabaseBindings> {
  #collection: ChangeCollection | undefined;

  /** Returns what changed after the numbers of each database. */
  async since(cursors: Readonly<Record<string, number>>): Promise<News> {
    this.#collection ??= await this.#open();
    return this.#collection.since(cursors);
  }

  // The imports are lazy, so that a cold redirect does not evaluate them.
  async #open(): Promise<ChangeCollection> {
    const [{ ChangeCollection }, { listChangeSources }] = await Promise.all([
      import("./collect-changes.ts"),
      import("./change-sources.ts"),
    ]);
    return new ChangeCollection(() => listChangeSources(this.env), Date.now);
  }
}
