import { expect, test } from "vitest";
import type * as z from "zod";
import { breakdownQuery } from "../../src/analytics/analytics.schema.ts";
import { presignBody } from "../../src/assets/assets.schema.ts";
import { historyQuery, listAuditQuery } from "../../src/audit/audit.schema.ts";
import { createPageBody, pageData, updatePageBody } from "../../src/bio/bio.schema.ts";
import { createDomainBody, listDomainsQuery, updateDomainBody } from "../../src/domains/domains.schema.ts";
import { keyRotation, newKey } from "../../src/keys/keys.schema.ts";
import {
  bulkCreateBody,
  bulkStatusBody,
  createLinkBody,
  listLinksQuery,
  updateLinkBody,
} from "../../src/links/links.schema.ts";
import { linkInFile, linksFile } from "../../src/links/links-file.schema.ts";
import { resolveLinkBody } from "../../src/links/resolve.schema.ts";
import { listMembersQuery } from "../../src/members/members.schema.ts";
import { ALL_SCOPES, SCOPES } from "../../src/permissions/scopes.ts";
import { designBody, designPatch } from "../../src/qr/design.schema.ts";
import { generateBody, linkQrQuery } from "../../src/qr/qr.schema.ts";
import { createTemplateBody, updateTemplateBody } from "../../src/qr/templates.schema.ts";
import { createWebhookBody, updateWebhookBody } from "../../src/webhooks/webhooks.schema.ts";

/** Every limit of an input is tested with the last valid value and the first invalid one. */

const URL = "https://example.com/";
const UUID = "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f";
const DESTINATION = { destination: URL };

const text = (length: number) => "x".repeat(Math.max(0, length));
const list = <Item>(length: number, build: (index: number) => Item) =>
  Array.from({ length: Math.max(0, length) }, (_, index) => build(index));
/** Returns a URL with the given number of characters. */
const address = (length: number) => URL + text(length - URL.length);
const withRules = (...rules: object[]) => ({ url: URL, routing_rules: rules });
const withQuery = (query: object) => withRules({ ...DESTINATION, when: { query } });
/** Returns rules whose JSON has the given size in bytes. */
function buildRules(bytes: number) {
  const build = (length: number) =>
    [8_000, 4_000, length].map((size, index) => ({
      destination: address(size),
      when: { percent: index + 1 },
    }));
  const rest = JSON.stringify(build(4_000)).length - 4_000;
  return { url: URL, routing_rules: build(bytes - rest) };
}
/** Returns page data whose JSON has the given size in bytes, including a character of two bytes. */
const buildPage = (bytes: number) => ({ own: `é${text(bytes - JSON.stringify({ own: "é" }).length - 1)}` });

const buildWidth = (mm: string) => ({ format: "pdf", width_mm: mm });

type Case = [
  limit: string,
  min: number | null,
  max: number,
  schema: z.ZodType,
  build: (size: number) => unknown,
];

const LINKS: Case[] = [
  ["url", null, 8_192, createLinkBody, (size) => ({ url: address(size) })],
  ["url, once encoded", null, 8_192, createLinkBody, (size) => ({ url: `${address(size - 6)}é` })],
  ["destination of a change", null, 8_192, updateLinkBody, (size) => ({ destination: address(size) })],
  ["custom_slug", 3, 64, createLinkBody, (size) => ({ url: URL, custom_slug: text(size) })],
  ["label", 1, 64, createLinkBody, (size) => ({ url: URL, labels: [text(size)] })],
  ["label of a list", 1, 64, listLinksQuery, (size) => ({ label: text(size) })],
  ["labels", 0, 10, createLinkBody, (size) => ({ url: URL, labels: list(size, String) })],
  ["search", 1, 256, listLinksQuery, (size) => ({ search: text(size) })],
  ["domain of a list", 1, 253, listLinksQuery, (size) => ({ domain: text(size) })],
  ["title of a link", 1, 200, createLinkBody, (size) => ({ url: URL, title: text(size) })],
  ["note", 1, 2_048, createLinkBody, (size) => ({ url: URL, note: text(size) })],
  ["max_scans", 1, 1_000_000_000, createLinkBody, (max_scans) => ({ url: URL, max_scans })],
  ["password", 4, 128, createLinkBody, (size) => ({ url: URL, password: text(size) })],
  ["title of a preview", 1, 120, updateLinkBody, (size) => ({ preview: { title: text(size) } })],
  [
    "description of a preview",
    1,
    240,
    updateLinkBody,
    (size) => ({ preview: { title: "x", description: text(size) } }),
  ],
  ["offset of a list", 0, 1_000, listLinksQuery, (offset) => ({ offset: String(offset) })],
  ["limit of a list", 1, 200, listLinksQuery, (limit) => ({ limit: String(limit) })],
  ["codes of a list", 1, 100, listLinksQuery, (size) => ({ codes: list(size, () => text(64)).join() })],
  ["bulk creation", 1, 100, bulkCreateBody, (size) => ({ links: list(size, () => ({ url: URL })) })],
  ["bulk status", 1, 200, bulkStatusBody, (size) => ({ ids: list(size, () => UUID), enabled: true })],
];

