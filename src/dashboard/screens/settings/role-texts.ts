import type { Schemas } from "../../data/schemas.ts";

/** Describes in one or two sentences what each role allows. */
export const ROLE_TEXTS: Record<Schemas["Member"]["role"], string> = {
  owner: "May do everything, also with API keys and domains.",
  editor: "May change links, QR designs, pages, files and webhooks. API keys and domains are for owners.",
  viewer: "May see everything except API keys, and changes nothing.",
};
