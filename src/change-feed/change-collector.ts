import { DurableObject } from "cloudflare:workers";
import type { DatabaseBindings } from "../db/shards.ts";
import type { ChangeCollection } from "./collect-changes.ts";
import type { ChangeReports } from "./feed-document.ts";

/**
 * Collects the changes of hosts (directory) and links (all shards) for the caches of the data centres. There
 * is one instance per deployment. It stores nothing: after a restart, it reads the changes from the databases
 * again.
 */
export class ChangeCollector extends DurableObject<DatabaseBindings> {
  #collection: ChangeCollection | undefined;

  /** Returns each database's changes after the given cursors. */
  async since(cursors: Readonly<Record<string, number>>): Promise<ChangeReports> {
    this.#collection ??= await this.#open();
    return this.#collection.since(cursors);
  }

  // Imports lazily, so that a cold redirect doesn't evaluate these modules.
  async #open(): Promise<ChangeCollection> {
    const [{ ChangeCollection }, { listChangeSources }] = await Promise.all([
      import("./collect-changes.ts"),
      import("./change-sources.ts"),
    ]);
    return new ChangeCollection(() => listChangeSources(this.env), Date.now);
  }
}
