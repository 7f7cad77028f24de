/** True in `npm run test:long`, in which loops test every case instead of a sample. */
export const IS_LONG = process.env.SIGNPOST_LONG_TESTS === "1";

/**
 * Returns every case in a long run, and otherwise one in `step`. Choose a step that has no factor in common
 * with the sizes of the combined dimensions, so that the sample has every value of each dimension.
 */
export function sampleCases<Case>(cases: readonly Case[], step: number): Case[] {
  return cases.filter((_, index) => IS_LONG || index % step === 0);
}

/** Combines the values of dimensions: `[["a", 1], ["a", 2], ["b", 1], …]`. */
export function combine<Dimensions extends readonly (readonly unknown[])[]>(
  ...dimensions: Dimensions
): { [Index in keyof Dimensions]: Dimensions[Index][number] }[] {
  return dimensions.reduce<unknown[][]>(
    (combined, values) => combined.flatMap((head) => values.map((value) => [...head, value])),
    [[]],
  ) as { [Index in keyof Dimensions]: Dimensions[Index][number] }[];
}
