// Pure: no I/O, clock or randomness.

/** Option of a combobox. */
export interface ComboOption {
  value: string;
  label: string;
  /** Code shown next to the label, such as a country code. Typing the code also finds the option. */
  code?: string;
}

const OPTIONS_MAX = 50;

/**
 * Returns the options that match the typed text and aren't chosen yet. An exact match of the code comes
 * first, then labels that begin with the text.
 */
export function filterOptions(
  options: readonly ComboOption[],
  typed: string,
  chosen: readonly string[],
): ComboOption[] {
  const wanted = typed.trim().toLowerCase();
  const free = options.filter(({ value }) => !chosen.includes(value));
  const coded = wanted === "" ? [] : free.filter(({ code }) => code?.toLowerCase() === wanted);
  const others = free.filter((option) => !coded.includes(option));
  const begins = others.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const contains = others.filter(
    (option) => !begins.includes(option) && option.label.toLowerCase().includes(wanted),
  );
  return [...coded, ...begins, ...contains].slice(0, OPTIONS_MAX);
}

/** Returns an option for a new value, unless the typed text is already an option or chosen. */
export function offerNew(
  options: readonly ComboOption[],
  typed: string,
  chosen: readonly string[],
): ComboOption | null {
  const value = typed.trim();
  const isKnown = chosen.includes(value) || options.some((option) => option.value === value);
  return value === "" || isKnown ? null : { value, label: value };
}
