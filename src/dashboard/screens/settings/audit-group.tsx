import type { ComponentChildren } from "preact";
import { formatCount } from "../../../core/format-count.ts";
import { Icon } from "../../components/icon.tsx";
import { Moment } from "../../components/moment.tsx";
import css from "./audit-entry.module.css";
import { ActorMark, describeActor } from "./audit-entry.tsx";
import { describeChange, type Entry, TYPE_NAMES } from "./audit-labels.ts";

const NAMES_SHOWN = 3;

interface AuditGroupProps {
  entries: readonly [Entry, ...Entry[]];
  /** Names of the resources that are known. */
  names: readonly string[];
  /** The entries as items of a list. */
  children: ComponentChildren;
}

/** Entries of a bulk change: a sentence that expands to the single entries. */
export function AuditGroup({ entries, names, children }: AuditGroupProps) {
  const [{ actor, at, resource, operation }] = entries;
  const deed = describeChange(entries[0]);
  const more = entries.length - Math.min(names.length, NAMES_SHOWN);
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  return (
    <details class={css.entry}>
      <summary>
        <ActorMark type={actor.type} />
        <span class={css.text}>
          <span>
            {describeActor(actor)} {deed ?? `ran ${operation} on`}{" "}
            <b>{formatCount(entries.length, TYPE_NAMES[resource.type])}</b>
          </span>
          {shown !== "" && (
            <span class={`small muted ${css.fields}`}>{more > 0 ? `${shown} and ${more} more` : shown}</span>
          )}
        </span>
        <span class={`small muted numeric ${css.time}`}>
          <Moment iso={at} />
        </span>
        <Icon name="chevron" size={16} />
      </summary>
      <ol class={css.members}>{children}</ol>
    </details>
  );
}
