import { describe, expect, test } from "vitest";
import { listAttention, type WorkspaceItems } from "../../src/dashboard/screens/overview/attention.ts";
import { isNewWorkspace, listSteps } from "../../src/dashboard/screens/overview/first-steps.ts";

const nowMs = Date.parse("2026-11-22T10:00:00Z");
const inDays = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();

const NONE: WorkspaceItems = { webhooks: [], domains: [], links: [], keys: [], usage: [], brokenLinks: [] };
const webhook = {
  id: "w",
  url: "https://hooks.example/x?secret=1",
  enabled: true,
  disabled_at: null,
  skipped_count: 0,
  recent_statuses: [],
} satisfies WorkspaceItems["webhooks"][number];
const key = { id: "k", name: "Shop", expires_at: null, revoked_at: null, created_by: null };
const link = {
  id: "l",
  short_code: "sale",
  title: null,
  enabled: true,
  archived: false,
  expires_at: null,
  max_scans: null,
  scan_count: 0,
};

describe("what needs attention", () => {
  const list = (items: Partial<WorkspaceItems>) =>
    listAttention({ ...NONE, ...items }, nowMs).map(({ tone, text }) => `${tone}: ${text}`);

  test.each([
    ["a webhook that works", webhook, []],
    ["one that somebody switched off", { ...webhook, enabled: false }, []],
    [
      "one that failed",
      { ...webhook, enabled: false, disabled_at: inDays(-1) },
      ["danger: The webhook endpoint hooks.example/x was disabled after repeated failures."],
    ],
    ["one that works again", { ...webhook, disabled_at: inDays(-1) }, []],
    [
      "one whose last deliveries failed",
      { ...webhook, recent_statuses: ["pending", "retrying", "failed", "failed", "delivered"] as const },
      ["warn: The last deliveries to hooks.example/x failed."],
    ],
    [
      "an endpoint that works after failures",
      { ...webhook, recent_statuses: ["delivered", "failed", "failed", "failed"] as const },
      [],
    ],
    [
      "one that missed events",
      { ...webhook, skipped_count: 1_200 },
      ["warn: 1,200 events weren't delivered to hooks.example/x."],
    ],
  ])("%s", (_, item, expected) => {
    expect(list({ webhooks: [item] })).toEqual(expected);
  });

  test.each([
    ["active", []],
    ["pending", ["warn: go.acme.example isn't verified yet, so links don't work on it."]],
  ] as const)("a domain that is %s", (status, expected) => {
    expect(list({ domains: [{ id: "d", hostname: "go.acme.example", status }] })).toEqual(expected);
  });

  test.each([
    [null, null, []],
    [inDays(14), null, ["warn: The API key “Shop” expires in 14 days."]],
    [inDays(14.01), null, []],
    [inDays(1.5), null, ["warn: The API key “Shop” expires in 1 day."]],
    [inDays(0.5), null, ["warn: The API key “Shop” expires in less than a day."]],
    [inDays(-0.5), null, []],
    [inDays(3), inDays(-1), []],
    [inDays(3), inDays(0), []],
    [inDays(3), inDays(1), ["warn: The API key “Shop” expires in 3 days."]],
  ])("a key that expires at %s and is revoked at %s", (expires_at, revoked_at, expected) => {
    expect(list({ keys: [{ ...key, expires_at, revoked_at }] })).toEqual(expected);
  });

  test.each([
    [null, null, []],
    [
      { name: "Ada", has_left: true },
      null,
      ["warn: The API key “Shop” still works, but Ada, who created it, has left the workspace."],
    ],
    [{ name: "Ada", has_left: true }, inDays(0), []],
    [{ name: "Ada", has_left: false }, null, []],
  ])("a key created by %j and revoked at %s", (created_by, revoked_at, expected) => {
    expect(list({ keys: [{ ...key, created_by, revoked_at }] })).toEqual(expected);
  });

  test.each([
    [{}, []],
    [{ expires_at: inDays(5) }, ["warn: /sale expires in 5 days."]],
    [{ expires_at: inDays(5), title: "Sale" }, ["warn: “Sale” expires in 5 days."]],
    [{ expires_at: inDays(5), enabled: false }, []],
    [{ expires_at: inDays(5), archived: true }, []],
    [{ max_scans: 100, scan_count: 89 }, []],
    [{ max_scans: 100, scan_count: 90 }, ["warn: /sale has reached 90 of 100 scans."]],
    [{ max_scans: 100, scan_count: 100 }, []],
  ])("a link with %j", (change, expected) => {
    expect(list({ links: [{ ...link, ...change }] })).toEqual(expected);
  });

  test.each([
    [89, 100, []],
    [90, 100, ["warn: You've used 90% of your plan's limit for links."]],
    [100, 100, ["danger: You've reached your plan's limit for links (100)."]],
    [5, 0, []],
  ])("usage of %i of %i", (used, limit, expected) => {
    expect(list({ usage: [{ name: "links", used, limit }] })).toEqual(expected);
  });

  test("links with a broken destination are one item", () => {
    const link = (n: number) => ({ id: `${n}`, short_code: `code-${n}`, title: n === 1 ? "Sale" : null });
    const texts = (count: number) => {
      const brokenLinks = Array.from({ length: count }, (_, n) => link(n));
      return listAttention({ ...NONE, brokenLinks }, 0).map(({ text, href }) => [text, href]);
    };
    expect(texts(0)).toEqual([]);
    expect(texts(1)).toEqual([["The destination of /code-0 is broken.", "/links/0"]]);
    expect(texts(2)).toEqual([["2 links have a broken destination.", "/links?state=broken"]]);
    expect(texts(20)).toEqual([["At least 20 links have a broken destination.", "/links?state=broken"]]);
  });

  test("broken items come first", () => {
    const items = listAttention(
      {
        ...NONE,
        webhooks: [
          { ...webhook, skipped_count: 1 },
          { ...webhook, id: "off", enabled: false, disabled_at: inDays(-1) },
        ],
      },
      nowMs,
    );
    expect(items.map((item) => item.key)).toEqual(["off", "w"]);
  });
});

describe("first steps", () => {
  const NOTHING = { links: 0, scans: 0, templates: 0, pages: 0, domains: 1 };
  test.each([
    [{}, 0, true],
    [{ links: 1 }, 1, true],
    [{ links: 1, scans: 1 }, 2, false],
    [{ scans: 1 }, 1, true],
    [{ links: 1, scans: 1, templates: 1, pages: 1, domains: 2 }, 5, false],
  ])("%j", (change, done, isNew) => {
    const counts = { ...NOTHING, ...change };
    expect(listSteps(counts).filter(({ isDone }) => isDone)).toHaveLength(done);
    expect(isNewWorkspace(counts)).toBe(isNew);
  });
});
