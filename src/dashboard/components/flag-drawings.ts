// Pure: no I/O, clock or randomness.

/**
 * Content of an SVG for each country's flag, by ISO 3166-1 code, in a view box of 512 × 512. Empty here: the bundle of the
 * dashboard has the drawings of the package circle-flags in place of this file (`cli/dashboard-plugins.ts`).
 */
export const FLAG_DRAWINGS: Readonly<Record<string, string>> = {};
