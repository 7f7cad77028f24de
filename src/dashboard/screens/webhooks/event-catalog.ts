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
      { type: "link.created", text: "A link was created. Each link of a bulk creation is told alone." },
      { type: "link.updated", text: "A link was changed, enabled or disabled. Tells all of its fields." },
      { type: "link.deleted", text: "A link was deleted. Tells what it was." },
      {
        type: "link.scanned",
        text: "Somebody opened a link or scanned its code, with country, device and referrer. By far the most frequent.",
      },
    ],
  },
  {
    title: "Bio pages",
    events: [
      { type: "bio.published", text: "A page went online." },
      { type: "bio.unpublished", text: "A page was taken offline." },
    ],
  },
  {
    title: "Assets",
    events: [
      { type: "asset.uploaded", text: "The upload of a file was confirmed." },
      { type: "asset.published", text: "A file got its public address." },
    ],
  },
  {
    title: "Webhooks",
    events: [
      {
        type: "webhook.disabled",
        text: "The service disabled another endpoint of this workspace because it failed too often.",
      },
      { type: "webhook.test", text: "Somebody sent a test. The tested endpoint gets it in any case." },
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
