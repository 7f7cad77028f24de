import { describe, expect, test } from "vitest";
import { formatAge, formatDay, formatDuration } from "../../src/dashboard/components/format-moment.ts";
import { appendPage, changeItem, type PagedList } from "../../src/dashboard/data/paged-list.ts";
import { diffDrafts, placeFaults } from "../../src/dashboard/forms/form-fields.ts";
import {
  formatField,
  formatValue,
  listChanges,
  summarizeFields,
} from "../../src/dashboard/screens/settings/audit-changes.ts";
import { listAuditLines } from "../../src/dashboard/screens/settings/audit-csv.ts";
import {
  isAuditFiltered,
  readAuditFilters,
  toAuditQuery,
} from "../../src/dashboard/screens/settings/audit-filters.ts";
import { groupEntries } from "../../src/dashboard/screens/settings/audit-groups.ts";
import {
  collectNames,
  describeChange,
  describeDeed,
  type Entry,
  findAddress,
  findName,
  isCreation,
  isRevertible,
} from "../../src/dashboard/screens/settings/audit-labels.ts";
import { DOMAIN_FORM, toDomainDraft } from "../../src/dashboard/screens/settings/domain-draft.ts";
import {
  describeScopes,
  listPresetScopes,
  SCOPE_GROUPS,
} from "../../src/dashboard/screens/settings/key-scopes.ts";
import { getTermEnd, judgeKey } from "../../src/dashboard/screens/settings/key-state.ts";
import { readSection } from "../../src/dashboard/screens/settings/settings-sections.ts";
import {
  formatAmount,
  judgeMeter,
  listFeatures,
  listMeters,
} from "../../src/dashboard/screens/settings/usage-meters.ts";
import { parseDocument } from "../../src/dashboard/screens/settings/well-known.ts";
import { SCOPES } from "../../src/permissions/scopes.ts";

const NOW_MS = Date.parse("2026-11-22T12:00:00Z");
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();
const HOUR_MS = 3_600_000;

describe("times", () => {
  test.each([
    [ago(0), "just now"],
    [ago(59_999), "just now"],
    [ago(60_000), "1 min ago"],
    [ago(59 * 60_000), "59 min ago"],
    [ago(HOUR_MS), "1 hr ago"],
    [ago(24 * HOUR_MS), "1 day ago"],
    [ago(49 * HOUR_MS), "2 days ago"],
    [ago(-1), "in less than a minute"],
    [ago(-2 * HOUR_MS), "in 2 hr"],
  ])("%s is %s", (iso, text) => {
    expect(formatAge(iso, NOW_MS)).toBe(text);
  });
  test("a week is a date, and a duration has its unit", () => {
    expect(formatAge(ago(7 * 24 * HOUR_MS), NOW_MS)).toBe("15 Nov");
    expect(formatDay("2026-11-03", NOW_MS)).toBe("3 Nov");
    expect(formatDay("2025-03-01T12:00:00Z", NOW_MS)).toBe("1 Mar 2025");
    expect([999, 1_000, 10_040].map(formatDuration)).toEqual(["999 ms", "1.0 s", "10.0 s"]);
  });
});

describe("lists with a cursor", () => {
  const list: PagedList<{ id: string; n: number }> = { items: [{ id: "a", n: 1 }], nextBefore: "a" };
  test("another page adds new items", () => {
    const next = {
      items: [
        { id: "a", n: 2 },
        { id: "b", n: 3 },
      ],
      nextBefore: null,
    };
    expect(appendPage(list, next)).toEqual({
      items: [
        { id: "a", n: 1 },
        { id: "b", n: 3 },
      ],
      nextBefore: null,
    });
  });
  test("a change affects one item", () => {
    const two = { ...list, items: [...list.items, { id: "c", n: 9 }] };
    expect(changeItem(two, "a", { n: 5 }).items).toEqual([
      { id: "a", n: 5 },
      { id: "c", n: 9 },
    ]);
    expect(changeItem(list, "z", { n: 5 })).toBe(list);
  });
});

test.each([
  ["/settings", "workspace"],
  ["/settings/audit", "audit"],
  ["/settings/keys/", "keys"],
  ["/settings/none", "workspace"],
])("%s shows %s", (path, section) => {
  expect(readSection(path)).toBe(section);
});

