/** Maximum nesting depth of a JSON body. Bounds the recursion of all functions that read the body. */
export const JSON_DEPTH_MAX = 64;

/**
 * Returns true if brackets outside strings are nested deeper than {@link JSON_DEPTH_MAX}. Uses a loop,
 * because recursion could overflow the stack and a regular expression could backtrack.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') isInString = !isInString;
    else if (isInString && character === "\\") index++;
    else if (!isInString && (character === "[" || character === "{")) depth++;
    else if (!isInString && (character === "]" || character === "}")) depth--;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}
