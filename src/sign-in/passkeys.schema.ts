import * as z from "zod";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { boundedText, id, laterTimestamp, timestamp } from "../http/fields.ts";
import type { Passkey } from "../members/passkeys.ts";

const NAME_MAX_LENGTH = 100;
const STATE_MAX_LENGTH = 2_000;

const name = boundedText(1, NAME_MAX_LENGTH)
  .describe("Name by which the person recognizes the passkey.")
  .meta({ example: "Ada's phone" });

const ceremonyState = z
  .string()
  .max(STATE_MAX_LENGTH)
  .describe("State of the ceremony. Send it back unchanged within 5 minutes.")
  .meta({ example: "1f0c9a7e.c2VhbGVk" });

/** Response to the first request of adding a passkey. */
export const passkeyOptionsResponse = z
  .object({
    options: z
      .record(z.string(), z.unknown())
      .describe("Options for `PublicKeyCredential.parseCreationOptionsFromJSON()`.")
      .meta({ example: { rp: { id: "app.example.com", name: "Signpost" } } }),
    state: ceremonyState,
  })
  .meta({ id: "PasskeyOptions" });

/** Input for adding a passkey. */
export const newPasskey = z
  .strictObject({
    name,
    state: ceremonyState,
    response: z
      .record(z.string(), z.unknown())
      .describe("Result of `toJSON()` of the credential that the browser has created.")
      .meta({ example: { id: "bWFkZSB1cA", type: "public-key" } }),
  })
  .meta({ id: "NewPasskey" });

/** Input for renaming a passkey. */
export const passkeyChange = z.strictObject({ name }).meta({ id: "PasskeyChange" });

/** Passkey in a response. */
export const passkeyResponse = z
  .object({
    id,
    name: z.string().meta({ example: "Ada's phone" }),
    created_at: timestamp,
    last_used_at: laterTimestamp.nullable(),
  })
  .meta({ id: "Passkey" });

export function formatPasskey({ id, name, createdAt, lastUsedAt }: Passkey): z.input<typeof passkeyResponse> {
  return { id, name, created_at: toIso(createdAt), last_used_at: toIsoOrNull(lastUsedAt) };
}
