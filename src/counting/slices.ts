import { formatUuidTime, isUuid } from "../core/id.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Group, Window } from "./window.ts";

/** Number of hexadecimal digits after the last hyphen of a UUID. In a UUIDv7 all of them are random. */
const NODE_DIGITS = 12;
/** Tolerance for clock differences between the creator of a window and the mover. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Location of a workspace. */
export interface Location {
  shard: number;
  /**
   * True while the workspace's data must not change. The workspace's slices are then counted at a later
   * delivery.
   */
  isMoving?: boolean;
  /** Shards that counted the workspace's slices before it moved, each with the time of the move. */
  formerShards?: readonly { shard: number; untilMs: number }[];
}

/** Facts with the workspace that they belong to. */
export interface OwnedFacts {
  workspaceId: string;
}

/**
 * Occurrences of one workspace in a window. A window may contain workspaces on several shards. A slice is on
 * one shard, where it is counted once.
 */
export interface WorkspaceSlice<Facts, Located extends Location = Location> {
  /** Id of the slice, derived from the ids of the window and the workspace. */
  id: string;
  location: Located;
  groups: Group<Facts>[];
}

/** Slice with the id of its window. */
export interface WindowSlice<Facts, Located extends Location> extends WorkspaceSlice<Facts, Located> {
  windowId: string;
}

/** Returns the number of occurrences of a slice. */
export function countOccurrences({ groups }: Pick<WorkspaceSlice<unknown>, "groups">): number {
  return groups.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
}

/** Splits a window into one slice per workspace. Leaves out workspaces without a location. */
export function splitWindow<Facts extends OwnedFacts, Located extends Location>(
  { id, groups }: Window<Facts>,
  locations: ReadonlyMap<string, Located>,
): WindowSlice<Facts, Located>[] {
  const byWorkspace = Map.groupBy(groups, ({ facts }) => facts.workspaceId);
  return [...byWorkspace].flatMap(([workspaceId, ownGroups]) => {
    const location = locations.get(workspaceId);
    if (location === undefined) return [];
    return [{ id: formatSliceId(id, workspaceId), windowId: id, location, groups: ownGroups }];
  });
}

/**
 * Returns the former shards that may have counted a slice: shards that its workspace left after the window
 * was created.
 */
export function listFormerShards({
  id,
  location: { shard, formerShards = [] },
}: WorkspaceSlice<unknown>): number[] {
  const former = formerShards.filter(({ untilMs }) => id < formatUuidTime(untilMs + CLOCK_TOLERANCE_MS));
  return [...new Set(former.map((left) => left.shard))].filter((left) => left !== shard);
}

/**
 * Returns the id of a workspace's slice of a window: the window's id with its last 12 digits XORed with the
 * last 12 digits of the workspace's id. So the slices of a window have different ids.
 */
function formatSliceId(windowId: string, workspaceId: string): string {
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
        (group.visitors === undefined || Array.isArray(group.visitors)) &&
        Array.isArray(group.timesMs) &&
        group.timesMs.length > 0 &&
        group.timesMs.every((timeMs) => Number.isSafeInteger(timeMs) && timeMs >= 0),
    )
  );
}
