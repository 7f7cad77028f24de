import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { Menu, type MenuItem } from "./menu.tsx";
import { followDrag } from "./sortable-drag.ts";
import css from "./sortable-list.module.css";
import { findKeyTarget, moveItem } from "./sortable-order.ts";
import { announce } from "./toast-list.ts";

interface SortableListProps<Item> {
  /** Accessible name of the list. */
  label: string;
  items: readonly Item[];
  getKey: (item: Item) => string;
  /** Name of an item, for its handle and the announcement after a move. */
  getName: (item: Item, index: number) => string;
  onChange: (items: Item[]) => void;
  /** Hides the handles. */
  isReadOnly?: boolean | undefined;
  /** Renders an item, including the given handle. */
  children: (item: Item, index: number, handle: ComponentChildren) => ComponentChildren;
}

const MOVE_MS = 160;

/**
 * List whose items can be reordered: by dragging an item's handle, with arrow keys, Home and End on the
 * handle, or with the handle's menu. The new position is announced, and the focus stays on the handle.
 */
export function SortableList<Item>(props: SortableListProps<Item>) {
  const { label, items, getKey, getName, onChange, isReadOnly = false, children } = props;
  const helpId = useId();
  const list = useRef<HTMLOListElement>(null);
  /** Key of the moved item, until it is rendered at its new position. */
  const moved = useRef<string | null>(null);
  const offsets = useRef<ReadonlyMap<string, number>>(new Map());

  const move = (from: number, to: number) => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length) return;
    const text = `${getName(item, from)}: position ${to + 1} of ${items.length}`;
    announce(text);
    if (to === from) return;
    moved.current = getKey(item);
    offsets.current = readOffsets(list.current);
    onChange(moveItem(items, from, to));
  };
  useLayoutEffect(() => {
    if (moved.current === null || list.current === null) return;
    // Browsers remove the focus from an element that is moved in the document.
    findItem(list.current, moved.current)?.querySelector<HTMLElement>("[data-handle]")?.focus();
    moved.current = null;
    slideItems(list.current, offsets.current);
  }, [items]);

  const renderHandle = (item: Item, index: number) => {
    const name = getName(item, index);
    const go = (label: string, to: number): MenuItem => ({ label, onSelect: () => move(index, to) });
    const up = [go("Move up", index - 1), go("Move to top", 0)];
    const down = [go("Move down", index + 1), go("Move to bottom", items.length - 1)];
    const groups = [index > 0 ? up : [], index < items.length - 1 ? down : []];
    return (
      <Menu label={`Move ${name}`} groups={groups.filter((group) => group.length > 0)}>
        {(trigger) => (
          <button
            type="button"
            class={css.sortHandle}
            data-handle
            aria-label={`Move ${name}`}
            aria-describedby={helpId}
            {...trigger}
            onPointerDown={(event) => {
              const handle = event.currentTarget;
              if (list.current)
                followDrag({
                  event,
                  handle,
                  list: list.current,
                  from: index,
                  onDrop: (to) => move(index, to),
                });
            }}
            onKeyDown={(event) => {
              const to = findKeyTarget(event.key, index, items.length);
              if (to === null || event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              move(index, to);
            }}
          >
            <Icon name="grip" size={16} />
          </button>
        )}
      </Menu>
    );
  };
  return (
    <>
      {!isReadOnly && (
        <span hidden id={helpId}>
          Drag or use the arrow keys to reorder.
        </span>
      )}
      <ol class={css.sortable} aria-label={label} ref={list}>
        {items.map((item, index) => (
          <li key={getKey(item)} data-key={getKey(item)}>
            {children(item, index, isReadOnly || items.length < 2 ? null : renderHandle(item, index))}
          </li>
        ))}
      </ol>
    </>
  );
}

function listElements(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.children ?? [])] as HTMLElement[];
}

function findItem(list: HTMLElement, key: string): HTMLElement | undefined {
  return listElements(list).find(({ dataset }) => dataset.key === key);
}

function readOffsets(list: HTMLElement | null): Map<string, number> {
  return new Map(listElements(list).map((item) => [item.dataset.key ?? "", item.offsetTop]));
}

/** Animates items from their previous positions to the current ones. */
function slideItems(list: HTMLElement, before: ReadonlyMap<string, number>): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const item of listElements(list)) {
    const movedPx = (before.get(item.dataset.key ?? "") ?? item.offsetTop) - item.offsetTop;
    if (movedPx === 0) continue;
    const frames = [{ translate: `0 ${movedPx}px` }, { translate: "0 0" }];
    item.animate(frames, { duration: MOVE_MS, easing: "ease-out" });
  }
}