const FILES: Case[] = [
  ["version of a file", 1, 1, linksFile, (version) => ({ version, links: [] })],
  ["code in a file", 3, 64, linkInFile, (size) => ({ code: text(size), url: URL })],
  [
    "variable of a password",
    1,
    128,
    linkInFile,
    (size) => ({ code: "abc", url: URL, password: { environment: text(size) } }),
  ],
];

const RULES: Case[] = [
  [
    "rules",
    0,
    20,
    createLinkBody,

    (size) => withRules(...list(size, (index) => ({ ...DESTINATION, when: { percent: index + 1 } }))),
  ],
  ["bytes of rules", null, 16_384, createLinkBody, buildRules],
  [
    "name of a rule",
    1,
    64,
    createLinkBody,

    (size) => withRules({ ...DESTINATION, name: text(size), when: { os: ["ios"] } }),
  ],
  [
    "shares of a rule",
    1,
    20,
    createLinkBody,
    (size) => withRules({ split: list(size, () => ({ ...DESTINATION, percent: 1 })) }),
  ],
  [
    "percent of a share",
    1,
    100,
    createLinkBody,
    (percent) => withRules({ split: [{ ...DESTINATION, percent }] }),
  ],
  [
    "percent of all shares",
    51,
    100,
    createLinkBody,
    (sum) => withRules({ split: [50, sum - 50].map((percent) => ({ ...DESTINATION, percent })) }),
  ],
  [
    "values of a condition",
    1,
    300,
    createLinkBody,

    (size) => withRules({ ...DESTINATION, when: { country: list(size, () => "CA") } }),
  ],
  ["percent", 1, 99, createLinkBody, (percent) => withRules({ ...DESTINATION, when: { percent } })],
  [
    "parameters of a rule",
    1,
    20,
    createLinkBody,

    (size) => withQuery(Object.fromEntries(list(size, (index) => [`name-${index}`, true]))),
  ],
  ["values of a parameter", 1, 300, createLinkBody, (size) => withQuery({ a: list(size, () => "x") })],
  ["value of a parameter", 0, 256, createLinkBody, (size) => withQuery({ a: [text(size)] })],
  ["name of a parameter", 1, 256, createLinkBody, (size) => withQuery({ [text(size)]: true })],
];

const link = (change: object) => ({ links: [{ label: "x", url: URL, ...change }] });

const PAGES: Case[] = [
  ["bytes of page_data", null, 32_768, pageData, buildPage],
  ["title of a page", 1, 200, createPageBody, (size) => ({ title: text(size) })],
  ["description of a page", 0, 1_000, createPageBody, (size) => ({ title: "x", description: text(size) })],
  ["description in a change", 0, 1_000, updatePageBody, (size) => ({ description: text(size) })],
  ["slug of a page", 1, 60, createPageBody, (size) => ({ title: "x", slug: text(size) })],
  ["links of a page", 0, 100, pageData, (size) => ({ links: list(size, () => link({}).links[0]) })],
  ["label of a link", 1, 100, pageData, (size) => link({ label: text(size) })],
  ["url of a link", null, 8_192, pageData, (size) => link({ url: address(size) })],
  ["url of a contact", null, 8_192, pageData, (size) => link({ url: `mailto:${text(size - 7)}` })],
  ["avatar_alt", 0, 200, pageData, (size) => ({ avatar_alt: text(size) })],
  ["socials", 0, 30, pageData, (size) => ({ socials: list(size, () => ({ network: "github", url: URL })) })],
  ["network", 1, 50, pageData, (size) => ({ socials: [{ network: text(size), url: URL }] })],
  ["seo.title", 1, 200, pageData, (size) => ({ seo: { title: text(size) } })],
  ["seo.description", 0, 1_000, pageData, (size) => ({ seo: { description: text(size) } })],
];

