import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../../../core/format-count.ts";
import { RULES_MAX } from "../../../../links/link-limits.ts";
import { PLANS } from "../../../../tenant/plans.ts";
import { Button } from "../../../components/button.tsx";
import fieldCss from "../../../components/field.module.css";
import { SortableList } from "../../../components/sortable-list.tsx";
import { showToast } from "../../../components/toast-list.ts";
import { shortenAddress } from "../../../data/link-state.ts";
import { canEdit, workspace } from "../../../session/session.ts";
import { Section } from "../link-section.tsx";
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
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [freshKey, setFreshKey] = useState<string | null>(null);
  // A link's rules are shown from the start. Without rules, the section is opened when they are wanted.
  const [isOpen] = useState(rules.length > 0);
  const section = useRef<HTMLElement>(null);
  const plan = PLANS[workspace.value?.plan ?? "enterprise"];
  const templates = RULE_TEMPLATES.filter(({ isSplit }) => plan.routingRules || isSplit);
  const faultyKey = rules.find(({ key }) => faults[key] !== undefined)?.key;
  useEffect(() => {
    if (faultyKey === undefined) return;
    section.current?.closest("details")?.setAttribute("open", "");
    setOpenKey(faultyKey);
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
    <Section
      title="Rules"
      summary={rules.length === 0 ? "" : formatCount(rules.length, "rule")}
      isOpen={isOpen || error !== undefined}
    >
      <section class={rulesCss.rules} aria-label="Rules" ref={section}>
        {rules.length > 1 && <p class={fieldCss.hint}>The first matching rule applies.</p>}
        {rules.length === 0 && !canEdit.value && <p class={fieldCss.hint}>This link has no rules.</p>}
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
    </Section>
  );
}
