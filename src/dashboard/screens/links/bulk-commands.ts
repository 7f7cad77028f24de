import { type BulkProgress, type BulkResult, runBulk } from "../../data/bulk-run.ts";
import { getPauseMs, pause, TURN_MS } from "../../data/limit-pause.ts";
import type { Rollback } from "../../data/resource-cache.ts";
import { BULK_IDS_MAX } from "../../data/service-limits.ts";
import { changeLabels } from "./bulk-labels.ts";
import {
  deleteLink,
  hideLinks,
  type Link,
  restoreLink,
  setEnabled,
  showChange,
  showNewLink,
  updateLink,
} from "./link-store.ts";

/** Bulk actions on links: enable, archive, label, delete. */

/** Bulk action, with the texts of its messages. */
export interface BulkCommand {
  /** Present participle for the progress, as in "Disabling 3 of 900". */
  doing: string;
  /** Past participle for the result, as in "900 links disabled". */
  done: string;
  /** Maximum number of links per call of `work`. */
  groupSize: number;
  /** Sends the change of a group to the API. */
  work: (group: readonly Link[]) => Promise<void>;
  /** Returns the action that undoes this one, and the links to apply it to. Null if it can't be undone. */
  invert: ((links: readonly Link[]) => { command: BulkCommand; links: Link[] }) | null;
}

const PARALLEL = 4;

export function setEnabledCommand(enabled: boolean): BulkCommand {
  return {
    doing: enabled ? "Enabling" : "Disabling",
    done: enabled ? "enabled" : "disabled",
    groupSize: BULK_IDS_MAX,
    work: async (group) => {
      await setEnabled(
        group.map(({ id }) => id),
        enabled,
      );
      showChange(toIds(group), () => ({ enabled }));
    },
    invert: (links) => ({
      command: setEnabledCommand(!enabled),
      links: links.filter((link) => link.enabled !== enabled),
    }),
  };
}

/** Archives or unarchives links. */
export function setArchivedCommand(archived: boolean): BulkCommand {
  return changeCommand({
    doing: archived ? "Archiving" : "Unarchiving",
    done: archived ? "archived" : "unarchived",
    build: (link) => (link.archived === archived ? null : { archived }),
  });
}

/** Adds labels to links and removes others. */
export function labelCommand(added: readonly string[], removed: readonly string[]): BulkCommand {
  return changeCommand({
    doing: "Updating labels",
    done: "updated",
    build: ({ labels }) => {
      const next = changeLabels(labels, added, removed);
      return next === null ? null : { labels: next };
    },
  });
}

/** Moves links to the trash. Undoing it restores them to where they were in the lists. */
export function deleteCommand(): BulkCommand {
  const hidden: Rollback[] = [];
  const work = async (group: readonly Link[]) => {
    for (const { id } of group) await deleteLink(id);
    hidden.push(hideLinks(toIds(group)));
  };
  return {
    doing: "Deleting",
    done: "deleted",
    groupSize: 1,
    work,
    invert: (links) => ({ command: restoreCommand(hidden), links: [...links] }),
  };
}

/** Restores links from the trash. `hidden` took them out of the lists, one after another. */
function restoreCommand(hidden: Rollback[]): BulkCommand {
  const work = async (group: readonly Link[]) => {
    for (const { id } of group) {
      const link = await restoreLink(id);
      while (hidden.length > 0) hidden.pop()?.();
      showNewLink(link);
    }
  };
  return { doing: "Restoring", done: "restored", groupSize: 1, work, invert: null };
}

/** Fields that bulk actions change with one call per link. */
type ManyChange = Pick<Partial<Link>, "archived" | "labels">;

interface ChangeOptions extends Pick<BulkCommand, "doing" | "done"> {
  /** Returns the change of a link, or null if it already has the wanted values. */
  build: (link: Link) => ManyChange | null;
}

/** Creates an action that changes links one by one. Undoing it restores each link's previous values. */
function changeCommand({ build, doing, done }: ChangeOptions): BulkCommand {
  const work = async (group: readonly Link[]) => {
    for (const link of group) {
      const change = build(link);
      if (change !== null) await updateLink(link.id, change, change);
    }
  };
  const invert = (links: readonly Link[]) => {
    const changed = links.filter((link) => build(link) !== null);
    const former = new Map(changed.map((link) => [link.id, pickFormer(link, build(link) ?? {})]));
    const command = changeCommand({
      doing: "Undoing",
      done: "restored",
      build: ({ id }) => former.get(id) ?? null,
    });
    return { command, links: changed };
  };
  return { doing, done, groupSize: 1, work, invert };
}

function pickFormer(link: Link, change: ManyChange): ManyChange {
  return {
    ...(change.archived !== undefined && { archived: link.archived }),
    ...(change.labels !== undefined && { labels: link.labels }),
  };
}

/** Runs an action. Its calls stay below the API's rate limit, and wait if it is reached nevertheless. */
export function runCommand(
  { groupSize, work }: BulkCommand,
  items: readonly Link[],
  onProgress: (progress: BulkProgress) => void,
  signal: AbortSignal,
): Promise<BulkResult<Link>> {
  let last: Promise<void> = Promise.resolve();
  const takeTurn = () => {
    last = last.then(() => pause(TURN_MS));
    return last;
  };
  return runBulk({
    items,
    groupSize,
    work,
    getPauseMs,
    pause,
    takeTurn,
    onProgress,
    signal,
    parallel: PARALLEL,
  });
}

function toIds(links: readonly Link[]): Set<string> {
  return new Set(links.map(({ id }) => id));
}
