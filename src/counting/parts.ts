import { formatUuidTime, isUuid } from "../core/id.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Group, Window } from "./window.ts";

/** Number of hexadecimal digits after the last hyphen of a UUID. In a UUIDv7 all of them are random. */
const NODE_DIGITS = 12;
/** Tolerance for clock differences between the creator of a window and the mover. */
const CLOCKS_MS = MINUTE_MS;

/** Location of a workspace. */
export interface Place {
  shard: number;
  /** True while the workspace's data must not change. Its parts are counted at a later delivery. */
  isMoving?: boolean;
  /** Shards that counted its parts before it moved, each with the time of the move. */
  formerShards?: readonly { shard: number; untilMs: number }[];
}

/** Facts with the workspace that they belong to. */
export interface OwnedFacts {
  workspaceId: string;
}

/**
 * Occurrences of one workspace in a window. A window may contain workspaces on several shards. A part is on
 * one shard, where it is counted once.
 */
export interface Part<Facts, Located extends Place = Place> {
  /** Id of the part, derived from the ids of the window and the workspace. */
  id: string;
  place: Located;
  groups: Group<Facts>[];
}

/** Part with the id of its window. */
export interface WindowPart<Facts, Located extends Place> extends Part<Facts, Located> {
  windowId: string;
}

/** Returns the number of occurrences of a part. */
export function countOccurrences({ groups }: Pick<Part<unknown>, "groups">): number {
  return groups.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
}

/** Splits a window into one part per workspace. Leaves out workspaces without a location. */
export function splitWindow<Facts extends OwnedFacts, Located extends Place>(
  { id, groups }: Window<Facts>,
  places: ReadonlyMap<string, Located>,
): WindowPart<Facts, Located>[] {
  const byWorkspace = Map.groupBy(groups, ({ facts }) => facts.workspaceId);
  return [...byWorkspace].flatMap(([workspaceId, ownGroups]) => {
    const place = places.get(workspaceId);
    if (place === undefined) return [];
    return [{ id: formatPartId(id, workspaceId), windowId: id, place, groups: ownGroups }];
  });
}

/**
 * Returns the former shards that may have counted a part: shards that its workspace left after the window was
 * created.
 */
export function listFormerShards({ id, place: { shard, formerShards = [] } }: Part<unknown>): number[] {
  const former = formerShards.filter(({ untilMs }) => id < formatUuidTime(untilMs + CLOCKS_MS));
  return [...new Set(former.map((left) => left.shard))].filter((left) => left !== shard);
}

/**
 * Returns the id of a workspace's part of a window: the window's id with its last 12 digits XORed with the
 * last 12 digits of the workspace's id. So the parts of a window have different ids.
 */
function formatPartId(windowId: string, workspaceId: string): string {
  const node = windowId.length - NODE_DIGITS;
  const bits = BigInt(`0x${windowId.slice(node)}`) ^ BigInt(`0x${workspaceId.slice(node)}`);
  return windowId.slice(0, node) + bits.toString(16).padStart(NODE_DIGITS, "0");
}

/** Returns true if a message body is a window. Other messages stay in the queue. */
export function isWindow(body: Partial<Window<unknown>> | null | undefined): boolean {
  return (
    typeof body?.id === "string" &&
    isUuid(body.id) &&
    Array.isArray(body.groups) &&
    body.groups.every(
      (group) =>
        typeof group?.facts === "object" &&
        group.facts !== null &&
        Array.isArray(group.timesMs) &&
        group.timesMs.length > 0 &&
        group.timesMs.every((timeMs) => Number.isSafeInteger(timeMs) && timeMs >= 0),
    )
  );
}
