// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";
import type { FormSpec } from "../../forms/form-fields.ts";
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

/** Fields of the form. */
export const ENDPOINT_FORM: FormSpec<EndpointDraft, EndpointBody> = {
  fields: {
    url: ({ url }) => ({ url: url.trim() }),
    description: ({ description }) => ({ description }),
    events: writeEvents,
    isAll: writeEvents,
  },
  check: ({ isAll, events }) =>
    !isAll && events.length === 0 ? { events: "Choose at least one event." } : {},
};

/** Returns the events that an endpoint subscribes to, in display order. */
function writeEvents({ isAll, events }: EndpointDraft): EndpointBody {
  return { events: isAll ? ["*"] : EVENT_TYPES.filter((type) => events.includes(type)) };
}
