import { ApiFault } from "../../data/api-fault.ts";
import { type BulkProgress, type BulkResult, runBulk } from "./bulk-run.ts";
import { deleteLink, hideLinks, type Link, setEnabled, showChange, updateLink } from "./link-store.ts";

/** Commands for many links. */

/** Command for many links, with the words of its messages. */
export interface BulkCommand {
  /** As in "Disabling 3 of 900". */
  doing: string;
  /** As in "900 links disabled". */
  done: string;
  /** Links of one call. */
  groupSize: number;
  /** Works on a group at the service. */
  work: (group: readonly Link[]) => Promise<void>;
  /** Returns the command that takes the change of these links back. Null if nothing can. */
  invert: ((links: readonly Link[]) => { command: BulkCommand; links: Link[] }) | null;
}

/** Ids of one call of the API. */
const IDS_MAX = 200;
const PARALLEL = 4;
const TRIES_MAX = 6;
const SECOND_MS = 1_000;

/** Enables or disables links. */
export function setEnabledCommand(enabled: boolean): BulkCommand {
  return {
    doing: enabled ? "Enabling" : "Disabling",
    done: enabled ? "enabled" : "disabled",
    groupSize: IDS_MAX,
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

/** Archives links, or takes them out of the archive. */
export function setArchivedCommand(archived: boolean): BulkCommand {
  return changeCommand({
    doing: archived ? "Archiving" : "Taking out of the archive",
    done: archived ? "archived" : "taken out of the archive",
    build: () => ({ archived }),
    invert: (links) => ({
      command: setArchivedCommand(!archived),
      links: links.filter((link) => link.archived !== archived),
    }),
  });
}

/** Adds a label to links, or takes it from them. */
export function labelCommand(label: string, isAdded: boolean): BulkCommand {
  return changeCommand({
    doing: isAdded ? "Labelling" : "Taking the label from",
    done: isAdded ? `labelled “${label}”` : `without “${label}”`,
    build: ({ labels }) => {
      const others = labels.filter((other) => other !== label);
      return { labels: isAdded ? [...others, label] : others };
    },
    invert: (links) => {
      const changed = links.filter(({ labels }) => labels.includes(label) !== isAdded);
      const labelled = changed.map((link) => ({
        ...link,
        labels: isAdded ? [...link.labels, label] : link.labels,
      }));
      return { command: labelCommand(label, !isAdded), links: labelled };
    },
  });
}

/** Deletes links. Nothing takes it back. */
export const DELETE_COMMAND: BulkCommand = {
  doing: "Deleting",
  done: "deleted",
  groupSize: 1,
  work: async (group) => {
    for (const { id } of group) await deleteLink(id);
    hideLinks(toIds(group));
  },
  invert: null,
};

interface ChangeWords extends Pick<BulkCommand, "doing" | "done" | "invert"> {
  build: (link: Link) => { archived?: boolean; labels?: string[] };
}

function changeCommand({ build, ...words }: ChangeWords): BulkCommand {
  const work = async (group: readonly Link[]) => {
    for (const link of group) await updateLink(link.id, build(link), build(link));
  };
  return { ...words, groupSize: 1, work };
}

/** Runs a command, more slowly where the service asks for it. */
export function runCommand(
  { groupSize, work }: BulkCommand,
  items: readonly Link[],
  onProgress: (progress: BulkProgress) => void,
  signal: AbortSignal,
): Promise<BulkResult<Link>> {
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return runBulk({ items, groupSize, parallel: PARALLEL, work, getPauseMs, pause, onProgress, signal });
}

/** Returns the pause after a limit. Other faults are not tried again. */
function getPauseMs(fault: unknown, tries: number): number | null {
  if (!(fault instanceof ApiFault) || fault.kind !== "limited" || tries >= TRIES_MAX) return null;
  return Math.max(1, fault.retryAfterS ?? 1) * SECOND_MS;
}

function toIds(links: readonly Link[]): Set<string> {
  return new Set(links.map(({ id }) => id));
}
