import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { SortableList } from "../../components/sortable-list.tsx";
import { showToast } from "../../components/toast-list.ts";
import { BLOCKS_MAX } from "../../data/service-limits.ts";
import { canEdit } from "../../session/session.ts";
import { BlockRow } from "./block-row.tsx";
import type { Block } from "./page-draft.ts";
import type { PageForm } from "./use-page-form.ts";

/** Starts at the current time, because a draft that survives a reload contains keys of earlier visits. */
let lastKey = Date.now();

/** Returns a unique key for a new block or social profile. Saved ones have keys with other prefixes. */
export function createKey(): string {
  lastKey += 1;
  return `n${lastKey}`;
}

/** Sortable list of links and headings. At most one of them is open for editing. */
export function BlockList({ form, openKey }: { form: PageForm; openKey: string | null }) {
  const { draft, edit } = form;
  const { blocks } = draft;
  const setBlocks = (field: string, change: (blocks: readonly Block[]) => readonly Block[]) =>
    edit(field, (before) => ({ ...before, blocks: change(before.blocks) }));
  const focusLabel = () =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-open] [data-ui=input]")?.focus());
  const open = (index: number | null) => setQuery({ block: index === null ? null : String(index) });
  const insert = (block: Block, index: number) => {
    setBlocks("", (before) => [...before.slice(0, index), block, ...before.slice(index)]);
    open(index);
    focusLabel();
  };
  const remove = (index: number) => {
    const [removed] = blocks.slice(index, index + 1);
    setBlocks("", (before) => before.filter((_, other) => other !== index));
    open(null);
    showToast(`“${removed?.label || "Untitled"}” removed`, { label: "Undo", run: form.undo });
    requestAnimationFrame(() => document.getElementById("blocks-heading")?.focus());
  };
  const isFull = blocks.length >= BLOCKS_MAX;
  return (
    <section class="stack" aria-labelledby="blocks-heading">
      <div class="row">
        <h2 id="blocks-heading" tabIndex={-1}>
          Links
        </h2>
        {blocks.length >= BLOCKS_MAX * 0.8 && (
          <span class="small muted numeric push">
            {blocks.length} of {BLOCKS_MAX}
          </span>
        )}
      </div>
      {blocks.length === 0 && (
        <p class="small muted">No links yet. Most visitors use the first link on a page.</p>
      )}
      <SortableList
        label="Links and headings"
        items={blocks}
        getKey={({ key }) => key}
        getName={({ label }, index) => label.trim() || `item ${index + 1}`}
        isReadOnly={!canEdit.value}
        onChange={(items) => setBlocks("", () => items)}
      >
        {(block, index, handle) => (
          <BlockRow
            block={block}
            handle={handle}
            faults={form.faults}
            isOpen={block.key === openKey}
            onToggle={() => open(block.key === openKey ? null : index)}
            onChange={(field, change) =>
              setBlocks(`${block.key}.${field}`, (before) =>
                before.map((other) => (other.key === block.key ? { ...other, ...change } : other)),
              )
            }
            onDuplicate={() => insert({ ...block, key: createKey() }, index + 1)}
            onRemove={() => remove(index)}
          />
        )}
      </SortableList>
      {canEdit.value && (
        <div class="row wrap">
          <Button
            icon="plus"
            isDisabled={isFull}
            onClick={() => insert({ key: createKey(), label: "", url: "" }, blocks.length)}
          >
            Add link
          </Button>
          <Button
            kind="plain"
            icon="plus"
            isDisabled={isFull}
            onClick={() => insert({ key: createKey(), label: "", type: "heading" }, blocks.length)}
          >
            Add heading
          </Button>
        </div>
      )}
    </section>
  );
}
