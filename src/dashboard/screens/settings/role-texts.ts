// Pure: no I/O, clock or randomness.
import type { Schemas } from "../../data/schemas.ts";

/** Describes in one or two sentences what each role allows. */
export const ROLE_TEXTS: Record<Schemas["Member"]["role"], string> = {
  owner: "Full access, including API keys and domains.",
  editor: "Can change links, QR designs, bio pages, files and webhooks, but not API keys or domains.",
  viewer: "Can view everything except API keys, but can't change anything.",
};
