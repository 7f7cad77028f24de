import * as z from "zod";
import { formatBytes } from "../core/byte-size.ts";
import { cursorQuery, id, queryInteger, timestamp } from "../http/fields.ts";
import { destinationUrl } from "../links/destination.schema.ts";
import { DOMAIN_MAX_LENGTH, parseDomainName } from "./hostname.ts";

/** Maximum size of a document as JSON. */
const DOCUMENT_MAX_BYTES = 131_072;
/** Maximum length of the URLs. The cache of redirects keeps them in memory with each host. */
const URL_MAX_LENGTH = 2_048;
/** Maximum length of a host name before it's converted to Punycode. */
const TEXT_MAX_LENGTH = 253;
/** Maximum number of domains in a response. Their documents can be large. */
const PAGE_MAX = 20;

const hostname = z
  .string()
  .max(TEXT_MAX_LENGTH, { abort: true })
  .transform((text, context) => {
    const name = parseDomainName(text);
    if (name !== null && name.length <= DOMAIN_MAX_LENGTH) return name;
    const problem =
      name === null
        ? "must be a hostname such as go.example.com, without scheme, port or path"
        : `must have at most ${DOMAIN_MAX_LENGTH} characters`;
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  })
  .meta({ example: "go.example.com" });

function settingUrl(description: string, example: string) {
  return destinationUrl
    .refine((url) => new URL(url).href.length <= URL_MAX_LENGTH, {
      error: `must have at most ${URL_MAX_LENGTH} characters`,
    })
    .nullable()
    .optional()
    .describe(description)
    .meta({ example });
}

/** Limits the size of a document as JSON. */
function sized<Schema extends z.ZodType>(schema: Schema) {
  return schema.refine(
    (document) => new TextEncoder().encode(JSON.stringify(document)).byteLength <= DOCUMENT_MAX_BYTES,
    { error: `must have at most ${formatBytes(DOCUMENT_MAX_BYTES)} as JSON` },
  );
}

const APPLE_EXAMPLE = {
  applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
};
const ASSETLINKS_EXAMPLE = [
  {
    relation: ["delegate_permission/common.handle_all_urls"],
    target: {
      namespace: "android_app",
      package_name: "com.example.app",
      sha256_cert_fingerprints: ["AB:CD"],
    },
  },
];

const settings = {
  root_url: settingUrl(
    "URL that the root path `/` redirects to. Null shows an error page.",
    "https://example.com/",
  ),
  not_found_url: settingUrl(
    "URL that unknown short URLs redirect to. Null shows an error page.",
    "https://example.com/not-found",
  ),
  expired_url: settingUrl(
    "URL that expired or disabled links redirect to. Null shows an error page.",
    "https://example.com/over",
  ),
  apple_app_site_association: sized(z.looseObject({}))
    .nullable()
    .optional()
    .describe(
      "JSON object served at `/.well-known/apple-app-site-association`, which opens links in apps on iOS. At most 128 KiB.",
    )
    .meta({ example: APPLE_EXAMPLE }),
  assetlinks: sized(z.array(z.looseObject({})))
    .nullable()
    .optional()
    .describe(
      "JSON array served at `/.well-known/assetlinks.json`, which opens links in apps on Android. At most 128 KiB.",
    )
    .meta({ example: ASSETLINKS_EXAMPLE }),
};

export const createDomainBody = z
  .strictObject({ hostname, ...settings })
  .meta({ example: { hostname: "go.example.com", root_url: "https://example.com/" } });
export type NewDomain = z.output<typeof createDomainBody>;

export const updateDomainBody = z
  .strictObject({
    is_primary: z
      .literal(true, {
        error: "must be true; to change the primary domain, set is_primary on another domain",
      })
      .optional()
      .describe("Set to true to make this the primary domain, which is used in short URLs."),
    ...settings,
  })
  .meta({ example: { not_found_url: "https://example.com/not-found" } });
export type DomainPatch = z.output<typeof updateDomainBody>;

export const listDomainsQuery = z.strictObject({
  ...cursorQuery,
  limit: queryInteger(1, PAGE_MAX, PAGE_MAX).describe("Number of items to return."),
});

export const domainResponse = z
  .object({
    id,
    hostname: z.string().meta({ example: "go.example.com" }),
    is_primary: z
      .boolean()
      .describe("True for the primary domain, which is used in short URLs.")
      .meta({ example: false }),
    root_url: z.string().nullable().meta({ example: "https://example.com/" }),
    not_found_url: z.string().nullable().meta({ example: null }),
    expired_url: z.string().nullable().meta({ example: null }),
    apple_app_site_association: z.looseObject({}).nullable().meta({ example: null }),
    assetlinks: z.array(z.looseObject({})).nullable().meta({ example: null }),
    status: z
      .enum(["pending", "active"])
      .describe(
        "`pending` until the TXT record `_signpost.{hostname}` with the ID of the domain has been found. Links only work on active domains.",
      ),
    serves_api: z
      .boolean()
      .describe("True if the API is on this domain too. Links can't have its paths.")
      .meta({ example: false }),
    created_at: timestamp,
  })
  .meta({ id: "Domain" });
export type DomainResponse = z.output<typeof domainResponse>;
