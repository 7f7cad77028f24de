// Pure: no I/O, clock or randomness.

/** Computes the order of a list that is changed by dragging or with keys. */

/** Vertical position of an item before a drag, in pixels. */
export interface Slot {
  top: number;
  height: number;
}

/** Returns the items with one item moved to another index. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...items.slice(from, from + 1), ...others.slice(to)];
}

/** Returns an item's index after a drag. Its leading edge has crossed the middle of each item it passes. */
export function findDropIndex(slots: readonly Slot[], from: number, movedPx: number): number {
  const dragged = slots[from];
  if (dragged === undefined) return from;
  const top = dragged.top + movedPx;
  const bottom = top + dragged.height;
  const getMiddle = ({ top, height }: Slot) => top + height / 2;
  if (movedPx > 0) return from + slots.slice(from + 1).filter((slot) => getMiddle(slot) < bottom).length;
  return from - slots.slice(0, from).filter((slot) => getMiddle(slot) > top).length;
}

/** Returns how far each item shifts while another one is dragged to a new index, in pixels. */
export function listShifts(slots: readonly Slot[], from: number, to: number): number[] {
  const dragged = slots[from];
  const next = slots[from + 1];
  const before = slots[from - 1];
  if (dragged === undefined) return slots.map(() => 0);
  // The dragged item frees its height plus one gap.
  const freePx =
    next !== undefined
      ? next.top - dragged.top
      : dragged.height + (before === undefined ? 0 : dragged.top - before.top - before.height);
  return slots.map((_, index) => {
    if (index > from && index <= to) return -freePx;
    return index < from && index >= to ? freePx : 0;
  });
}

/** Returns the index that a key moves an item to, or null for any other key. */
export function findKeyTarget(key: string, index: number, count: number): number | null {
  const targets: Record<string, number> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? null : Math.min(Math.max(target, 0), count - 1);
}
