import { type BulkProgress, type BulkResult, runBulk } from "../../data/bulk-run.ts";
import { getPauseMs, pause, TURN_MS } from "../../data/limit-pause.ts";
import { BULK_IDS_MAX } from "../../data/service-limits.ts";
import { changeLabels } from "./bulk-labels.ts";
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

const PARALLEL = 4;

/** Enables or disables links. */
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

/** Archives links, or takes them out of the archive. */
export function setArchivedCommand(archived: boolean): BulkCommand {
  return changeCommand({
    doing: archived ? "Archiving" : "Taking out of the archive",
    done: archived ? "archived" : "taken out of the archive",
    build: (link) => (link.archived === archived ? null : { archived }),
  });
}

/** Adds labels to links, and takes others from them. */
export function labelCommand(added: readonly string[], removed: readonly string[]): BulkCommand {
  return changeCommand({
    doing: "Labelling",
    done: "labelled",
    build: ({ labels }) => {
      const next = changeLabels(labels, added, removed);
      return next === null ? null : { labels: next };
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

/** Fields that commands for many links change. */
type ManyChange = Pick<Partial<Link>, "archived" | "labels">;

interface ChangeOptions extends Pick<BulkCommand, "doing" | "done"> {
  /** Returns the change of a link, or null if it is as wanted. */
  build: (link: Link) => ManyChange | null;
}

/** Builds a command that changes each link by a call of its own. Undoing gives each link its former values. */
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
      done: "as before",
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

/** Runs a command, more slowly where the service asks for it. */
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
    ...{ items, groupSize, work, getPauseMs, pause, takeTurn, onProgress, signal },
    parallel: PARALLEL,
  });
}

function toIds(links: readonly Link[]): Set<string> {
  return new Set(links.map(({ id }) => id));
}
