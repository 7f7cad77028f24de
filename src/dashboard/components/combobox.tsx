import { useId, useRef, useState } from "preact/hooks";
import { Badge } from "./badge.tsx";
import { joinClasses } from "./button.tsx";
import css from "./combobox.module.css";
import { type ComboOption, filterOptions, offerNew } from "./combobox-options.ts";
import fieldCss from "./field.module.css";
import { Field, type FieldTexts } from "./field.tsx";
import { Icon } from "./icon.tsx";
import menuCss from "./menu.module.css";
import { placePopover } from "./placement.ts";

interface ComboboxProps extends FieldTexts {
  options: readonly ComboOption[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Maximum number of values. Above 1, several values can be chosen. */
  max?: number | undefined;
  /** Offers the typed text as a new value. */
  takesNew?: boolean | undefined;
  placeholder?: string | undefined;
  /** Called with the typed text, so that options can be loaded from the service. */
  onType?: ((typed: string) => void) | undefined;
}

/** Input for choosing one or more of many options, with a list that is filtered by the typed text. */
export function Combobox({
  options,
  values,
  onChange,
  max = 1,
  takesNew,
  placeholder,
  onType,
  ...texts
}: ComboboxProps) {
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);

  const fitting = filterOptions(options, typed, values);
  const fresh = takesNew ? offerNew(options, typed, values) : null;
  const shown = fresh === null ? fitting : [...fitting, fresh];
  const isFull = values.length >= max && max > 1;

  const open = (willOpen: boolean) => {
    setOpen(willOpen);
    setActive(0);
    if (!list.current || !box.current) return;
    if (willOpen && !list.current.matches(":popover-open")) {
      list.current.showPopover();
      placePopover(list.current, box.current);
    } else if (!willOpen && list.current.matches(":popover-open")) list.current.hidePopover();
  };
  const choose = (option: ComboOption | undefined) => {
    if (option === undefined) return;
    onChange(max === 1 ? [option.value] : [...values, option.value]);
    setTyped("");
    onType?.("");
    open(false);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isOpen) open(true);
      else
        setActive((active + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % Math.max(1, shown.length));
    } else if ((event.key === "Enter" || event.key === ",") && isOpen && typed !== "") choose(shown[active]);
    else if (event.key === "Enter" && isOpen) choose(shown[active]);
    else if (event.key === "Escape" && isOpen) open(false);
    else if (event.key === "Backspace" && typed === "" && values.length > 0) onChange(values.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const getLabel = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  return (
    <Field {...texts} note={texts.note ?? (isFull ? `Maximum ${max}` : undefined)}>
      {(control) => (
        <div class={css.combo} data-single={max === 1 || undefined}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the input focuses it */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard reaches the input itself */}
          <div
            ref={box}
            class={joinClasses(fieldCss.input, texts.error && fieldCss.faulty)}
            data-ui="input"
            onClick={() => input.current?.focus()}
          >
            {values.map((value) => (
              <Badge key={value}>
                <span class="row">
                  {getLabel(value)}
                  <button
                    type="button"
                    class={css.badgeRemove}
                    aria-label={`Remove ${getLabel(value)}`}
                    onClick={() => onChange(values.filter((other) => other !== value))}
                  >
                    <Icon name="close" size={11} />
                  </button>
                </span>
              </Badge>
            ))}
            <input
              {...control}
              ref={input}
              role="combobox"
              aria-expanded={isOpen}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={isOpen && shown[active] ? `${listId}-${active}` : undefined}
              autocomplete="off"
              placeholder={values.length === 0 ? placeholder : undefined}
              value={typed}
              readOnly={isFull}
              onInput={(event) => {
                setTyped(event.currentTarget.value);
                onType?.(event.currentTarget.value);
                open(true);
              }}
              onFocus={(event) =>
                event.currentTarget.matches(":focus-visible") && options.length > 0 && !isFull && open(true)
              }
              onBlur={() => {
                if (fresh !== null && max > 1 && !isFull) choose(fresh);
                open(false);
              }}
              onKeyDown={handleKey}
            />
          </div>
          <div
            ref={list}
            id={listId}
            class={menuCss.popover}
            data-ui="popover"
            popover="manual"
            role="listbox"
            aria-label={texts.label}
          >
            {shown.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the focus and the keys stay in the input
              <div
                key={option.value}
                id={`${listId}-${index}`}
                class={menuCss.item}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
              >
                {option === fresh ? `Add “${option.label}”` : option.label}
                {option.code && <span class="push small muted">{option.code}</span>}
              </div>
            ))}
            {shown.length === 0 && (
              <div
                class={menuCss.heading}
                role="option"
                aria-selected="false"
                aria-disabled="true"
                tabIndex={-1}
              >
                {takesNew ? "Type to add one" : "No matches"}
              </div>
            )}
          </div>
        </div>
      )}
    </Field>
  );
}
