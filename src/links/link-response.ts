import * as z from "zod";
import { toIso, toIsoOrNull } from "../core/time.ts";
import { formatShortUrl } from "../env.ts";
import { EXAMPLE_CREATED_AT, id, laterTimestamp, timestamp } from "../http/fields.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { trashedFields } from "../trash/trash.schema.ts";
import { previewResponse } from "./guard-fields.ts";
import type { Link } from "./links.table.ts";

const splitShare = z
  .object({ name: z.string().optional(), destination: z.string(), percent: z.int() })
  .meta({ id: "SplitShare", example: { destination: "https://example.ca/a", percent: 50 } });

const routingRule = z
  .object({
    name: z.string().optional(),
    when: z.record(z.string(), z.unknown()),
    destination: z.string().optional(),
    block: z.literal(true).optional(),
    split: z.array(splitShare).optional(),
  })
  .meta({
    id: "RoutingRule",
    description:
      "Routing rule as it was sent, with normalised codes and times. It contains exactly one of `destination`, `block` and `split`.",
    example: { when: { country: ["CA"] }, destination: "https://example.ca/" },
  });

const address = z.string().nullable();

/** Columns that no response contains. */
export const UNPRESENTED_COLUMNS = [
  "workspaceId",
  "codeKey",
  "isCustom",
  "destinationHost",
  "ruleHosts",
  "qrRenderedAt",
  "earlyHost",
  "expiredHost",
  "rankedScanCount",
  "rankedScanAt",
  "position",
  "formerCodes",
] as const satisfies (keyof Link)[];

/** Columns of a link that responses are built from. */
export type PresentedLink = Omit<Link, (typeof UNPRESENTED_COLUMNS)[number]>;

/** Parts of a tenant that short URLs depend on. */
type LinkHost = Pick<Tenant, "settings" | "workspace">;

/** Returns a link's short URL on the workspace's primary domain. */
export function buildShortUrl(
  { settings, workspace }: LinkHost,
  { shortCode }: Pick<Link, "shortCode">,
): string {
  return formatShortUrl(settings, workspace.hostnames[0], shortCode);
}

/** Field of a link in responses: its schema, and how its value is read from the stored link. */
interface ResponseField<Schema extends z.ZodType> {
  schema: Schema;
  read(link: PresentedLink, host: LinkHost): z.output<Schema>;
}

function responseField<Schema extends z.ZodType>(
  schema: Schema,
  read: ResponseField<Schema>["read"],
): ResponseField<Schema> {
  return { schema, read };
}

/**
 * Fields of a link in responses. The schema, the JSON and the columns of the CSV export derive from this
 * list.
 */
const RESPONSE_FIELDS = {
  id: responseField(id, (link) => link.id),
  short_url: responseField(z.url().meta({ example: "https://go.example.com/summer-sale" }), (link, host) =>
    buildShortUrl(host, link),
  ),
  short_code: responseField(z.string().meta({ example: "summer-sale" }), (link) => link.shortCode),
  destination: responseField(
    z.string().meta({ example: "https://example.com/sale" }),
    (link) => link.destination,
  ),
  enabled: responseField(z.boolean(), (link) => link.enabled),
  labels: responseField(z.array(z.string()).meta({ example: ["print"] }), (link) => link.labels),
  routing_rules: responseField(
    z.array(routingRule).meta({ example: [] }),
    (link) => link.routingRules as z.output<typeof routingRule>[],
  ),
  scan_count: responseField(z.int().meta({ example: 1_204 }), (link) => link.scanCount),
  last_scan_at: responseField(laterTimestamp.nullable(), (link) => toIsoOrNull(link.lastScanAt)),
  expires_at: responseField(timestamp.meta({ example: "2027-01-01T00:00:00.000Z" }).nullable(), (link) =>
    toIsoOrNull(link.expiresAt),
  ),
  title: responseField(z.string().nullable().meta({ example: "Summer sale" }), (link) => link.title),
  note: responseField(z.string().nullable().meta({ example: null }), (link) => link.note),
  archived: responseField(z.boolean().meta({ example: false }), (link) => link.archived),
  starts_at: responseField(timestamp.nullable().meta({ example: null }), (link) =>
    toIsoOrNull(link.startsAt),
  ),
  early_url: responseField(address.meta({ example: null }), (link) => link.earlyUrl),
  expired_url: responseField(
    address.meta({ example: "https://example.com/over" }),
    (link) => link.expiredUrl,
  ),
  max_scans: responseField(z.int().nullable().meta({ example: null }), (link) => link.maxScans),
  has_password: responseField(
    z.boolean().describe("True if the link is protected with a password.").meta({ example: false }),
    (link) => link.passwordHash !== null,
  ),
  preview: responseField(previewResponse.nullable().meta({ example: null }), (link) => link.preview),
  forward_query: responseField(z.boolean().meta({ example: false }), (link) => link.forwardQuery),
  confirm: responseField(z.boolean().meta({ example: false }), (link) => link.confirm),
  imported_scans: responseField(z.int().meta({ example: 0 }), (link) => link.importedScans),
  aliases: responseField(
    z
      .array(z.string())
      .describe("Further paths of the link, as text.")
      .meta({ example: ["menu/2024"] }),
    (link) => link.aliases,
  ),
  external_id: responseField(z.string().nullable().meta({ example: null }), (link) => link.externalId),
  destination_status: responseField(
    z
      .enum(["ok", "broken"])
      .nullable()
      .describe(
        "Result of the checks of `destination`. `broken` after three failed checks in a row. Null before the first check, and if the destination isn't checked.",
      )
      .meta({ example: "ok" }),
    (link) => link.destinationStatus,
  ),
  qr_template_id: responseField(z.uuid().nullable().meta({ example: null }), (link) => link.qrTemplateId),
  banned_at: responseField(
    timestamp
      .nullable()
      .describe(
        "Time since which the administrator of this service has banned the link. Visitors get 451, and the link cannot be changed or deleted.",
      )
      .meta({ example: null }),
    (link) => toIsoOrNull(link.bannedAt),
  ),
  created_at: responseField(timestamp, (link) => toIso(link.createdAt)),
  updated_at: responseField(laterTimestamp, (link) => toIso(link.updatedAt)),
};

const FIELD_ENTRIES = Object.entries(RESPONSE_FIELDS);

type ResponseName = keyof typeof RESPONSE_FIELDS;

const responseShape = Object.fromEntries(
  Object.entries(RESPONSE_FIELDS).map(([name, { schema }]) => [name, schema]),
) as { [Name in ResponseName]: (typeof RESPONSE_FIELDS)[Name]["schema"] };

export const linkResponse = z.object({ ...responseShape, ...trashedFields }).meta({ id: "Link" });

export type LinkResponse = z.output<typeof linkResponse>;

/** Fields of the example that differ for a new link. */
export const NEW_LINK_EXAMPLE: Partial<LinkResponse> = {
  scan_count: 0,
  last_scan_at: null,
  expires_at: null,
  title: null,
  expired_url: null,
  aliases: [],
  destination_status: null,
  updated_at: EXAMPLE_CREATED_AT,
};

/** Field names in response order. */
export const LINK_RESPONSE_NAMES = Object.keys(RESPONSE_FIELDS) as ResponseName[];

/** Converts a stored link to its response. */
export function presentLink(host: LinkHost, link: PresentedLink): LinkResponse {
  const response: Record<string, unknown> = {};
  for (const [name, { read }] of FIELD_ENTRIES) response[name] = read(link, host);
  return response as LinkResponse;
}
