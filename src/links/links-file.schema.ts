import * as z from "zod";
import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from "../routing/short-code.ts";
import { inputShape } from "./link-input.ts";
import { createdAt } from "./links.schema.ts";

/** Version of the file format that `signpost apply` reads and `signpost links export` writes. */

export const LINKS_FILE_VERSION = 1;

const VARIABLE_MAX_LENGTH = 128;

/**
 * Accepts reserved codes, because an existing link may have had its code before the code was reserved.
 * Creating such a link fails.
 */
const code = z
  .string()
  .min(SLUG_MIN_LENGTH)
  .max(SLUG_MAX_LENGTH)
  .regex(SLUG_PATTERN, { error: "must only contain letters, digits and hyphens" })
  .describe(
    "Short code of the link, which is not case-sensitive. It identifies the link if `external_id` does not. Otherwise, a different code renames the link, and the old code becomes an alias.",
  )
  .meta({ example: "summer-sale" });

const passwordReference = z
  .strictObject({
    environment: z
      .string()
      .max(VARIABLE_MAX_LENGTH)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of an environment variable" })
      .meta({ example: "SALE_PASSWORD" }),
  })
  .nullable()
  .describe(
    "Environment variable whose value becomes the password, if the link has none yet. An existing password is never replaced.",
  );

// Files never contain passwords or hashes.
const {
  url,
  destination: _,
  password: __,
  password_hash: ___,
  aliases,
  external_id,
  imported_scans,
  ...fields
} = inputShape;

/** Link in a file. Missing fields have their default values. */
export const linkInFile = z
  .strictObject({
    code: code.optional(),
    external_id: external_id
      .optional()
      .describe("ID of the link in your own system. If a link has it, it identifies the link."),
    url,
    aliases: aliases
      .optional()
      .describe("Further paths of the link. Aliases that are not in the file are kept."),
    ...z.object(fields).partial().shape,
    has_password: z
      .boolean()
      .optional()
      .describe("True if the link is protected with a password. The existing password is kept."),
    password: passwordReference.optional(),
    imported_scans: imported_scans
      .optional()
      .describe("Number of scans that another service counted. Only used when the link is created."),
    created_at: createdAt
      .optional()
      .describe("Time at which the link was created. Only used when the link is created."),
  })
  .refine(({ code, external_id }) => code !== undefined || external_id != null, {
    path: ["code"],
    error: "is required without external_id",
  })
  .refine(({ has_password, password }) => has_password !== false || password == null, {
    path: ["has_password"],
    error: "must not be false if `password` is set",
  })
  .meta({
    id: "LinkInFile",
    example: { code: "summer-sale", url: "https://example.com/sale", labels: ["print"] },
  });

export type LinkInFile = z.output<typeof linkInFile>;

export const linksFile = z.strictObject({
  $schema: z.string().optional().describe("URL of this schema, for editors."),
  version: z.literal(LINKS_FILE_VERSION).describe("Version of the format."),
  links: z.array(linkInFile).describe("All links of the workspace, in any order."),
});
