// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table whose rows are shown as cards
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { joinClasses } from "./button.tsx";
import css from "./data-table.module.css";
import fieldCss from "./field.module.css";
import { Icon } from "./icon.tsx";
import { judgeSelection, selectRows } from "./row-selection.ts";
import { Skeleton } from "./states.tsx";

export interface Column<Row> {
  name: string;
  header: string;
  cell: (row: Row) => ComponentChildren;
  /**
   * Layout of the cells: `grow` takes the remaining width, `fill` also takes it from wider columns, `half` less
   * than half, `fit` only the width of the content, `end` aligns at the end, and `numeric` aligns digits. On
   * phones, cells with `more` are on the second line, and `bare` ones have no label there.
   */
  layout?: string | undefined;
  /** Sort order that a click on the header requests. */
  sort?: string | undefined;
  /** Hides the header visually, for example above a column of buttons. */
  isHeaderHidden?: boolean | undefined;
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  /** Shows more rows, each in one line. */
  isCompact?: boolean | undefined;
  columns: readonly Column<Row>[];
  /** Undefined until the first rows are loaded. Skeletons are shown instead. */
  rows: readonly Row[] | undefined;
  getKey: (row: Row) => string;
  /** Name of a row, for its checkbox. */
  getName: (row: Row) => string;
  isDimmed?: ((row: Row) => boolean) | undefined;
  /** Called when a row is clicked. The first column needs a button for keyboard users. */
  onOpen?: ((row: Row) => void) | undefined;
  selection?: { chosen: ReadonlySet<string>; onChange: (chosen: Set<string>) => void } | undefined;
  order?: { sort: string; onSort: (sort: string) => void } | undefined;
}

const WAITING_ROWS = ["w-7", "w-5", "w-9", "w-5", "w-7", "w-3"] as const;

/** Table with sortable headers and a selection. In windows below 46 rem, each row is a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, selection, isCompact } = props;
  return (
    <table
      class={joinClasses(css.table, isCompact && css.compact)}
      data-ui="table"
      data-compact={isCompact || undefined}
      role="table"
      aria-label={label}
      aria-busy={rows === undefined}
    >
      <thead role="rowgroup">
        <tr role="row">
          {selection && <SelectAll {...props} selection={selection} />}
          {columns.map((column) => (
            <Header key={column.name} column={column} order={props.order} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows === undefined
          ? WAITING_ROWS.map((width, index) => (
              <tr key={`waiting-${index}`} role="row">
                {selection && <td role="cell" data-cell="select" />}
                {columns.map(({ name, layout }, column) => (
                  <td key={name} role="cell" data-cell={layout}>
                    {column === 0 && <Skeleton width={width} />}
                  </td>
                ))}
              </tr>
            ))
          : rows.map((row, index) => (
              <Line key={props.getKey(row)} {...props} row={row} rows={rows} index={index} />
            ))}
      </tbody>
    </table>
  );
}

function Header<Row>({ column, order }: { column: Column<Row>; order: DataTableProps<Row>["order"] }) {
  const { header, sort, layout, isHeaderHidden } = column;
  const isSorted = order !== undefined && sort !== undefined && order.sort === sort;
  return (
    <th role="columnheader" scope="col" data-cell={layout} aria-sort={isSorted ? "descending" : undefined}>
      {order && sort ? (
        <button type="button" class={css.sort} onClick={() => order.onSort(sort)}>
          {header}
          <Icon name="sort" size={14} />
        </button>
      ) : (
        <span class={isHeaderHidden ? "visually-hidden" : undefined}>{header}</span>
      )}
    </th>
  );
}

type WithSelection<Row> = DataTableProps<Row> & { selection: NonNullable<DataTableProps<Row>["selection"]> };

function SelectAll<Row>({ rows = [], getKey, selection: { chosen, onChange } }: WithSelection<Row>) {
  const keys = rows.map(getKey);
  const state = judgeSelection(keys, chosen);
  return (
    <th role="columnheader" scope="col" data-cell="select">
      <label class={`${fieldCss.check} ${fieldCss.bare}`}>
        <input
          type="checkbox"
          aria-label="Select all rows"
          checked={state === "all"}
          indeterminate={state === "some"}
          onChange={() => onChange(new Set(state === "all" ? [] : [...chosen, ...keys]))}
        />
      </label>
    </th>
  );
}

/**
 * Index of the row that was last selected or deselected. A selection with the Shift key begins there. A page
 * has only one selection at a time.
 */
let lastIndex: number | null = null;

function Line<Row>(props: DataTableProps<Row> & { row: Row; rows: readonly Row[]; index: number }) {
  const { row, rows, index, columns, getKey, getName, isDimmed, onOpen, selection } = props;
  const isShift = useRef(false);
  const isChosen = selection?.chosen.has(getKey(row)) ?? false;
  const choose = () => {
    const from = isShift.current ? lastIndex : null;
    selection?.onChange(selectRows(rows.map(getKey), selection.chosen, index, !isChosen, from));
    lastIndex = index;
  };
  return (
    <tr
      role="row"
      class={joinClasses(isDimmed?.(row) && css.dimmed, onOpen && css.opens)}
      data-selected={isChosen || undefined}
      onClick={(event) => {
        const isControl =
          event.target instanceof Element && event.target.closest("a, button, input, label, [popover]");
        if (onOpen && !isControl && !getSelection()?.toString()) onOpen(row);
      }}
    >
      {selection && (
        <td role="cell" data-cell="select">
          <label class={`${fieldCss.check} ${fieldCss.bare}`}>
            <input
              type="checkbox"
              aria-label={`Select ${getName(row)}`}
              checked={isChosen}
              onClick={(event) => {
                isShift.current = event.shiftKey;
              }}
              onChange={choose}
            />
          </label>
        </td>
      )}
      {columns.map(({ name, header, cell, layout }) => (
        <td key={name} role="cell" data-cell={layout} data-label={header}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}
