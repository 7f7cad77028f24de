// Pure: no I/O, clock or randomness.

/**
 * Traffic classes. Each GET served by a redirect or a bio page is counted in exactly one class:
 * - `human`: a person, or a program that a person runs, such as `curl`
 * - `bot`: a crawler
 * - `preview`: a link preview fetcher, such as a chat program or a social network
 * - `prefetch`: a browser that loads a page before its user requests it
 * - `scanner`: a security program that opens the links of messages and poses as a browser
 *
 * Roll-ups store the counts in this order, so new classes must be added at the end.
 */
export const TRAFFIC_CLASSES = ["human", "bot", "preview", "prefetch", "scanner"] as const;

export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

/**
 * Converts a text to a traffic class. Old messages from before traffic classes existed have no class and
 * become `human`.
 */
export function toTrafficClass(text: string | null | undefined): TrafficClass {
  return TRAFFIC_CLASSES.find((name) => name === text) ?? "human";
}
