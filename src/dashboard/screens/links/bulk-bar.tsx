import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Progress } from "../../components/progress.tsx";
import { announce, showToast } from "../../components/toasts.tsx";
import { asFault } from "../../data/calls.ts";
import {
  type BulkCommand,
  DELETE_COMMAND,
  runCommand,
  setArchivedCommand,
  setEnabledCommand,
} from "./bulk-commands.ts";
import { DeleteManyDialog, LabelManyDialog } from "./bulk-dialogs.tsx";
import type { BulkProgress } from "./bulk-run.ts";
import { showFault } from "./link-commands.ts";
import type { LinkQuery } from "./link-filters.ts";
import { type Link, type LinkPage, readAll } from "./link-store.ts";

interface BulkBarProps {
  chosen: ReadonlyMap<string, Link>;
  page: LinkPage;
  linkQuery: LinkQuery;
  onChoose: (chosen: ReadonlyMap<string, Link>) => void;
}

/** Work that the bar shows. */
interface Work extends BulkProgress {
  doing: string;
  abort: AbortController;
}

/** Commands for the selected links, at the bottom of the list. */
export function BulkBar({ chosen, page, linkQuery, onChoose }: BulkBarProps) {
  const [work, setWork] = useState<Work | null>(null);
  const [dialog, setDialog] = useState<"delete" | "label" | null>(null);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const begin = (doing: string, total: number) => {
    const abort = new AbortController();
    current.current = abort;
    setWork({ doing, done: 0, failed: 0, total, abort });
    return abort;
  };
  const run = async (command: BulkCommand, links: readonly Link[], isUndo = false) => {
    const abort = begin(command.doing, links.length);
    const onProgress = (progress: BulkProgress) => setWork({ ...progress, doing: command.doing, abort });
    const result = await runCommand(command, links, onProgress, abort.signal);
    setWork(null);
    if (!isUndo) onChoose(new Map());
    report(command, result.finished, result.failed, asFault(result.fault).message, isUndo);
  };
  const report = (
    command: BulkCommand,
    finished: readonly Link[],
    failed: number,
    reason: string,
    isUndo: boolean,
  ) => {
    const count = `${finished.length.toLocaleString("en-GB")} ${finished.length === 1 ? "link" : "links"} ${command.done}`;
    const text = failed > 0 ? `${count}. ${failed} failed: ${reason}` : count;
    const back = isUndo ? null : (command.invert?.(finished) ?? null);
    const undo = async () => {
      if (back === null) return;
      const undone = await runCommand(back.command, back.links, () => {}, new AbortController().signal);
      if (undone.failed > 0) showFault(undone.fault);
      else announce("Undone");
    };
    showToast(
      text,
      back === null || back.links.length === 0 ? null : { label: "Undo", run: () => void undo() },
    );
  };
  const chooseAll = async () => {
    const abort = begin("Selecting", page.total);
    try {
      const links = await readAll(linkQuery, (count) => {
        setWork({ doing: "Selecting", done: count, failed: 0, total: Math.max(count, page.total), abort });
        return !abort.signal.aborted;
      });
      if (!abort.signal.aborted) onChoose(new Map(links.map((link) => [link.id, link])));
    } catch (fault) {
      showFault(fault);
    }
    setWork(null);
  };

  const links = [...chosen.values()];
  const hasMore = page.nextBefore !== null && chosen.size >= page.links.length && chosen.size < page.total;
  const isSomeEnabled = links.some(({ enabled }) => enabled);
  const isSomeCurrent = links.some(({ archived }) => !archived);
  return (
    <section class="bulk-bar" aria-label="Selected links">
      {work ? (
        <>
          <span class="numeric bulk-count">
            {work.doing} {work.done.toLocaleString("en-GB")} of {work.total.toLocaleString("en-GB")}
          </span>
          <Progress label={work.doing} done={work.done + work.failed} total={work.total} />
          <Button size="s" onClick={() => work.abort.abort()}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <span class="numeric bulk-count" role="status">
            {chosen.size.toLocaleString("en-GB")} selected
          </span>
          {hasMore && (
            <Button kind="plain" size="s" onClick={() => void chooseAll()}>
              Select all {page.total.toLocaleString("en-GB")}
              {page.isTotalCapped ? "+" : ""}
            </Button>
          )}
          <span class="row wrap push">
            <Button
              size="s"
              icon={isSomeEnabled ? "pause" : "play"}
              onClick={() => void run(setEnabledCommand(!isSomeEnabled), links)}
            >
              {isSomeEnabled ? "Disable" : "Enable"}
            </Button>
            <Button size="s" icon="tag" onClick={() => setDialog("label")}>
              Label
            </Button>
            <Button
              size="s"
              icon="archive"
              onClick={() => void run(setArchivedCommand(isSomeCurrent), links)}
            >
              {isSomeCurrent ? "Archive" : "Take out"}
            </Button>
            <Button size="s" kind="danger" icon="trash" onClick={() => setDialog("delete")}>
              Delete
            </Button>
            <Button
              kind="plain"
              size="s"
              icon="close"
              aria-label="Clear selection"
              onClick={() => onChoose(new Map())}
            />
          </span>
        </>
      )}
      {dialog === "delete" && (
        <DeleteManyDialog
          links={links}
          onClose={() => setDialog(null)}
          onDelete={() => void run(DELETE_COMMAND, links)}
        />
      )}
      {dialog === "label" && (
        <LabelManyDialog
          links={links}
          onClose={() => setDialog(null)}
          onCommand={(command) => void run(command, links)}
        />
      )}
    </section>
  );
}
