import { useRef } from "preact/hooks";
import { Button } from "../../../components/button.tsx";
import fieldCss from "../../../components/field.module.css";
import { Select, TextField } from "../../../components/field.tsx";
import { SHARES_MAX } from "../../../data/service-limits.ts";
import css from "./rule-action-fields.module.css";
import type { RuleAction, ShareDraft } from "./rule-draft.ts";
import { findFault, type RuleFaults } from "./rule-faults.ts";
import { buildSplit, shareEvenly } from "./rule-templates.ts";

const ALL_PERCENT = 100;

const KINDS = [
  { value: "send", label: "Redirect to" },
  { value: "split", label: "Split between" },
  { value: "block", label: "Block (451)" },
] as const;

interface RuleActionProps {
  action: RuleAction;
  faults: RuleFaults;
  /** Destination of the link. */
  destination: string;
  onChange: (action: RuleAction) => void;
}

/** Fields for the action of a rule: redirect, split or block. */
export function RuleActionFields({ action, faults, destination, onChange }: RuleActionProps) {
  const setKind = (kind: RuleAction["kind"]) => {
    if (kind === "block") onChange({ kind });
    if (kind === "split") onChange(buildSplit(action.kind === "send" ? action.destination : destination));
    if (kind === "send")
      onChange({ kind, destination: action.kind === "split" ? (action.shares[0]?.destination ?? "") : "" });
  };
  return (
    <>
      <Select label="Then" choices={KINDS} value={action.kind} onChange={setKind} />
      {action.kind === "send" && (
        <TextField
          label="Destination"
          type="url"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder="https://example.com/another-page"
          value={action.destination}
          error={findFault(faults, "destination")}
          onInput={(changed) => onChange({ kind: "send", destination: changed })}
        />
      )}
      {action.kind === "split" && <Shares shares={action.shares} faults={faults} onChange={onChange} />}
    </>
  );
}

interface SharesProps {
  shares: readonly ShareDraft[];
  faults: RuleFaults;
  onChange: (action: RuleAction) => void;
}

function Shares({ shares, faults, onChange }: SharesProps) {
  const adder = useRef<HTMLDivElement>(null);
  const set = (changed: readonly ShareDraft[]) => onChange({ kind: "split", shares: changed });
  const setOne = (index: number, changed: Partial<ShareDraft>) =>
    set(shares.map((share, at) => (at === index ? { ...share, ...changed } : share)));
  const setEven = (changed: readonly ShareDraft[]) => {
    const percents = shareEvenly(changed.length);
    set(changed.map((share, index) => ({ ...share, percent: percents[index] ?? share.percent })));
  };
  const sum = shares.reduce((total, { percent }) => total + (Number(percent) || 0), 0);
  const letter = String.fromCharCode("A".charCodeAt(0) + shares.length);
  return (
    <div class="stack tight">
      {shares.map((share, index) => (
        <fieldset key={index} class={css.share} aria-label={`Variant ${index + 1}`}>
          <TextField
            label="Percent"
            inputMode="numeric"
            value={share.percent}
            error={faults[`split[${index}].percent`]}
            onInput={(percent) => setOne(index, { percent })}
          />
          <TextField
            label="Destination"
            type="url"
            inputMode="url"
            placeholder="https://example.com/b"
            value={share.destination}
            error={faults[`split[${index}].destination`]}
            onInput={(destination) => setOne(index, { destination })}
          />
          <TextField
            label="Name"
            value={share.name}
            error={faults[`split[${index}].name`]}
            onInput={(name) => setOne(index, { name })}
          />
          <Button
            kind="plain"
            size="s"
            icon="close"
            aria-label={`Remove variant ${index + 1}`}
            isDisabled={shares.length === 1}
            onClick={() => {
              set(shares.filter((_, at) => at !== index));
              adder.current?.querySelector("button")?.focus();
            }}
          />
        </fieldset>
      ))}
      {faults.split && (
        <p class={fieldCss.error} data-ui="field-error">
          {faults.split}
        </p>
      )}
      <div class="row wrap" ref={adder}>
        <Button
          size="s"
          icon="plus"
          isDisabled={shares.length >= SHARES_MAX}
          onClick={() => setEven([...shares, { name: letter, destination: "", percent: "" }])}
        >
          Add variant
        </Button>
        <Button size="s" kind="plain" onClick={() => setEven(shares)}>
          Split evenly
        </Button>
        <span class="push small muted numeric" role="status">
          {describeRest(sum)}
        </span>
      </div>
    </div>
  );
}

/** Describes what percentage the split leaves to the next rule, or that it exceeds 100%. */
function describeRest(sum: number): string {
  if (sum > ALL_PERCENT) return `${sum}%: must not exceed 100%`;
  return sum === ALL_PERCENT ? "100%" : `${ALL_PERCENT - sum}% continue to the next rule`;
}
