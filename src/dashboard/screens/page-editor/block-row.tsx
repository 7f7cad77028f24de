import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { Button, joinClasses } from "../../components/button.tsx";
import fieldCss from "../../components/field.module.css";
import { Check, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { TimeField } from "../../components/time-field.tsx";
import { shortenAddress } from "../../data/link-state.ts";
import { BLOCK_LABEL_MAX_LENGTH } from "../../data/service-limits.ts";
import type { Faults } from "../../forms/form-fields.ts";
import { canEdit } from "../../session/session.ts";
import css from "./block-row.module.css";
import { judgeBlock } from "./block-state.ts";
import type { Block } from "./page-draft.ts";

interface BlockRowProps {
  block: Block;
  handle: ComponentChildren;
  faults: Faults;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (field: string, change: Partial<Block>) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** Link or heading in the list. While open, it shows its fields. */
export function BlockRow(props: BlockRowProps) {
  const { block, handle, faults, isOpen, onToggle, onChange } = props;
  const bodyId = useId();
  const isHeading = block.type === "heading";
  const state = judgeBlock(block, Date.now());
  const hasFault = Object.keys(faults).some((field) => faults[field] && field.startsWith(`${block.key}.`));
  return (
    <div
      data-open={isOpen || undefined}
      class={joinClasses(
        css.block,
        isOpen && css.open,
        isHeading && css.heading,
        block.enabled === false && css.off,
      )}
    >
      <div class={css.head}>
        {handle}
        <button
          type="button"
          class={css.name}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={onToggle}
        >
          <span class={css.texts}>
            <span class={`one-line ${css.label}`}>
              {block.label.trim() || <span class="muted">{isHeading ? "New heading" : "New link"}</span>}
            </span>
            {!isHeading && (
              <span class="one-line small muted">{shortenAddress(block.url ?? "") || "No URL yet"}</span>
            )}
          </span>
          <span class="row push">
            {hasFault && <Badge tone="danger">Needs fixing</Badge>}
            {block.highlight && !isHeading && <Badge tone="accent">Highlighted</Badge>}
            {state && (
              <Badge tone={state.tone}>
                {state.word === "Until" || state.word === "Scheduled"
                  ? `${state.word === "Until" ? "Until" : "From"} ${formatDay(state.at)}`
                  : state.word}
              </Badge>
            )}
            <span class={css.chevron}>
              <Icon name="chevron" size={16} />
            </span>
          </span>
        </button>
      </div>
      <div id={bodyId} hidden={!isOpen}>
        {isOpen && <BlockFields {...props} isHeading={isHeading} onChange={onChange} />}
      </div>
    </div>
  );
}

function BlockFields({
  block,
  faults,
  isHeading,
  onChange,
  onDuplicate,
  onRemove,
}: BlockRowProps & { isHeading: boolean }) {
  const { key } = block;
  return (
    <div class={`stack ${css.body}`}>
      <TextField
        label={isHeading ? "Heading" : "Label"}
        maxLength={BLOCK_LABEL_MAX_LENGTH}
        autocomplete="off"
        placeholder={isHeading ? "On tour" : "My new book"}
        value={block.label}
        error={faults[`${key}.label`]}
        onInput={(label) => onChange("label", { label })}
      />
      {!isHeading && (
        <>
          <TextField
            label="URL"
            hint="A URL, email address or phone number such as +44 20 7946 0000."
            inputMode="url"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="https://example.com/book"
            value={block.url ?? ""}
            error={faults[`${key}.url`]}
            onInput={(url) => onChange("url", { url })}
          />
          <Check
            label="Highlight"
            hint="Makes the link stand out. Works best on a single link."
            isChecked={block.highlight === true}
            onChange={(isOn) => onChange("highlight", { highlight: isOn || undefined })}
          />
        </>
      )}
      <div class={fieldCss.pairs}>
        <TimeField
          label="Show from"
          value={block.starts_at ?? ""}
          error={faults[`${key}.starts_at`]}
          onInput={(starts_at) => onChange("starts_at", { starts_at })}
        />
        <TimeField
          label="Show until"
          value={block.ends_at ?? ""}
          error={faults[`${key}.ends_at`]}
          onInput={(ends_at) => onChange("ends_at", { ends_at })}
        />
      </div>
      <div class="row wrap">
        <Check
          label="Show on page"
          isSwitch
          isChecked={block.enabled !== false}
          onChange={(isOn) => onChange("enabled", { enabled: isOn ? undefined : false })}
        />
        {canEdit.value && (
          <span class="row push">
            <Button kind="plain" size="s" icon="copy" onClick={onDuplicate}>
              Duplicate
            </Button>
            <Button kind="danger" size="s" icon="trash" onClick={onRemove}>
              Remove
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}

/** Formats the day of a time, such as "3 Dec". */
function formatDay(iso: string | null): string {
  return iso === null ? "" : new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}
