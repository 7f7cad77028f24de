/** Choices of a combobox. */
export interface ComboOption {
  value: string;
  label: string;
  /** Code that stands beside the label, by which the option is found too, such as that of a country. */
  code?: string;
}

const OPTIONS_MAX = 50;

/**
 * Returns the options that fit what is typed and are not chosen yet. The one with that code comes first, then those that
 * begin with it.
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

/** Returns the option for a new value, if what is typed is neither an option nor chosen. */
export function offerNew(
  options: readonly ComboOption[],
  typed: string,
  chosen: readonly string[],
): ComboOption | null {
  const value = typed.trim();
  const isKnown = chosen.includes(value) || options.some((option) => option.value === value);
  return value === "" || isKnown ? null : { value, label: value };
}
