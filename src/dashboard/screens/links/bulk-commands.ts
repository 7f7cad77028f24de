import { type BulkProgress, type BulkResult, PartialFailure, runBulk } from "../../data/bulk-run.ts";
import { CallError } from "../../data/call-error.ts";
import { getPauseMs, pause, TURN_MS } from "../../data/limit-pause.ts";
import type { Rollback } from "../../data/resource-cache.ts";
import { BULK_IDS_MAX, BULK_LINKS_MAX } from "../../data/service-limits.ts";
import { type Edit, planEdit } from "./bulk-edit.ts";
import { changeLabels } from "./bulk-labels.ts";
import {
  deleteLink,
  hideLinks,
  type Link,
  type LinkUpdate,
  restoreLink,
  setEnabled,
  showChange,
  showNewLink,
  updateLink,
  updateLinks,
} from "./link-store.ts";

/** Bulk actions on links: enable, archive, label, edit, delete. */

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

/** Changes destinations or expiry times. */
export function editCommand(edit: Edit): BulkCommand {
  return changeCommand({ doing: "Changing", done: "changed", build: (link) => planEdit(link, edit) });
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

/** Fields that bulk actions change, with values for each link. */
export type ManyChange = Omit<LinkUpdate, "id">;

interface ChangeOptions extends Pick<BulkCommand, "doing" | "done"> {
  /** Returns the change of a link, or null if it already has the wanted values. */
  build: (link: Link) => ManyChange | null;
}

/** Creates an action that gives each link its own values. Undoing it restores each link's previous values. */
function changeCommand({ build, doing, done }: ChangeOptions): BulkCommand {
  const work = async (group: readonly Link[]) => {
    const updates = group.flatMap((link): LinkUpdate[] => {
      const change = build(link);
      return change === null ? [] : [{ id: link.id, ...change }];
    });
    const failures = await sendUpdates(updates);
    const [first] = failures;
    if (first === undefined) return;
    const failed = new Set(failures.map(({ id }) => id));
    const message = first.message.replace(/^links\[\d+\][.:]\s?/, "");
    const fault = new CallError({ kind: "invalid", code: "VALIDATION_ERROR", message });
    throw new PartialFailure(
      group.filter(({ id }) => !failed.has(id)),
      fault,
    );
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
  return { doing, done, groupSize: BULK_LINKS_MAX, work, invert };
}

/** Sends updates in one call, or in one call each if the plan has no bulk operations. */
async function sendUpdates(updates: readonly LinkUpdate[]): ReturnType<typeof updateLinks> {
  if (updates.length > 1) {
    try {
      return await updateLinks(updates);
    } catch (fault) {
      if (!(fault instanceof CallError) || fault.code !== "FEATURE_NOT_AVAILABLE") throw fault;
    }
  }
  for (const { id, destination, ...change } of updates) {
    const shown = { ...change, ...(destination !== undefined && { destination }) };
    await updateLink(id, { ...change, ...(destination !== undefined && { url: destination }) }, shown);
  }
  return [];
}

function pickFormer(link: Link, change: ManyChange): ManyChange {
  const names = Object.keys(change) as (keyof ManyChange)[];
  return Object.fromEntries(names.map((name) => [name, link[name]]));
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
