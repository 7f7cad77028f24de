import type { Schemas } from "../../data/schemas.ts";
import { EVENT_TYPES, type EventType } from "./event-catalog.ts";

/** Endpoint as its form has it. */
export interface EndpointDraft {
  url: string;
  description: string;
  /** Tells all events, also those that come with later versions. */
  isAll: boolean;
  events: readonly EventType[];
}

export const EMPTY_DRAFT: EndpointDraft = { url: "", description: "", isAll: true, events: [] };

type Endpoint = Pick<Schemas["Webhook"], "url" | "description" | "events">;

/** Body of a creation or of a change. */
export interface EndpointBody {
  url?: string;
  description?: string;
  events?: (EventType | "*")[];
}

/** Returns the draft of an endpoint. */
export function toDraft({ url, description, events }: Endpoint): EndpointDraft {
  return {
    url,
    description,
    isAll: events.includes("*"),
    events: EVENT_TYPES.filter((type) => events.includes(type)),
  };
}

/** Returns the change that leads from one draft to another. It is empty if nothing differs. */
export function diffEndpoint(before: EndpointDraft, after: EndpointDraft): EndpointBody {
  const isSameChoice = String(listChosen(before)) === String(listChosen(after));
  return {
    ...(before.url !== after.url && { url: after.url.trim() }),
    ...(before.description !== after.description && { description: after.description }),
    ...(!isSameChoice && { events: listChosen(after) }),
  };
}

/** Lists what an endpoint subscribes to, in the order of the catalogue. */
function listChosen({ isAll, events }: EndpointDraft): (EventType | "*")[] {
  return isAll ? ["*"] : EVENT_TYPES.filter((type) => events.includes(type));
}

/** Faults of the form, by its fields. */
export type EndpointFaults = Partial<Record<"url" | "description" | "events", string>>;

/** Returns the faults that need no call to be known. */
export function findFaults({ isAll, events }: EndpointDraft): EndpointFaults {
  return !isAll && events.length === 0 ? { events: "Choose at least one event." } : {};
}

/** Returns the faults of a response at the fields of the form. */
export function placeFaults(fields: Readonly<Record<string, string>>): EndpointFaults {
  const faults: EndpointFaults = {};
  for (const [path, text] of Object.entries(fields)) {
    const name = path.split(/[.[]/, 1)[0];
    if (name === "url" || name === "description" || name === "events") faults[name] ??= text;
  }
  return faults;
}
