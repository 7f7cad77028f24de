import { useEffect, useId, useRef, useState } from "preact/hooks";
import { RULES_MAX } from "../../../../links/link-limits.ts";
import { PLANS } from "../../../../tenant/plans.ts";
import { Button } from "../../../components/button.tsx";
import fieldCss from "../../../components/field.module.css";
import { SortableList } from "../../../components/sortable-list.tsx";
import { showToast } from "../../../components/toast-list.ts";
import { shortenAddress } from "../../../data/link-state.ts";
import { canEdit, workspace } from "../../../session/session.ts";
import { RuleCard } from "./rule-card.tsx";
import type { RuleDraft } from "./rule-draft.ts";
import type { RuleFaults } from "./rule-faults.ts";
import { Sentence } from "./rule-sentence.tsx";
import { buildRule, RULE_TEMPLATES, type RuleTemplate } from "./rule-templates.ts";
import rulesCss from "./rules.module.css";
import css from "./rules-field.module.css";

interface RulesFieldProps {
  rules: readonly RuleDraft[];
  faults: Readonly<Record<string, RuleFaults>>;
  /** Error of the list of rules as a whole. */
  error: string | undefined;
  /** Destination of visitors who match no rule. */
  destination: string;
  onChange: (rules: readonly RuleDraft[]) => void;
  /** Called with the key of an edited rule, so that its errors can be cleared. */
  onEdit: (key: string) => void;
}

/** Rules of a link: a sortable list, a form for one rule at a time, and templates for new rules. */
export function RulesField({ rules, faults, error, destination, onChange, onEdit }: RulesFieldProps) {
  const headingId = useId();
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [freshKey, setFreshKey] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  const plan = PLANS[workspace.value?.plan ?? "enterprise"];
  const templates = RULE_TEMPLATES.filter(({ isSplit }) => plan.routingRules || isSplit);
  const faultyKey = rules.find(({ key }) => faults[key] !== undefined)?.key;
  useEffect(() => {
    if (faultyKey !== undefined) setOpenKey(faultyKey);
  }, [faults]);

  const add = (rule: RuleDraft, at = rules.length) => {
    onChange([...rules.slice(0, at), rule, ...rules.slice(at)]);
    setOpenKey(rule.key);
    setFreshKey(rule.key);
  };
  const addTemplate = (template: RuleTemplate) => add(buildRule(template, crypto.randomUUID(), destination));
  const change = (rule: RuleDraft) => {
    onChange(rules.map((other) => (other.key === rule.key ? rule : other)));
    onEdit(rule.key);
  };
  const remove = (rule: RuleDraft, index: number) => {
    const others = rules.filter(({ key }) => key !== rule.key);
    onChange(others);
    const back = () => onChange([...others.slice(0, index), rule, ...others.slice(index)]);
    showToast("Rule removed", { label: "Undo", run: back });
    section.current?.querySelector<HTMLElement>("[data-templates] button")?.focus();
  };
  return (
    <section class={rulesCss.rules} aria-labelledby={headingId} ref={section}>
      <div class={fieldCss.head} data-ui="field-head">
        <h3 class={fieldCss.label} id={headingId}>
          Rules
        </h3>
        {rules.length > 1 && <span class={fieldCss.note}>The first matching rule applies</span>}
      </div>
      {rules.length > 0 && (
        <>
          <SortableList
            label="Rules"
            items={rules}
            getKey={({ key }) => key}
            getName={(_, index) => `rule ${index + 1}`}
            onChange={onChange}
            isReadOnly={!canEdit.value}
          >
            {(rule, index, handle) => (
              <RuleCard
                rule={rule}
                index={index}
                handle={handle}
                faults={faults[rule.key] ?? {}}
                isOpen={openKey === rule.key}
                isFresh={freshKey === rule.key}
                destination={destination}
                onToggle={() => setOpenKey(openKey === rule.key ? null : rule.key)}
                onChange={change}
                onCopy={() => add({ ...rule, key: crypto.randomUUID() }, index + 1)}
                onRemove={() => remove(rule, index)}
              />
            )}
          </SortableList>
          <p class={css.ruleRest}>
            <Sentence
              sentence={{
                who: [{ text: "Everyone else" }],
                where: [{ text: shortenAddress(destination) || "the destination", isChosen: true }],
              }}
            />
          </p>
        </>
      )}
      {error && (
        <p class={fieldCss.error} data-ui="field-error" role="alert">
          {error}
        </p>
      )}
      {canEdit.value && rules.length < RULES_MAX && (
        <fieldset data-templates class={rulesCss.templates}>
          <legend class="small muted">
            {rules.length === 0 ? "Send some visitors to a different destination:" : "Add another rule:"}
          </legend>
          {templates.map((template) => (
            <Button key={template.name} size="s" icon="plus" onClick={() => addTemplate(template)}>
              {template.name}
            </Button>
          ))}
          {!plan.routingRules && (
            <p class={fieldCss.hint}>Rules by country, device, language and more require a larger plan.</p>
          )}
        </fieldset>
      )}
    </section>
  );
}