describe("usage", () => {
  test.each([
    [0, 10, "good"],
    [7, 10, "good"],
    [799, 1_000, "good"],
    [8, 10, "warn"],
    [10, 10, "full"],
    [11, 10, "full"],
    [0, 0, "full"],
    [null, 10, "good"],
    [9, Number.POSITIVE_INFINITY, "good"],
  ])("%s of %s is %s", (used, limit, state) => {
    expect(judgeMeter({ used, limit })).toBe(state);
  });
  test("amounts have their units", () => {
    expect(formatAmount(25_000)).toBe("25,000");
    expect(formatAmount(7.53, true)).toBe("7.5 MiB");
    expect(formatAmount(1_024, true)).toBe("1 GiB");
    expect(formatAmount(Number.POSITIVE_INFINITY)).toBe("no limit");
  });
  test("meters have their own numbers", () => {
    const usage = {
      plan: "pro" as const,
      usage: {
        links_created_this_month: 1,
        api_calls_this_month: 2,
        total_links: 3,
        total_qr_templates: 4,
        total_bio_pages: 5,
        storage_bytes: 6,
        storage_mb: 7,
        written_bytes_today: 3 * 1_048_576,
      },
      limits: {
        links_per_month: 11,
        api_calls_per_month: 12,
        qr_templates: 14,
        bio_pages: 15,
        storage_mb: 17,
        dynamic_qr: 18,
        written_bytes_per_day: 6 * 1_048_576,
      },
      features: { routing_rules: true, csv_export: true, bulk_ops: true, ad_free: true },
    };
    const meters = listMeters(usage, { webhooks: 8, domains: 9 });
    expect(meters.map(({ used, limit, isMonthly }) => [used, limit, isMonthly])).toEqual([
      [1, 11, true],
      [2, 12, true],
      [3, 6, false],
      [7, 17, false],
      [5, 15, false],
      [4, 14, false],
      [8, 3, false],
      [9, 1, false],
      [null, 18, false],
    ]);
    expect(listFeatures("pro").map(({ isIncluded }) => isIncluded)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(listFeatures("free").some(({ isIncluded }) => isIncluded)).toBe(false);
  });
});

describe("API keys", () => {
  const key = { expires_at: null, revoked_at: null, replaced_by: null, created_by: null };
  const left = { created_by: { member_id: "m", name: "Ada", has_left: true } };
  test.each([
    [key, "Active", true],
    [{ ...key, expires_at: ago(0) }, "Expired", false],
    [{ ...key, expires_at: ago(-24 * HOUR_MS) }, "Expires soon", true],
    [{ ...key, expires_at: ago(-7 * 24 * HOUR_MS + 1) }, "Expires soon", true],
    [{ ...key, expires_at: ago(-7 * 24 * HOUR_MS) }, "Active", true],
    [{ ...key, revoked_at: ago(0) }, "Revoked", false],
    [{ ...key, revoked_at: ago(0), replaced_by: "x" }, "Rotated", false],
    [{ ...key, revoked_at: ago(-1), replaced_by: "x" }, "Rotating", true],
    [{ ...key, revoked_at: ago(-1), expires_at: ago(1) }, "Expired", false],
    [{ ...key, ...left }, "Creator left", true],
    [{ ...key, ...left, revoked_at: ago(0) }, "Revoked", false],
    [{ ...key, created_by: { ...left.created_by, has_left: false } }, "Active", true],
  ])("%o: %s", (given, word, isWorking) => {
    expect(judgeKey(given, NOW_MS)).toMatchObject({ word, isWorking });
  });
  test("expiry times match their names", () => {
    expect(getTermEnd("never", "", NOW_MS)).toBeNull();
    expect(getTermEnd("30", "", NOW_MS)).toBe("2026-12-22T12:00:00.000Z");
    expect(getTermEnd("day", "2026-12-31", NOW_MS)).toBe(new Date(2027, 0, 1).toISOString());
    expect(getTermEnd("day", "", NOW_MS)).toBeNull();
  });
  test("the picker has every scope of the service once", () => {
    const chosen = SCOPE_GROUPS.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));
    expect([...chosen].sort()).toEqual([...SCOPES].sort());
  });
  test("presets have the scopes that their names promise", () => {
    expect(listPresetScopes("full", [])).toEqual(["*"]);
    expect(listPresetScopes("ci", [])).toEqual(["links:read", "links:write", "qr:render", "workspace:read"]);
    expect(listPresetScopes("custom", ["webhooks:read", "links:read", "none"])).toEqual([
      "links:read",
      "webhooks:read",
    ]);
    const reading = listPresetScopes("read", []);
    expect(reading).toContain("qr:render");
    expect(reading.some((scope) => scope.endsWith(":write"))).toBe(false);
    expect([["*"], [...reading].reverse(), ["qr:read", "links:read"]].map(describeScopes)).toEqual([
      "Full access",
      "Read only",
      "links:read, qr:read",
    ]);
  });
});