const CODES: Case[] = [
  ["quiet_zone", 0, 20, designBody, (quiet_zone) => ({ quiet_zone })],
  ["quiet_zone of a change", 0, 20, designPatch, (quiet_zone) => ({ quiet_zone })],
  // In steps of a hundredth.
  ["logo_size", 10, 40, designBody, (hundredths) => ({ logo_size: hundredths / 100 })],
  ["logo_url", null, 8_192, designBody, (size) => ({ logo_url: address(size) })],
  ["size", 1, 50, generateBody, (size) => ({ content: "x", size })],
  ["size of a link's code", 1, 50, linkQrQuery, (size) => ({ size: String(size) })],
  ["width", 64, 4_096, generateBody, (width) => ({ content: "x", width })],
  ["width of a link's code", 64, 4_096, linkQrQuery, (width) => ({ width: String(width) })],
  ["width_mm", 10, 1_000, generateBody, (width_mm) => ({ content: "x", format: "pdf", width_mm })],
  ["width_mm of a link's code", 10, 1_000, linkQrQuery, (mm) => ({ format: "pdf", width_mm: String(mm) })],
  ["name of a template", 1, 200, createTemplateBody, (size) => ({ name: text(size) })],
  [
    "description of a template",
    0,
    1_000,
    createTemplateBody,

    (size) => ({ name: "x", description: text(size) }),
  ],
  ["name in a change", 1, 200, updateTemplateBody, (size) => ({ name: text(size) })],
];

const file = (change: object) => ({
  filename: "a.pdf",
  mime_type: "application/pdf",
  file_size: 1,
  ...change,
});

/** Returns a JSON object of the given size in bytes. */
const document = (bytes: number) => ({ a: text(bytes - '{"a":""}'.length) });
/** Returns a host name with the given number of characters. */
const host = (length: number) => `${"a.".repeat(Math.ceil(length / 2))}example`.slice(-length);

const RESOLVED: Case[] = [
  ["languages of a visitor", 0, 20, resolveLinkBody, (size) => ({ languages: list(size, () => "fr") })],
  ["user_agent", 0, 1_000, resolveLinkBody, (size) => ({ user_agent: text(size) })],
  [
    "values of a visitor's parameter",
    0,
    20,
    resolveLinkBody,
    (size) => ({ query: { a: list(size, String) } }),
  ],
  ["value of a visitor's parameter", 0, 256, resolveLinkBody, (size) => ({ query: { a: text(size) } })],
  ["name of a visitor's parameter", 1, 256, resolveLinkBody, (size) => ({ query: { [text(size)]: "x" } })],
];

const DOMAINS: Case[] = [
  ["hostname", null, 243, createDomainBody, (size) => ({ hostname: host(size) })],
  // Soft hyphens are dropped when the name is converted.
  [
    "hostname before its conversion",
    null,
    253,
    createDomainBody,
    (size) => ({ hostname: `a.example${"\u00ad".repeat(size - 9)}` }),
  ],
  ["root_url", null, 2_048, createDomainBody, (size) => ({ hostname: "a.example", root_url: address(size) })],
  ["not_found_url", null, 2_048, updateDomainBody, (size) => ({ not_found_url: address(size) })],
  ["expired_url", null, 2_048, updateDomainBody, (size) => ({ expired_url: address(size) })],
  [
    "bytes of a document",
    null,
    131_072,
    updateDomainBody,
    (size) => ({ apple_app_site_association: document(size) }),
  ],
  ["bytes of a list", null, 131_072, updateDomainBody, (size) => ({ assetlinks: [document(size - 2)] })],
  ["domains of a page", 1, 20, listDomainsQuery, (limit) => ({ limit: String(limit) })],
];

const WEBHOOKS: Case[] = [
  ["url of a webhook", null, 8_192, createWebhookBody, (size) => ({ url: address(size) })],
  ["description of a webhook", 0, 1_000, updateWebhookBody, (size) => ({ description: text(size) })],
  ["values of a breakdown", 1, 100, breakdownQuery, (limit) => ({ by: "country", limit: String(limit) })],
  ["value of a filter", null, 256, breakdownQuery, (size) => ({ by: "rule", rule: text(size) })],
];

