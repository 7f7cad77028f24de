import { useState } from "preact/hooks";
import { Button } from "../../../components/button.tsx";
import { formatAge } from "../../../components/format-moment.ts";
import { FaultNotice, Skeleton } from "../../../components/states.tsx";
import { shownZone } from "../../../components/time-field.tsx";
import { showToast } from "../../../components/toast-list.ts";
import { api, callApi, type Schemas } from "../../../data/calls.ts";
import { type PagedList, toPage } from "../../../data/paged-list.ts";
import { usePagedList } from "../../../data/resources.ts";
import { canEdit } from "../../../session/session.ts";
import { showFault } from "../link-commands.ts";
import { type Link, revertEntry, updateLink } from "../link-store.ts";
import { formatMoment } from "../rules/rule-texts.ts";
import {
  buildRestore,
  describeChanges,
  describeOperation,
  isReordering,
  isRevertible,
} from "./history-labels.ts";
import css from "./link-history.module.css";

const PAGE_SIZE = 20;

type Entry = Schemas["AuditEntry"];

interface LinkHistoryProps {
  link: Link;
  /** Called with the reverted link. */
  onReverted: (link: Link) => void;
}

/** History of a link, newest change first. Each change can be reverted, and the revert can be undone. */
export default function LinkHistory({ link, onReverted }: LinkHistoryProps) {
  const key = `history/${link.id}`;
  const history = usePagedList(key, (before) => readHistory(link.id, before));
  const [busyId, setBusyId] = useState<string | null>(null);
  const page = history.value;

  const revert = async (entry: Entry) => {
    setBusyId(entry.id);
    const restored = buildRestore(link, entry.changes);
    try {
      const { link: reverted, warning } = await revertEntry(link.id, entry.id);
      onReverted(reverted);
      const undo = () => void restore(restored);
      showToast(warning ?? "Change reverted", { label: "Undo", run: undo });
      history.reload();
    } catch (fault) {
      showFault(fault);
    }
    setBusyId(null);
  };
  const restore = async (body: Record<string, unknown>) => {
    try {
      onReverted(await updateLink(link.id, body, {}));
      history.reload();
    } catch (fault) {
      showFault(fault);
    }
  };

  if (page === undefined) {
    return history.fault === null ? (
      <div class="stack" aria-busy="true">
        <Skeleton width="w-7" />
        <Skeleton width="w-9" />
        <Skeleton width="w-5" />
      </div>
    ) : (
      <FaultNotice fault={history.fault} onRetry={history.reload} />
    );
  }
  return (
    <div class="stack">
      <ol class={css.history} aria-label="Changes">
        {page.items.map((entry) => (
          <HistoryEntry
            key={entry.id}
            entry={entry}
            isBusy={busyId === entry.id}
            onRevert={canEdit.value && isRevertible(entry.changes) ? () => void revert(entry) : null}
          />
        ))}
      </ol>
      {page.items.length === 0 && <p class="small muted">No changes in the past year.</p>}
      {page.nextBefore !== null && (
        <Button size="s" isBusy={history.isLoading} onClick={history.readFurther}>
          Show more
        </Button>
      )}
    </div>
  );
}

interface HistoryEntryProps {
  entry: Entry;
  isBusy: boolean;
  /** Null if the change can't be reverted. */
  onRevert: (() => void) | null;
}

function HistoryEntry({ entry: { at, actor, operation, changes }, isBusy, onRevert }: HistoryEntryProps) {
  const moment = formatMoment(at, shownZone.value);
  return (
    <li>
      <div class={css.head}>
        <p class="small">
          <b>{actor.name}</b> {describeOperation(operation)}{" "}
          <time class="muted" dateTime={at} title={moment}>
            {formatAge(at, Date.now())}
          </time>
        </p>
        {onRevert && (
          <Button
            size="s"
            icon="undo"
            isBusy={isBusy}
            aria-label={`Revert change from ${moment}`}
            onClick={onRevert}
          >
            Revert
          </Button>
        )}
      </div>
      <dl class={css.diff}>
        {describeChanges(changes, shownZone.value).map((change) => (
          <div key={change.field}>
            <dt>{change.label}</dt>
            <dd>
              {change.removed.map((text) => (
                <del key={text}>{text}</del>
              ))}
              {change.added.map((text) => (
                <ins key={text}>{text}</ins>
              ))}
              {isReordering(change) && <span class="muted">reordered</span>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

async function readHistory(id: string, before: string | null): Promise<PagedList<Entry>> {
  const query = { limit: PAGE_SIZE, ...(before !== null && { before }) };
  const params = { path: { link_id: id }, query };
  return toPage(await callApi(api.GET("/v1/links/{link_id}/history", { params })));
}