describe("documents of a domain", () => {
  test.each([
    ["", "object", null, null],
    ["  ", "array", null, null],
    ['{"a":1}', "object", { a: 1 }, null],
    ['[{"a":1}]', "array", [{ a: 1 }], null],
    ["[]", "object", undefined, "object"],
    ["null", "object", undefined, "object"],
    ['"x"', "object", undefined, "object"],
    ["{}", "array", undefined, "JSON array"],
    ["[1]", "array", undefined, "JSON array"],
    ["[null]", "array", undefined, "JSON array"],
    ["[[]]", "array", undefined, "JSON array"],
    ["{a", "object", undefined, "Invalid JSON"],
  ] as const)("%s as %s", (text, shape, value, fault) => {
    const parsed = parseDocument(text, shape);
    expect(parsed.value).toEqual(value);
    if (fault === null) expect(parsed.fault).toBeNull();
    else expect(parsed.fault).toContain(fault);
  });
  test("the size is measured on the JSON, not on the input", () => {
    expect(parseDocument('{ "é" : 1 }', "object").sizeBytes).toBe(8);
    const fill = (bytes: number) => `{"a": "${"x".repeat(bytes - '{"a":""}'.length)}"}`;
    expect(parseDocument(fill(131_072), "object").fault).toBeNull();
    expect(parseDocument(fill(131_073), "object").fault).toContain("128 KiB");
  });
  const draft = toDomainDraft({
    root_url: "https://a.example/",
    not_found_url: null,
    expired_url: null,
    apple_app_site_association: null,
    assetlinks: [{ a: 1 }],
  } as never);
  test.each([
    [draft, {}, {}],
    [{ ...draft, root_url: " " }, { root_url: null }, {}],
    [{ ...draft, expired_url: "https://b.example/ " }, { expired_url: "https://b.example/" }, {}],
    [{ ...draft, assetlinks: "" }, { assetlinks: null }, {}],
    [{ ...draft, apple_app_site_association: "{}" }, { apple_app_site_association: {} }, {}],
    [
      { ...draft, assetlinks: "{}" },
      { assetlinks: "{}" },
      { assetlinks: "Must be a JSON array of objects: [{ … }]" },
    ],
  ])("%o is sent as %o", (after, change, faults) => {
    expect(diffDrafts(DOMAIN_FORM, draft, after)).toEqual(change);
    expect(DOMAIN_FORM.check?.(after)).toEqual(faults);
  });
  test("errors of the service are shown at their fields", () => {
    const fields = { "assetlinks[0]": "No.", "assetlinks[1]": "Nor.", x: "y" };
    expect(placeFaults(DOMAIN_FORM, draft, fields).faults).toEqual({ assetlinks: "No." });
  });
});

const ENTRY: Entry = {
  id: "e",
  at: "2026-11-22T12:00:00.000Z",
  actor: { type: "person", id: "p", name: "Ada" },
  operation: "updateLink",
  resource: { type: "link", id: "l" },
  changes: {
    title: ["Sale", '=1+"2"'],
    labels: [
      ["a", "b"],
      ["b", "c"],
    ],
  },
  request_id: "r",
};