const OTHERS: Case[] = [
  ["filename", 1, 255, presignBody, (size) => file({ filename: text(size) })],
  ["mime_type", null, 255, presignBody, (size) => file({ mime_type: `a/b; c=${text(size - 7)}` })],
  ["file_size", 1, 100_000_000, presignBody, (file_size) => file({ file_size })],
  ["tags", 0, 20, presignBody, (size) => file({ tags: list(size, String) })],
  ["tag", 1, 64, presignBody, (size) => file({ tags: [text(size)] })],
  ["members", 1, 1_000, listMembersQuery, (limit) => ({ limit: String(limit) })],
];

const SCOPE_NAMES = [ALL_SCOPES, ...SCOPES];

const OWNERS: Case[] = [
  ["name of a key", 1, 200, newKey, (size) => ({ name: text(size), scopes: [ALL_SCOPES] })],
  [
    "scopes of a key",
    1,
    SCOPE_NAMES.length,
    newKey,
    (size) => ({ name: "x", scopes: [...SCOPE_NAMES, ALL_SCOPES].slice(0, size) }),
  ],
  ["overlap_hours", 0, 24, keyRotation, (overlap_hours) => ({ overlap_hours })],
  ["entries of a page", 1, 100, listAuditQuery, (limit) => ({ limit: String(limit) })],
  ["entries of a history", 1, 100, historyQuery, (limit) => ({ limit: String(limit) })],
  ["digits of a whole number", null, 300, listLinksQuery, (size) => ({ limit: "5".padStart(size, "0") })],
  ["digits of a number", null, 300, linkQrQuery, (size) => buildWidth("50".padStart(size, "0"))],
  ["decimal places of a number", 1, 300, linkQrQuery, (size) => buildWidth(`50.${"0".repeat(size)}`)],
  ["actor of entries", 1, 100, listAuditQuery, (size) => ({ actor: text(size) })],
  ["operation of entries", 1, 100, listAuditQuery, (size) => ({ operation: text(size) })],
];

test.each([
  ...LINKS,
  ...FILES,
  ...RULES,
  ...PAGES,
  ...CODES,
  ...RESOLVED,
  ...DOMAINS,
  ...WEBHOOKS,
  ...OTHERS,
  ...OWNERS,
])("%s: accepted from %s to %i, and not beyond", (_, min, max, schema, build) => {
  const isAccepted = (size: number) => schema.safeParse(build(size)).success;
  expect([isAccepted(max), isAccepted(max + 1)]).toEqual([true, false]);
  if (min === null) return;
  expect(isAccepted(min)).toBe(true);
  if (min > 0) expect(isAccepted(min - 1)).toBe(false);
});

test("a list has 50 items by default, and a small list has only one page", () => {
  const lists = [listLinksQuery, listAuditQuery, historyQuery, listDomainsQuery, listMembersQuery];
  expect(lists.map((schema) => schema.parse({}).limit)).toEqual([50, 50, 50, 20, 1_000]);
});

test("a key has each scope once", () => {
  const isAccepted = (...scopes: string[]) => newKey.safeParse({ name: "x", scopes }).success;
  expect([isAccepted("qr:render", "links:read"), isAccepted("links:read", "links:read")]).toEqual([
    true,
    false,
  ]);
});

test("a page's link must start before it ends", () => {
  const at = (starts_at: string, ends_at: string) => pageData.safeParse(link({ starts_at, ends_at })).success;
  expect(at("2026-11-21T09:30:00.000Z", "2026-11-21T09:30:00.001Z")).toBe(true);
  expect(at("2026-11-21T09:30:00Z", "2026-11-21T10:30:00+01:00")).toBe(false);
});

test("a language has two or three letters, and a region of a country up to three characters", () => {
  const isAccepted = (when: object) => createLinkBody.safeParse(withRules({ ...DESTINATION, when })).success;
  const languages = ["f", "fr", "fil", "fila", "fr-C", "fr-CA", "fr-CAN", "es-41", "es-419", "es-4190"];
  expect(languages.filter((tag) => isAccepted({ language: [tag] }))).toEqual([
    "fr",
    "fil",
    "fr-CA",
    "es-419",
  ]);
  const regions = ["US-", "US-C", "US-CAL", "US-CALI"];
  expect(regions.filter((code) => isAccepted({ region: [code] }))).toEqual(["US-C", "US-CAL"]);
});
