import { setQuery } from "../../address/address.ts";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Moment } from "../../components/moment.tsx";
import { canEdit } from "../../session/session.ts";
import { listChanges, type ShownChange, summarizeFields } from "./audit-changes.ts";
import css from "./audit-entry.module.css";
import {
  ACTOR_LABELS,
  describeChange,
  type Entry,
  findAddress,
  findTrashType,
  isCreation,
  isRevertible,
  SIGNED_IN,
  TYPE_NAMES,
} from "./audit-labels.ts";
import { RestoreButton } from "./restore-button.tsx";

const ACTOR_ICONS: Record<Entry["actor"]["type"], IconName> = {
  key: "key",
  person: "person",
  admin: "terminal",
  scim: "shapes",
};

interface AuditEntryProps {
  entry: Entry;
  /** Name of the resource, taken from this or another entry. Undefined if no entry contains it. */
  name: string | undefined;
  onRevert: () => void;
  /** Called after the item of the entry was restored from the trash. */
  onRestore: () => void;
}

/** Entry of the audit log: a sentence that expands to the old and new value of each field, and to actions. */
export function AuditEntry({ entry, name, onRevert, onRestore }: AuditEntryProps) {
  const { actor, at, changes, resource } = entry;
  const fields = summarizeFields(changes);
  const trashType = findTrashType(entry, Date.now());
  return (
    <details class={css.entry}>
      <summary>
        <ActorMark type={actor.type} />
        <span class={css.text}>
          <Sentence entry={entry} name={name} />
          {fields && <span class={`small muted ${css.fields}`}>{fields}</span>}
        </span>
        <span class={`small muted numeric ${css.time}`}>
          <Moment iso={at} />
        </span>
        <Icon name="chevron" size={16} />
      </summary>
      <div class={css.body}>
        {listChanges(changes).map((change) =>
          isCreation(entry) ? (
            <Value key={change.field} change={change} />
          ) : (
            <Change key={change.field} change={change} />
          ),
        )}
        {fields === "" && <p class="small muted">No fields were changed.</p>}
        <p class="small muted">
          <Moment iso={at} isExact /> · <code>{entry.operation}</code> · Request{" "}
          <code>{entry.request_id}</code>
        </p>
        <span class="row wrap">
          <ResourceLink entry={entry} />
          <Button size="s" onClick={() => setQuery({ resource: resource.id, type: resource.type })}>
            Full history
          </Button>
          <Button size="s" onClick={() => setQuery({ actor: actor.id })}>
            All changes by {actor.name}
          </Button>
          {canEdit.value && isRevertible(entry) && (
            <Button size="s" icon="undo" onClick={onRevert}>
              Revert
            </Button>
          )}
          {canEdit.value && trashType && (
            <RestoreButton type={trashType} id={resource.id} name={name} onRestore={onRestore} />
          )}
        </span>
      </div>
    </details>
  );
}

/** Icon for the type of an actor. */
export function ActorMark({ type }: { type: Entry["actor"]["type"] }) {
  return (
    <span class={css.mark} role="img" aria-label={ACTOR_LABELS[type] || "Person"}>
      <Icon name={ACTOR_ICONS[type]} size={16} />
    </span>
  );
}

/** Returns the name of an actor, followed by its type. */
export function describeActor({ name, type }: Entry["actor"]) {
  const label = ACTOR_LABELS[type];
  return (
    <>
      <b>{name}</b>
      {label && label !== name && <span class="muted"> ({label})</span>}
    </>
  );
}

function Sentence({ entry, name }: { entry: Entry; name: string | undefined }) {
  const { actor, operation, resource } = entry;
  const deed = describeChange(entry);
  return (
    <span>
      {describeActor(actor)}{" "}
      {deed === null ? (
        <>
          ran <code>{operation}</code> on
        </>
      ) : (
        deed
      )}{" "}
      {deed !== SIGNED_IN && (
        <>
          {TYPE_NAMES[resource.type]} <b>{name ?? `${resource.id.slice(0, 8)}…`}</b>
        </>
      )}
    </span>
  );
}

function ResourceLink({ entry }: { entry: Entry }) {
  const address = findAddress(entry);
  if (address === null) return null;
  return (
    <a class={`${buttonCss.button} ${buttonCss.s}`} data-ui="button" href={address}>
      View {TYPE_NAMES[entry.resource.type]}
    </a>
  );
}

/** Value of a field of a new resource. Empty fields are left out. */
function Value({ change: { field, after, added } }: { change: ShownChange }) {
  const text = added.length > 0 ? added.join(", ") : after;
  if (text === null) return null;
  return (
    <dl class={css.change}>
      <dt>{field}</dt>
      <dd class={css.value}>{text}</dd>
    </dl>
  );
}

function Change({ change: { field, before, after, removed, added } }: { change: ShownChange }) {
  const isList = removed.length > 0 || added.length > 0;
  return (
    <dl class={css.change}>
      <dt>{field}</dt>
      <dd>
        {isList ? (
          <>
            {removed.map((item) => (
              <del key={item}>{item}</del>
            ))}
            {added.map((item) => (
              <ins key={item}>{item}</ins>
            ))}
          </>
        ) : (
          <>
            <del class={before === null ? css.none : undefined}>{before ?? "none"}</del>
            <span class="muted" aria-hidden="true">
              →
            </span>
            <span class="visually-hidden">changed to</span>
            <ins class={after === null ? css.none : undefined}>{after ?? "none"}</ins>
          </>
        )}
      </dd>
    </dl>
  );
}
