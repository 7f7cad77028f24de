// Pure: no I/O, clock or randomness.

/** Number of different links of one workspace, opened by one address within {@link WINDOW_MS}, that show a scanner. */
const LINKS_MIN = 8;
const WINDOW_MS = 10_000;
/** Maximum number of addresses that are remembered, with up to {@link LINKS_MIN} links each: below 4 MB. */
const ADDRESSES_MAX = 5_000;

/**
 * Finds addresses that open many links of one workspace at once, as scanners of mail do. Many visitors behind one
 * address who open the same few links aren't found. Forgets the address that was seen first when it is full.
 */
export class LinkBursts {
  /** Times of the last visits in Unix milliseconds, by link, by workspace and network. */
  readonly #visits = new Map<string, Map<string, number>>();

  get size(): number {
    return this.#visits.size;
  }

  /** Records a visit. Returns true if its address has now opened many links within the window. */
  isBurst(workspaceId: string, network: string, linkId: string, nowMs: number): boolean {
    const key = `${workspaceId} ${network}`;
    const links = this.#visits.get(key) ?? new Map<string, number>();
    // Deleted first, so that the links are in the order of their last visits.
    links.delete(linkId);
    for (const [id, visitedAtMs] of links) {
      if (links.size < LINKS_MIN && nowMs - visitedAtMs < WINDOW_MS) break;
      links.delete(id);
    }
    links.set(linkId, nowMs);
    if (!this.#visits.has(key)) {
      if (this.#visits.size >= ADDRESSES_MAX) this.#visits.delete(this.#visits.keys().next().value as string);
      this.#visits.set(key, links);
    }
    return links.size >= LINKS_MIN;
  }
}
