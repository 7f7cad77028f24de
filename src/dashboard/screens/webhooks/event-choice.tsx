import { useId } from "preact/hooks";
import fieldCss from "../../components/field.module.css";
import { Check } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import type { EndpointDraft } from "./endpoint-draft.ts";
import { EVENT_GROUPS, type EventType } from "./event-catalog.ts";

interface EventChoiceProps {
  draft: EndpointDraft;
  error: string | undefined;
  onChange: (change: Pick<EndpointDraft, "isAll" | "events">) => void;
}

/** Choice of the events that an endpoint receives: all events, or some of them. */
export function EventChoice({ draft, error, onChange }: EventChoiceProps) {
  const id = useId();
  const { isAll, events } = draft;
  const toggle = (type: EventType, isChosen: boolean) =>
    onChange({
      isAll: false,
      events: isChosen ? [...events, type] : events.filter((other) => other !== type),
    });
  return (
    <fieldset class="stack" aria-describedby={error ? `${id}-error` : undefined}>
      <legend class={fieldCss.legend}>Events</legend>
      <Check
        label="All events"
        hint="Includes events added in later versions of Signpost."
        isChecked={isAll}
        isSwitch
        onChange={(isChosen) => onChange({ isAll: isChosen, events })}
      />
      {!isAll && (
        <div class={fieldCss.eventGroups}>
          {EVENT_GROUPS.map((group) => (
            <fieldset key={group.title} class="stack tight" aria-label={group.title}>
              <span class="small muted" aria-hidden="true">
                {group.title}
              </span>
              {group.events.map(({ type, text }) => (
                <Check
                  key={type}
                  label={<code>{type}</code>}
                  hint={text}
                  isChecked={events.includes(type)}
                  onChange={(isChosen) => toggle(type, isChosen)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {error && (
        <p class={fieldCss.error} data-ui="field-error" id={`${id}-error`} role="alert">
          <Icon name="alert" size={15} />
          {error}
        </p>
      )}
    </fieldset>
  );
}
