import type { ComponentChildren } from "preact";
import { formatCount } from "../../core/format-count.ts";
import type { PagedList } from "../data/paged-list.ts";
import type { ShownList } from "../data/resources.ts";
import { Button } from "./button.tsx";
import { hiddenIds } from "./delayed-deletion.ts";

interface ListCountProps {
  /** Number of items shown, and total number. If `isTotalCapped`, there may be more than `total`. */
  shown: number;
  total: number;
  isTotalCapped?: boolean;
  noun: string;
  /** Default: the noun with an "s". */
  plural?: string | undefined;
}

/** Text below a list that shows how much of it is visible. */
export function ListCount({ shown, total, isTotalCapped = false, noun, plural }: ListCountProps) {
  const all = isTotalCapped
    ? `${total.toLocaleString("en-GB")}+ ${plural ?? `${noun}s`}`
    : formatCount(total, noun, plural);
  return <span class="numeric">{shown < total ? `${shown.toLocaleString("en-GB")} of ${all}` : all}</span>;
}

interface ListFootProps {
  list: ShownList<PagedList<{ id: string }>>;
  /** Number of items that match a search. Default: all that are loaded. */
  shown?: number | undefined;
  noun: string;
  plural?: string;
  children?: ComponentChildren;
}

/** Count of a list, and the button that loads its next page. Empty until the list is loaded. */
export function ListFoot({ list, shown, noun, plural, children }: ListFootProps) {
  if (list.value === undefined) return null;
  const { items, nextBefore, total, isTotalCapped } = list.value;
  const hiddenCount = items.filter(({ id }) => hiddenIds.value.has(id)).length;
  return (
    <>
      <ListCount
        shown={shown ?? items.length - hiddenCount}
        total={(total ?? items.length) - hiddenCount}
        isTotalCapped={isTotalCapped ?? (total === undefined && nextBefore !== null)}
        noun={noun}
        plural={plural}
      />
      {children}
      {nextBefore !== null && (
        <Button size="s" isBusy={list.isLoading} onClick={list.readFurther}>
          Show more
        </Button>
      )}
    </>
  );
}
