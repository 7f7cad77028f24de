import { formatUuidTime, isUuid } from "../core/id.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Group, Window } from "./window.ts";

/** Hexadecimal digits of a UUID after its last hyphen. All of them are random in a UUIDv7. */
const NODE_DIGITS = 12;
/** Tolerance for clocks that differ between a window and a move. */
const CLOCKS_MS = MINUTE_MS;

/** Place of a workspace. */
export interface Place {
  shard: number;
  /** True while nothing of the workspace may change. Its parts are counted at a later delivery. */
  isMoving?: boolean;
  /** Shards that counted its parts before it moved, each with the time of the move. */
  formerShards?: readonly { shard: number; untilMs: number }[];
}

/** Facts that name their workspace. */
export interface OwnedFacts {
  workspaceId: string;
}

/**
 * Occurrences of one workspace in a window. A window may span workspaces of several shards; a part is on one, and is
 * counted there once.
 */
export interface Part<Facts, Located extends Place = Place> {
  /** Id of the window, changed by that of the workspace. */
  id: string;
  place: Located;
  groups: Group<Facts>[];
}

/** Part with the window that it is of. */
export interface WindowPart<Facts, Located extends Place> extends Part<Facts, Located> {
  windowId: string;
}

/** Returns the number of occurrences of a part. */
export function countOccurrences({ groups }: Pick<Part<unknown>, "groups">): number {
  return groups.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
}

/** Splits a window into the parts of the workspaces that have a place. */
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

/** Returns the former shards that may have counted a part: those that its workspace left after the window was made. */
export function listFormerShards({ id, place: { shard, formerShards = [] } }: Part<unknown>): number[] {
  const former = formerShards.filter(({ untilMs }) => id < formatUuidTime(untilMs + CLOCKS_MS));
  return [...new Set(former.map((left) => left.shard))].filter((left) => left !== shard);
}

/** Returns the id of a workspace's part of a window: two parts of a window differ in as many bits as the workspaces. */
function formatPartId(windowId: string, workspaceId: string): string {
  const node = windowId.length - NODE_DIGITS;
  const bits = BigInt(`0x${windowId.slice(node)}`) ^ BigInt(`0x${workspaceId.slice(node)}`);
  return windowId.slice(0, node) + bits.toString(16).padStart(NODE_DIGITS, "0");
}

/** Returns true for a body that has the form of a window. A message of another form stays in the queue. */
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
