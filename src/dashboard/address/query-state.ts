// Pure: no I/O, clock or randomness.

/** Reads and changes screen state in the URL's query. */

/** Changes to parameters. Null, undefined and an empty string remove a parameter. */
export type QueryChanges = Readonly<Record<string, string | null | undefined>>;

/** Returns a query with changed parameters, without `?`. Other parameters keep their position. */
export function changeQuery(query: string, changes: QueryChanges): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters.toString();
}

/** Reads a parameter that must be one of the choices. Defaults to the first choice for any other value. */
export function readChoice<Choice extends string>(
  query: string,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = new URLSearchParams(query).get(name);
  return choices.find((choice) => choice === value) ?? choices[0];
}
