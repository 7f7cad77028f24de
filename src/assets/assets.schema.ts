import * as z from "zod";
import { formatBytes } from "../core/byte-size.ts";
import {
  cursorQuery,
  EXAMPLE_CREATED_AT,
  EXAMPLE_ID,
  id,
  laterTimestamp,
  timestamp,
} from "../http/fields.ts";
import { FILENAME_MAX_LENGTH, findFilenameProblem } from "./filename.ts";
import { normalizeMimeType } from "./mime-type.ts";
import { ASSET_STATUSES } from "./status.ts";

/**
 * Maximum size of a file. Cloudflare rejects larger request bodies on the Free and Pro plans
 * (https://developers.cloudflare.com/workers/platform/limits/#request-limits).
 */
export const FILE_MAX_BYTES = 100_000_000;

const MIME_TYPE_MAX_LENGTH = 255;
const TAGS_MAX = 20;
const TAG_MAX_LENGTH = 64;

const filename = z
  .string()
  .superRefine((name, context) => {
    const problem = findFilenameProblem(name);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  })
  .meta({ minLength: 1, maxLength: FILENAME_MAX_LENGTH, example: "menu.pdf" });

const mimeType = z
  .string()
  .max(MIME_TYPE_MAX_LENGTH)
  .transform((text, context) => {
    const normalized = normalizeMimeType(text);
    if (normalized !== null) return normalized;
    context.addIssue({ code: "custom", message: "must be a media type such as image/png" });
    return z.NEVER;
  })
  .meta({ example: "application/pdf" });

const tags = z
  .array(z.string().trim().min(1).max(TAG_MAX_LENGTH))
  .max(TAGS_MAX)
  .transform((names) => [...new Set(names)]);

export const presignBody = z
  .strictObject({
    filename,
    mime_type: mimeType,
    file_size: z
      .int()
      .min(1)
      .max(FILE_MAX_BYTES, { error: `must be at most ${FILE_MAX_BYTES} (${formatBytes(FILE_MAX_BYTES)})` })
      .meta({ description: `Size in bytes, at most ${formatBytes(FILE_MAX_BYTES)}.` }),
    tags: tags.optional(),
  })
  .meta({
    id: "NewAsset",
    example: { filename: "menu.pdf", mime_type: "application/pdf", file_size: 48_213, tags: ["print"] },
  });

export type NewAsset = z.output<typeof presignBody>;

export const listAssetsQuery = z.strictObject(cursorQuery);

export const assetResponse = z
  .object({
    id,
    filename: z.string().meta({ example: "menu.pdf" }),
    mime_type: z.string().meta({ example: "application/pdf" }),
    file_size: z.int().meta({ example: 48_213, description: "Size in bytes." }),
    status: z.enum(ASSET_STATUSES).meta({ example: "confirmed" }),
    is_public: z.boolean(),
    public_url: z
      .url()
      .nullable()
      .meta({
        example: `https://cdn.example.com/${EXAMPLE_ID}/menu.pdf`,
        description: "URL on the CDN; null until the asset is published.",
      }),
    tags: z.array(z.string()).meta({ example: ["print"] }),
    created_at: timestamp,
    updated_at: laterTimestamp,
  })
  .meta({ id: "Asset" });

export type AssetResponse = z.output<typeof assetResponse>;

/** Fields of an unpublished asset that differ from the example. */
export const UNPUBLISHED_EXAMPLE: Partial<AssetResponse> = { is_public: false, public_url: null };

/** Fields of a presigned asset that differ from the example. */
export const PRESIGNED_EXAMPLE: Partial<AssetResponse> = {
  ...UNPUBLISHED_EXAMPLE,
  status: "pending",
  updated_at: EXAMPLE_CREATED_AT,
};

const UPLOAD_URL_EXAMPLE =
  `https://api.example.com/uploads/${EXAMPLE_ID}/${EXAMPLE_ID}` +
  `?size=48213&type=application%2Fpdf&expires=1795254300&signature=${"0".repeat(64)}`;

/** Request that uploads the file of a presigned asset. */
const upload = z.object({
  method: z.literal("PUT"),
  url: z.url().meta({ example: UPLOAD_URL_EXAMPLE }),
  headers: z.record(z.string(), z.string()).meta({ example: { "Content-Type": "application/pdf" } }),
  expires_at: timestamp.meta({ example: "2026-11-21T09:45:00.000Z" }),
});

export const presignResponse = assetResponse.extend({ upload }).meta({ id: "PresignedAsset" });
