import * as z from "zod";
import { importPasswordHash } from "../core/password-hash.ts";
import { destinationUrl } from "./destination.schema.ts";
import {
  MAX_SCANS_MAX,
  PASSWORD_HASH_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  PREVIEW_DESCRIPTION_MAX_LENGTH,
  PREVIEW_TITLE_MAX_LENGTH,
} from "./link-limits.ts";

/** Request schemas of the fields that guard a link's destination. */

export const maxScans = z
  .int()
  .min(1)
  .max(MAX_SCANS_MAX)
  .nullable()
  .describe(
    "Maximum number of scans over the lifetime of the link. Further visitors are not redirected. The limit is exact.",
  )
  .meta({ example: 100 });

export const password = z
  .string()
  .min(PASSWORD_MIN_LENGTH)
  .max(PASSWORD_MAX_LENGTH)
  // Visitors can't enter control characters, such as line breaks, in the password field of a browser.
  .refine((text) => !/\p{Cc}/u.test(text), { error: "must not contain control characters" })
  .nullable()
  .describe(
    "Password that visitors must enter. It is stored as a hash and never returned; see `has_password`.",
  )
  .meta({ writeOnly: true, example: "open sesame" });

export const passwordHash = z
  .string()
  .max(PASSWORD_HASH_MAX_LENGTH)
  .transform((text, context) => {
    const hash = importPasswordHash(text);
    if (hash !== null) return hash;
    const message =
      "must be `pbkdf2-sha256$rounds$salt$hash` with salt and hash in Base64, or a hash exported by Sink, with 1,000 to 100,000 rounds";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .describe(
    "Password hash of an imported link, instead of `password`: `pbkdf2-sha256$rounds$salt$hash` with salt and hash in Base64, or `sink-pwd:v1:…` as exported by Sink. 1,000 to 100,000 rounds. Never returned.",
  )
  .meta({
    writeOnly: true,
    example: "pbkdf2-sha256$80000$c2lnbnBvc3Qgc2FsdA==$BtYwALGTtYpSPzijzRmzS5F5jN37KZggg8HKibGpKcA=",
  });

const previewShape = {
  title: z.string().trim().min(1).max(PREVIEW_TITLE_MAX_LENGTH),
  description: z.string().trim().min(1).max(PREVIEW_DESCRIPTION_MAX_LENGTH).nullable(),
  image_url: destinationUrl.meta({ example: "https://example.com/sale.png" }).nullable(),
};

export const preview = z
  .strictObject({
    title: previewShape.title,
    description: previewShape.description.default(null),
    image_url: previewShape.image_url.default(null),
  })
  .nullable()
  .describe(
    "Title, description and image shown when the link is shared in chats and on social networks, instead of the destination's own preview.",
  )
  .meta({ example: { title: "Summer sale", description: "Up to half off", image_url: null } });

/** Preview in responses. */
export const previewResponse = z
  .object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    image_url: z.string().nullable(),
  })
  .meta({
    id: "LinkPreview",
    example: { title: "Summer sale", description: "Up to half off", image_url: null },
  });
