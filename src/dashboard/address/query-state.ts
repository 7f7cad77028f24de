/** State of a screen in the query of its address. */

/** Changes of parameters. Null and an empty text remove one. */
export type QueryChanges = Readonly<Record<string, string | null | undefined>>;

/** Returns a query with changed parameters, without `?`. Parameters that are not named stay where they are. */
export function changeQuery(query: string, changes: QueryChanges): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters.toString();
}

/** Reads a parameter that is one of some words. Any other value is the first of them, the default. */
export function readChoice<Choice extends string>(
  query: string,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = new URLSearchParams(query).get(name);
  return choices.find((choice) => choice === value) ?? choices[0];
}
