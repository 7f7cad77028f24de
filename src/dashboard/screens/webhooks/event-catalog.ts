// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";

/** Webhook events and their descriptions. */

export type EventType = Schemas["Delivery"]["event_type"];

/** Event that an endpoint can subscribe to. */
export interface EventChoice {
  type: EventType;
  text: string;
}

/** Events of one kind of resource. */
export interface EventGroup {
  title: string;
  events: readonly EventChoice[];
}

export const EVENT_GROUPS: readonly EventGroup[] = [
  {
    title: "Links",
    events: [
      { type: "link.created", text: "A link was created. Bulk creation sends one event per link." },
      { type: "link.updated", text: "A link was changed, enabled or disabled. Contains all of its fields." },
      { type: "link.deleted", text: "A link was deleted. Contains its last values." },
      {
        type: "link.broken",
        text: "A link's destination failed three checks in a row. Contains the reason.",
      },
      { type: "link.recovered", text: "A broken destination works again." },
      { type: "link.restored", text: "A deleted link was restored from the trash. Contains its values." },
      {
        type: "link.scanned",
        text: "Someone clicked a link or scanned its QR code. Contains country, device, referrer and source. By far the most frequent event.",
      },
    ],
  },
  {
    title: "Bio pages",
    events: [
      { type: "bio.published", text: "A page was published." },
      { type: "bio.unpublished", text: "A page was unpublished." },
    ],
  },
  {
    title: "Assets",
    events: [
      { type: "asset.uploaded", text: "A file was uploaded." },
      { type: "asset.published", text: "A file was published." },
    ],
  },
  {
    title: "Webhooks",
    events: [
      {
        type: "webhook.disabled",
        text: "Another endpoint in this workspace was disabled after repeated failures.",
      },
      { type: "webhook.test", text: "Someone sent a test event. The tested endpoint always receives it." },
    ],
  },
];

/** All events in display order. */
export const EVENT_TYPES: readonly EventType[] = EVENT_GROUPS.flatMap(({ events }) =>
  events.map(({ type }) => type),
);

const SHOWN_MAX = 3;

/** Summarises the events that an endpoint subscribes to. */
export function describeEvents(events: readonly string[]): string {
  if (events.includes("*")) return "All events";
  const more = events.length - SHOWN_MAX;
  const shown = events.slice(0, SHOWN_MAX).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
