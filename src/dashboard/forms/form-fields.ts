// Pure: no I/O, clock or randomness.

/** Converts form state to request bodies, and assigns errors of responses to form fields, by one table per form. */

/** Messages by field: of a form, or of a request body, where a field is a path such as `labels[0]`. */
export type Faults = Readonly<Record<string, string>>;

/** Messages by the fields of a draft. */
export type FaultsOf<Draft> = Readonly<Partial<Record<keyof Draft, string>>>;

/** Table of a form's fields. A draft is the state of the form, with texts as typed. */
export interface FormSpec<Draft, Body> {
  /**
   * Converts each field to members of the request body, which are sent if their values have changed. Fields that
   * form one member together all write the whole member.
   */
  fields: { readonly [Name in keyof Draft]-?: (draft: Draft) => Body };
  /** Fields that show the errors of paths that can't be derived from `fields`. */
  places?: Readonly<Record<string, keyof Draft & string>>;
  /** Finds errors that need no request, by path of the request body. */
  check?: (draft: Draft) => Faults;
}

/** Lists the fields whose members of the request body differ between two drafts. */
function listChanged<Draft, Body>({ fields }: FormSpec<Draft, Body>, before: Draft, after: Draft) {
  const names = Object.keys(fields) as (keyof Draft)[];
  return names.filter((name) => JSON.stringify(fields[name](before)) !== JSON.stringify(fields[name](after)));
}

/** Returns the request body that changes one draft into another. It is empty if nothing differs. */
export function diffDrafts<Draft, Body>(spec: FormSpec<Draft, Body>, before: Draft, after: Draft): Body {
  return Object.assign({}, ...listChanged(spec, before, after).map((name) => spec.fields[name](after)));
}

/** Returns the fields of a draft that differ from the saved state, with their values. */
export function pickChanged<Draft, Body>(
  spec: FormSpec<Draft, Body>,
  saved: Draft,
  draft: Draft,
): Partial<Draft> {
  const entries = listChanged(spec, saved, draft).map((name) => [name, draft[name]]);
  return Object.fromEntries(entries) as Partial<Draft>;
}

/**
 * Assigns the errors of a response to form fields. An error of an element, such as `labels[0]`, goes to the field of
 * its list. `isComplete` is false if an error has no field, or there is none.
 */
export function placeFaults<Draft, Body>(
  spec: FormSpec<Draft, Body>,
  draft: Draft,
  fields: Faults,
): { faults: Faults; isComplete: boolean } {
  const { places = {} } = spec;
  const names = Object.keys(spec.fields) as (keyof Draft & string)[];
  const find = (path: string) =>
    places[path] ?? names.find((name) => Object.hasOwn(spec.fields[name](draft) as object, path));
  const faults: Record<string, string> = {};
  const placed = Object.entries(fields).map(([path, text]) => {
    const name = find(path) ?? find(path.split(/[.[]/, 1)[0] ?? "");
    if (name !== undefined) faults[name] ??= text;
    return name !== undefined;
  });
  return { faults, isComplete: placed.length > 0 && placed.every(Boolean) };
}
