import { useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import { Moment } from "../../components/moment.tsx";
import { Segments } from "../../components/segments.tsx";
import { EmptyState, FaultNotice, Skeleton } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import { usePagedList } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import { RestoreButton } from "./restore-button.tsx";
import settingCss from "./setting.module.css";
import { SectionHead } from "./setting.tsx";
import { readTrashType, TRASH_TYPES, type TrashItem } from "./trash-item.ts";
import { eraseItem, formatTrashKey, readTrash, type TrashList } from "./trash-store.ts";

/** Trash section: deleted links, bio pages and QR templates, which can be restored or erased. */
export function TrashSection() {
  const type = readTrashType(query.value);
  const [erased, setErased] = useState<TrashItem | null>(null);
  const list = usePagedList<TrashList>(formatTrashKey(type), (before) => readTrash(type, before));
  const { value, fault } = list;
  const isWaiting = value === undefined && fault === null;
  const erase = async ({ id, name }: TrashItem) => {
    await eraseItem(type, id);
    setErased(null);
    showToast(`${name} erased`);
  };
  return (
    <section class="stack">
      <SectionHead
        title="Trash"
        text="Deleted links, bio pages and QR templates. They can be restored for 30 days, then they are erased."
      />
      <div class="row">
        <Segments
          label="Type of items"
          segments={TRASH_TYPES}
          value={type}
          onChange={(chosen) => setQuery({ type: chosen === "links" ? null : chosen })}
        />
      </div>
      {fault !== null && <FaultNotice fault={fault} onRetry={list.reload} />}
      {value !== undefined && value.items.length === 0 && value.nextBefore === null ? (
        <EmptyState title="Nothing in the trash">What you delete stays here for 30 days.</EmptyState>
      ) : (
        <ul class={settingCss.cardList} aria-busy={isWaiting ? "true" : undefined}>
          {isWaiting && (
            <li>
              <Skeleton width="w-5" />
            </li>
          )}
          {value?.items.map((item) => (
            <li key={item.id}>
              <Icon name="trash" />
              <div class="grow">
                <b>{item.name}</b>
                <p class="small muted">{item.detail}</p>
                <p class="small muted">
                  Deleted <Moment iso={item.deletedAt} /> · will be erased <Moment iso={item.eraseAt} />
                </p>
              </div>
              {canEdit.value && (
                <span class="row">
                  <RestoreButton type={type} id={item.id} name={item.name} />
                  <Button size="s" aria-label={`Erase ${item.name}`} onClick={() => setErased(item)}>
                    Erase
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {value && value.items.length > 0 && (
        <div class="row small muted">
          <ListFoot list={list} noun="item" />
        </div>
      )}
      {erased && (
        <ConfirmDialog
          title={`Erase ${erased.name}?`}
          confirm="Erase"
          onConfirm={() => erase(erased)}
          onClose={() => setErased(null)}
        >
          <p class="small">It can't be restored afterwards.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
