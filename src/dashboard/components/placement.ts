/** Places popovers next to the elements they belong to. */

let anchors = 0;

/**
 * Places a popover below an element, or above it if there is more room. In browsers without anchor
 * positioning, the position is computed once, when the popover opens.
 */
export function placePopover(popover: HTMLElement, anchor: HTMLElement): void {
  if (CSS.supports("position-area", "block-end")) {
    const existing = anchor.style.getPropertyValue("anchor-name");
    const name = existing || `--anchor-${++anchors}`;
    anchor.style.setProperty("anchor-name", name);
    popover.style.setProperty("position-anchor", name);
    return;
  }
  const { left, right, top, bottom, width } = anchor.getBoundingClientRect();
  const isStart = left < innerWidth / 2;
  popover.style.left = isStart ? `${left}px` : "auto";
  popover.style.right = isStart ? "auto" : `${innerWidth - right}px`;
  const isBelow = bottom < innerHeight * 0.6;
  popover.style.top = isBelow ? `${bottom}px` : "auto";
  popover.style.bottom = isBelow ? "auto" : `${innerHeight - top}px`;
  popover.style.minWidth = `${width}px`;
}