describe("audit log", () => {
  test.each([
    ["", {}],
    ["type=link&resource=+x+", { resource_type: "link", resource: "x" }],
    ["type=planet", {}],
    ["actor=admin", { actor: "admin" }],
    [
      "from=2026-11-20&to=2026-11-20",
      { from: new Date(2026, 10, 20).toISOString(), to: new Date(2026, 10, 21).toISOString() },
    ],
    ["from=soon", {}],
  ])("%s requests %o", (query, asked) => {
    const filters = readAuditFilters(query);
    expect(toAuditQuery(filters)).toEqual(asked);
    expect(isAuditFiltered(filters)).toBe(Object.keys(asked).length > 0);
  });
  test.each([
    ["createLink", "created"],
    ["rotateWebhookSecret", "rotated the signing secret of"],
    ["revokeKey", "revoked"],
    ["member add", "added"],
    ["workspace set-plan", "changed the plan of"],
    ["sign-in-link", "created a sign-in link for"],
    ["signInByPasskey", "signed in"],
    ["member dance", null],
    ["getLink", null],
    ["update", null],
  ])("%s %s", (operation, deed) => {
    expect(describeDeed(operation)).toBe(deed);
  });
  test("a resource has the name from its changes", () => {
    const create = { ...ENTRY, changes: { title: [null, "Sale"], short_code: [null, "sale"] } };
    const removed = {
      ...ENTRY,
      resource: { type: "key", id: "k" },
      changes: { name: ["Shop", null] },
    } as Entry;
    expect([ENTRY, create, removed].map(findName)).toEqual(['=1+"2"', "/sale", "Shop"]);
    expect(findName({ ...ENTRY, changes: { enabled: [true, false], name: [1, 2] } })).toBeNull();
    expect([...collectNames([ENTRY, create, removed])]).toEqual([
      ["l", '=1+"2"'],
      ["k", "Shop"],
    ]);
  });
  test.each([
    [{ labels: [["a"], ["b"]] }, "labelled"],
    [{ enabled: [true, false] }, "disabled"],
    [{ archived: [false, true] }, "archived"],
    [{ enabled: [true, false], title: ["a", "b"] }, "changed"],
    [{ creator_has_left: [false, true] }, "ended the membership of the creator of"],
    [{ creator_has_left: [true, false] }, "restored the membership of the creator of"],
  ])("%o is %s", (changes, deed) => {
    expect(describeChange({ ...ENTRY, operation: "updateLink", changes })).toBe(deed);
  });
  test("three neighbours with the same change of different resources are a group", () => {
    const label = (id: string, at: string, others: Partial<Entry> = {}) =>
      ({
        ...ENTRY,
        id,
        at: `2026-11-20T10:${at}Z`,
        resource: { type: "link", id },
        changes: { labels: [[], ["x"]] },
        ...others,
      }) as Entry;
    const entries = [
      label("a", "05:00", { changes: { enabled: [true, false] } }),
      label("b", "05:00", { changes: { enabled: [false, true] } }),
      label("c", "04:59", { changes: { enabled: [false, true] } }),
      label("d", "04:00"),
      label("e", "03:30"),
      label("f", "03:00"),
      label("g", "01:00"),
      label("h", "00:59", { actor: { type: "admin", id: "admin", name: "admin" } }),
    ];
    expect(groupEntries(entries).map((group) => group.map(({ id }) => id).join(""))).toEqual([
      "a",
      "b",
      "c",
      "def",
      "g",
      "h",
    ]);
  });
  test("a creation is recognized by its operation and its missing old values", () => {
    const changes = { name: [null, "Shop"] };
    const operations = ["createKey", "key create", "member add", "updateLink"];
    expect(operations.map((operation) => isCreation({ ...ENTRY, operation, changes }))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(isCreation({ ...ENTRY, operation: "createKey", changes: { name: ["a", "b"] } })).toBe(false);
  });
  test("a deleted resource has no link", () => {
    expect(findAddress(ENTRY)).toBe("/links?link=l");
    expect(findAddress({ ...ENTRY, operation: "deleteLink" })).toBeNull();
    expect(findAddress({ ...ENTRY, operation: "endSession" })).toBeNull();
  });
  test("only changes of links can be reverted", () => {
    expect(isRevertible(ENTRY)).toBe(true);
    expect(isRevertible({ ...ENTRY, changes: {} })).toBe(false);
    expect(isRevertible({ ...ENTRY, changes: { short_code: [null, "a"] } })).toBe(false);
    expect(isRevertible({ ...ENTRY, resource: { type: "key", id: "k" } })).toBe(false);
  });
  test("changes are shown by field, and lists by removed and added items", () => {
    expect(listChanges(ENTRY.changes)).toEqual([
      { field: "Title", before: "Sale", after: '=1+"2"', removed: [], added: [] },
      { field: "Labels", before: null, after: null, removed: ["a"], added: ["c"] },
    ]);
    expect(["early_url", "max_scans", "is_public"].map(formatField)).toEqual([
      "Early URL",
      "Max scans",
      "Is public",
    ]);
    expect(summarizeFields({ a: [], b: [] })).toBe("a, b");
    expect(summarizeFields({ a: [], b: [], early_url: [], d: [] })).toBe("a, b, early URL and 1 more");
  });
  test.each([
    [null, null],
    ["", null],
    [[], null],
    [["a", "b"], "a, b"],
    [true, "yes"],
    [false, "no"],
    [1_000, "1,000"],
    ["…", "hidden"],
    ["2026", "2026"],
    ["2026-99-99T99:99:99Z", "2026-99-99T99:99:99Z"],
    [{ omitted_bytes: 2_048 }, "long value (2 KiB)"],
    [{ a: 1 }, '{\n  "a": 1\n}'],
  ])("%o is shown as %o", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
  test("the CSV has a line for each field, and no formulas", () => {
    const csv = listAuditLines([ENTRY, { ...ENTRY, changes: {} }]).join("");
    expect(csv.split("\r\n")).toEqual([
      "time,actor_type,actor_id,actor,operation,resource_type,resource_id,field,before,after,request_id",
      `2026-11-22T12:00:00.000Z,person,p,Ada,updateLink,link,l,title,Sale,"'=1+""2""",r`,
      `2026-11-22T12:00:00.000Z,person,p,Ada,updateLink,link,l,labels,"[""a"",""b""]","[""b"",""c""]",r`,
      "2026-11-22T12:00:00.000Z,person,p,Ada,updateLink,link,l,,,,r",
      "",
    ]);
  });
});
