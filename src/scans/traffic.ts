/**
 * Traffic classes. Every GET that a redirect or a bio page answers is counted in exactly one:
 * - `human`: a person, or a program that a person runs, such as `curl`
 * - `bot`: a crawler
 * - `preview`: the fetcher of a link preview, such as those of chat programs and social networks
 * - `prefetch`: a browser that loads a page before its user asks for it
 *
 * The order is that of the counts in the roll-ups. A class is only ever added at the end.
 */
export const TRAFFIC_CLASSES = ["human", "bot", "preview", "prefetch"] as const;

export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

/** Returns the traffic class of a text, or `human`: messages from before the classes existed have none. */
export function toTrafficClass(text: string | null | undefined): TrafficClass {
  return TRAFFIC_CLASSES.find((name) => name === text) ?? "human";
}
