// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";
import { EVENT_TYPES, type EventType } from "./event-catalog.ts";

/** Form state of an endpoint. */
export interface EndpointDraft {
  url: string;
  description: string;
  /** Subscribes to all events, including ones added in later versions. */
  isAll: boolean;
  events: readonly EventType[];
}

export const EMPTY_DRAFT: EndpointDraft = { url: "", description: "", isAll: true, events: [] };

type Endpoint = Pick<Schemas["Webhook"], "url" | "description" | "events">;

/** Request body of a creation or a change. */
export interface EndpointBody {
  url?: string;
  description?: string;
  events?: (EventType | "*")[];
}

/** Returns the form state of an endpoint. */
export function toDraft({ url, description, events }: Endpoint): EndpointDraft {
  return {
    url,
    description,
    isAll: events.includes("*"),
    events: EVENT_TYPES.filter((type) => events.includes(type)),
  };
}

/** Returns the request body that changes one form state into another. It is empty if nothing differs. */
export function diffEndpoint(before: EndpointDraft, after: EndpointDraft): EndpointBody {
  const isSameChoice = String(listChosen(before)) === String(listChosen(after));
  return {
    ...(before.url !== after.url && { url: after.url.trim() }),
    ...(before.description !== after.description && { description: after.description }),
    ...(!isSameChoice && { events: listChosen(after) }),
  };
}

/** Lists the events that an endpoint subscribes to, in display order. */
function listChosen({ isAll, events }: EndpointDraft): (EventType | "*")[] {
  return isAll ? ["*"] : EVENT_TYPES.filter((type) => events.includes(type));
}

/** Errors by form field. */
export type EndpointFaults = Partial<Record<"url" | "description" | "events", string>>;

/** Finds errors that the form can detect itself. */
export function findFaults({ isAll, events }: EndpointDraft): EndpointFaults {
  return !isAll && events.length === 0 ? { events: "Choose at least one event." } : {};
}

/** Assigns the errors of a response to form fields. */
export function placeFaults(fields: Readonly<Record<string, string>>): EndpointFaults {
  const faults: EndpointFaults = {};
  for (const [path, text] of Object.entries(fields)) {
    const name = path.split(/[.[]/, 1)[0];
    if (name === "url" || name === "description" || name === "events") faults[name] ??= text;
  }
  return faults;
}
