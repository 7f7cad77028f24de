import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, joinClasses } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Menu } from "../../../components/menu.tsx";
import { shownZone } from "../../../components/time-field.tsx";
import { canEdit } from "../../../session/session.ts";
import css from "./rule-card.module.css";
import { type RuleDraft, toFormRule, toJsonRule, toRuleBody } from "./rule-draft.ts";
import type { RuleFaults } from "./rule-faults.ts";
import { RuleForm } from "./rule-form.tsx";
import { RuleJson } from "./rule-json.tsx";
import { Sentence } from "./rule-sentence.tsx";
import { describeRule } from "./rule-texts.ts";

interface RuleCardProps {
  rule: RuleDraft;
  index: number;
  handle: ComponentChildren;
  faults: RuleFaults;
  isOpen: boolean;
  /** True if the rule was just added. Its first empty field then gets the focus. */
  isFresh: boolean;
  /** Destination of the link. */
  destination: string;
  onToggle: () => void;
  onChange: (rule: RuleDraft) => void;
  onCopy: () => void;
  onRemove: () => void;
}

/** Card of a rule: a sentence that describes it and, while open, its form. */
export function RuleCard(props: RuleCardProps) {
  const { rule, index, handle, faults, isOpen, isFresh, destination, onToggle, onChange } = props;
  const card = useRef<HTMLDivElement>(null);
  const formId = useId();
  // Before the browser shows the card, so that keys pressed immediately after the click already reach the field.
  useLayoutEffect(() => {
    if (isFresh) focusFirst(card.current);
  }, [isFresh]);
  const form = rule.kind === "json" ? toFormRule(rule) : rule;
  const asJson = {
    label: "Edit as JSON",
    icon: "code",
    onSelect: () => onChange(toJsonRule(toRuleBody(rule), rule.key)),
  } as const;
  const asForm = { label: "Edit as form", icon: "edit", onSelect: () => form && onChange(form) } as const;
  const ways = rule.kind === "form" ? [asJson] : form === null ? [] : [asForm];
  const copy = { label: "Duplicate", icon: "copy", onSelect: props.onCopy } as const;
  const remove = { label: "Remove", icon: "trash", isDanger: true, onSelect: props.onRemove } as const;
  const hasFault = Object.keys(faults).length > 0;
  return (
    <div ref={card} class={joinClasses(css.rule, isOpen && css.open, hasFault && css.faulty)}>
      <div class={css.head}>
        {handle}
        <button
          type="button"
          class={css.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? formId : undefined}
          onClick={onToggle}
        >
          <Sentence sentence={describeRule(rule, shownZone.value)} />
          <Icon name="chevron" size={16} />
        </button>
        {canEdit.value && (
          <Menu label={`Actions for rule ${index + 1}`} groups={[[copy, ...ways], [remove]]}>
            {(trigger) => (
              <Button
                kind="plain"
                size="s"
                icon="more"
                aria-label={`Actions for rule ${index + 1}`}
                {...trigger}
              />
            )}
          </Menu>
        )}
      </div>
      {isOpen && (
        <div class={`stack ${css.body}`} data-body id={formId}>
          {rule.kind === "json" ? (
            <RuleJson rule={rule} faults={faults} onChange={onChange} />
          ) : (
            <RuleForm rule={rule} faults={faults} destination={destination} onChange={onChange} />
          )}
        </div>
      )}
    </div>
  );
}

/**
 * Focuses the first thing to fill in for a new rule: the menu of conditions, which is also opened, or the
 * first empty field.
 */
function focusFirst(card: HTMLElement | null): void {
  const chooser = card?.querySelector<HTMLElement>("[data-first]");
  if (chooser) {
    chooser.focus();
    chooser.click();
    return;
  }
  const inputs = [...(card?.querySelectorAll<HTMLInputElement>("[data-body] input") ?? [])];
  inputs
    .find(
      (input) =>
        input.value === "" && input.closest("[data-ui=input]")?.querySelector("[data-ui=badge]") === null,
    )
    ?.focus();
}
