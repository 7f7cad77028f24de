import { findDropIndex, listShifts, type Slot } from "./sortable-order.ts";

/** Distance from which a press counts as a drag instead of a click. */
const DRAG_PX = 4;
/** Distance from an edge of the scroll container within which a drag scrolls the container. */
const EDGE_PX = 40;
const SCROLL_PX = 8;

interface DragOptions {
  event: PointerEvent;
  handle: HTMLElement;
  list: HTMLElement;
  /** Index of the dragged item. */
  from: number;
  onDrop: (to: number) => void;
}

/**
 * Handles a press on an item's drag handle: the item follows the pointer and the others make room. Escape
 * cancels the drag. A press without movement stays a click.
 */
export function followDrag({ event, handle, list, from, onDrop }: DragOptions): void {
  const items = [...list.children] as HTMLElement[];
  const item = items[from];
  if (event.button !== 0 || !event.isPrimary || item === undefined) return;
  const slots: Slot[] = items.map(({ offsetTop, offsetHeight }) => ({
    top: offsetTop,
    height: offsetHeight,
  }));
  const scroller = findScroller(list);
  const startY = event.clientY;
  const startScroll = scroller.scrollTop;
  let pointerY = startY;
  let to = from;
  let isDragging = false;
  let frame = 0;
  const stop = new AbortController();
  const { signal } = stop;

  const moveItems = () => {
    const movedPx = pointerY - startY + scroller.scrollTop - startScroll;
    to = findDropIndex(slots, from, movedPx);
    const shifts = listShifts(slots, from, to);
    for (const [index, element] of items.entries())
      element.style.translate = `0 ${index === from ? movedPx : (shifts[index] ?? 0)}px`;
  };
  const scroll = () => {
    const { top, bottom } = scroller.getBoundingClientRect();
    const edge = Math.min(bottom, innerHeight);
    if (pointerY < Math.max(top, 0) + EDGE_PX) scroller.scrollTop -= SCROLL_PX;
    else if (pointerY > edge - EDGE_PX) scroller.scrollTop += SCROLL_PX;
    moveItems();
    frame = requestAnimationFrame(scroll);
  };
  const begin = () => {
    isDragging = true;
    handle.setPointerCapture(event.pointerId);
    item.dataset.dragged = "";
    list.dataset.dragging = "";
    frame = requestAnimationFrame(scroll);
  };
  const end = (isDropped: boolean) => {
    stop.abort();
    cancelAnimationFrame(frame);
    if (!isDragging) return;
    delete item.dataset.dragged;
    delete list.dataset.dragging;
    for (const element of items) element.style.translate = "";
    // Ignores the click after a drag, which would otherwise activate the handle. Browsers send this click
    // right away or not at all.
    const drop = new AbortController();
    addEventListener("click", swallow, { capture: true, signal: drop.signal });
    setTimeout(() => drop.abort(), 0);
    if (isDropped && to !== from) onDrop(to);
  };

  handle.addEventListener(
    "pointermove",
    (move) => {
      pointerY = move.clientY;
      if (!isDragging && Math.abs(pointerY - startY) >= DRAG_PX) begin();
      if (isDragging) moveItems();
    },
    { signal },
  );
  handle.addEventListener("pointerup", () => end(true), { signal });
  handle.addEventListener("pointercancel", () => end(false), { signal });
  addEventListener(
    "keydown",
    (press) => {
      if (press.key !== "Escape" || !isDragging) return;
      press.preventDefault();
      press.stopPropagation();
      end(false);
    },
    { capture: true, signal },
  );
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Returns the nearest ancestor that scrolls. */
function findScroller(element: HTMLElement): Element {
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
    const { overflowY } = getComputedStyle(outer);
    if ((overflowY === "auto" || overflowY === "scroll") && outer.scrollHeight > outer.clientHeight)
      return outer;
  }
  return document.scrollingElement ?? document.documentElement;
}
