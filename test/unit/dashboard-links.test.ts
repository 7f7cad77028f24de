import { describe, expect, test, vi } from "vitest";
import { type BulkProgress, PartialFailure, runBulk } from "../../src/dashboard/data/bulk-run.ts";
import { judgeLink, shortenAddress } from "../../src/dashboard/data/link-state.ts";
import { fromZonedInput, toZonedInput } from "../../src/dashboard/data/zoned-time.ts";
import { diffDrafts, pickChanged, placeFaults } from "../../src/dashboard/forms/form-fields.ts";
import { type Edit, planEdit } from "../../src/dashboard/screens/links/bulk-edit.ts";
import { changeLabels, countLabels } from "../../src/dashboard/screens/links/bulk-labels.ts";
import { EMPTY_DRAFT, LINK_FORM, toDraft } from "../../src/dashboard/screens/links/link-draft.ts";
import { isFiltered, readFilters, toLinkQuery } from "../../src/dashboard/screens/links/link-filters.ts";
import { findAddress } from "../../src/dashboard/screens/links/paste-address.ts";
import { readUtm, writeUtm } from "../../src/dashboard/screens/links/utm.ts";

describe("campaign parameters", () => {
  test.each([
    ["https://a.example/", "x", "https://a.example/?utm_source=x"],
    ["https://a.example/?b=1", "x", "https://a.example/?b=1&utm_source=x"],
    ["https://a.example/?utm_source=y&b=1#top", "x", "https://a.example/?utm_source=x&b=1#top"],
    ["https://a.example/?utm_source=y&utm_source=z", "x", "https://a.example/?utm_source=x"],
    ["https://a.example/?utm_source", "x", "https://a.example/?utm_source=x"],
    ["https://a.example/?utm_source=y", "", "https://a.example/"],
    ["https://a.example/?b=%20c+d&utm_source=y", "", "https://a.example/?b=%20c+d"],
    ["https://a.example/#top?no", "x", "https://a.example/?utm_source=x#top?no"],
    ["https://a.example/", "a b&c", "https://a.example/?utm_source=a%20b%26c"],
    ["https://a.example/?utm_source_id=1", "x", "https://a.example/?utm_source_id=1&utm_source=x"],
    ["half an addr", "x", "half an addr?utm_source=x"],
  ])("%s with %o is %s", (address, value, written) => {
    expect(writeUtm(address, "utm_source", value)).toBe(written);
    expect(readUtm(written, "utm_source")).toBe(value);
  });
});

describe("filters of the list", () => {
  test.each([
    ["", {}, false],
    ["link=new", {}, false],
    ["search=+a+", { search: "a" }, true],
    ["label=print", { label: "print" }, true],
    ["state=enabled", { enabled: true }, true],
    ["state=disabled", { enabled: false }, true],
    ["state=archived", { archived: "true" }, true],
    ["state=broken", { destination_status: "broken" }, true],
    ["state=all", { archived: "all" }, true],
    ["state=unknown", {}, false],
    ["sort=scan_count", { sort: "scan_count" }, false],
    ["sort=created_at", {}, false],
  ])("%s requests %o", (query, asked, filtered) => {
    const filters = readFilters(query);
    expect(toLinkQuery(filters)).toEqual(asked);
    expect(isFiltered(filters)).toBe(filtered);
  });
});

const NOW_MS = Date.parse("2026-11-22T12:00:00Z");
const LINK = {
  enabled: true,
  archived: false,
  starts_at: null,
  expires_at: null,
  max_scans: null,
  scan_count: 5,
};

describe("states of links", () => {
  test.each([
    [{}, "Active"],
    [{ enabled: false, expires_at: "2020-01-01T00:00:00Z" }, "Disabled"],
    [{ expires_at: "2026-11-22T12:00:00Z", archived: true }, "Expired"],
    [{ expires_at: "2026-11-22T12:00:01Z" }, "Active"],
    [{ max_scans: 5 }, "Limit reached"],
    [{ max_scans: 6 }, "Active"],
    [{ starts_at: "2026-11-22T12:00:01Z" }, "Scheduled"],
    [{ starts_at: "2026-11-22T12:00:00Z" }, "Active"],
    [{ archived: true }, "Archived"],
  ])("%o is %s", (changes, word) => {
    expect(judgeLink({ ...LINK, ...changes }, NOW_MS).word).toBe(word);
  });

  test.each([
    ["https://www.a.example/", "a.example"],
    ["http://a.example/b/", "a.example/b"],
    ["mailto:a@b.example?body=https://c.example", "mailto:a@b.example?body=https://c.example"],
  ])("%s is shown as %s", (address, shown) => {
    expect(shortenAddress(address)).toBe(shown);
  });
});

describe("drafts of links", () => {
  const link = {
    destination: "https://a.example/",
    short_code: "a",
    title: null,
    note: "n",
    labels: ["x"],
    starts_at: null,
    early_url: null,
    expires_at: "2027-01-01T10:30:00.000Z",
    expired_url: null,
    max_scans: 3,
    forward_query: false,
    confirm: false,
    has_password: true,
    enabled: true,
    archived: false,
    routing_rules: [{ when: { os: ["ios"] }, destination: "https://a.example/ios" }],
    preview: { title: "P", description: null, image_url: null },
  };

  test("a draft of a link changes nothing", () => {
    expect(diffDrafts(LINK_FORM, toDraft(link), toDraft(link))).toEqual({});
  });

  test.each([
    [{ destination: " b.example/c " }, { url: "https://b.example/c" }],
    [{ destination: "mailto:a@b.example" }, { url: "mailto:a@b.example" }],
    [{ destination: "localhost" }, { url: "localhost" }],
    [{ title: "T" }, { title: "T" }],
    [{ note: " " }, { note: null }],
    [{ labels: ["x", "y"] }, { labels: ["x", "y"] }],
    [{ expiresAt: "" }, { expires_at: null }],
    [{ maxScans: "" }, { max_scans: null }],
    [{ maxScans: " 7 " }, { max_scans: 7 }],
    [{ maxScans: "many" }, { max_scans: "many" }],
    [{ archived: true }, { archived: true }],
    [{ rules: [] }, { routing_rules: [] }],
    [{ previewTitle: " " }, { preview: null }],
    [
      { previewDescription: "D", previewImage: "b.example/c.png" },
      { preview: { title: "P", description: "D", image_url: "https://b.example/c.png" } },
    ],
    [
      { previewTitle: "", previewDescription: "D" },
      { preview: { title: "", description: "D", image_url: null } },
    ],
    [{ destination: " https://a.example/ " }, {}],
    [{ password: "" }, { password: null }],
    [{ password: "abcd" }, { password: "abcd" }],
    [{ earlyUrl: "b.example" }, { early_url: "https://b.example" }],
    [{ expiredUrl: "" }, {}],
    [
      { forwardQuery: true, confirm: true, enabled: false },
      { forward_query: true, confirm: true, enabled: false },
    ],
    [{ slug: " other" }, { custom_slug: "other" }],
  ])("%o is sent as %o", (changes, body) => {
    const draft = toDraft(link);
    expect(diffDrafts(LINK_FORM, draft, { ...draft, ...changes })).toEqual(body);
  });

  test("a new link has the fields that were filled in", () => {
    expect(diffDrafts(LINK_FORM, EMPTY_DRAFT, { ...EMPTY_DRAFT, destination: "https://a.example/" })).toEqual(
      {
        url: "https://a.example/",
      },
    );
  });

  test("a link that was changed elsewhere keeps the user's input", () => {
    const before = toDraft(link);
    const typed = { ...before, note: "mine", maxScans: " 3 " };
    expect(pickChanged(LINK_FORM, before, typed)).toEqual({ note: "mine" });
    expect(pickChanged(LINK_FORM, before, { ...before, destination: ` ${before.destination}` })).toEqual({});
  });

  test("errors are shown at the fields of the form", () => {
    const fields = { "labels[2]": "A", labels: "B", custom_slug: "C", "preview.image_url": "D", url: "E" };
    const faults = { labels: "A", slug: "C", previewImage: "D", destination: "E" };
    expect(placeFaults(LINK_FORM, EMPTY_DRAFT, fields)).toEqual({ faults, isComplete: true });
    const others = { preview: "A", "preview.title": "B", destination: "C", "x.url": "D" };
    expect(placeFaults(LINK_FORM, EMPTY_DRAFT, others)).toEqual({
      faults: { previewTitle: "A", destination: "C" },
      isComplete: false,
    });
    expect(placeFaults(LINK_FORM, EMPTY_DRAFT, {})).toEqual({ faults: {}, isComplete: false });
  });
});

describe("an edit of many links", () => {
  const link = { destination: "https://a.example/?x=1&utm_source=old#f", expires_at: null };

  test.each<[string, Edit, object | null]>([
    [
      "sets the given parameters and keeps the others",
      { kind: "campaign", values: { utm_source: "new ", utm_term: " ", utm_medium: "é" } },
      { destination: "https://a.example/?x=1&utm_source=new&utm_medium=%C3%A9#f" },
    ],
    ["changes nothing without parameters", { kind: "campaign", values: { utm_source: "" } }, null],
    [
      "replaces every occurrence as it is written",
      { kind: "replace", find: "=", replacement: "$&" },
      { destination: "https://a.example/?x$&1&utm_source$&old#f" },
    ],
    ["replaces nothing that is not there", { kind: "replace", find: "A.EXAMPLE", replacement: "" }, null],
    ["replaces nothing without a text", { kind: "replace", find: "", replacement: "x" }, null],
    [
      "sets the expiry",
      { kind: "expiry", expiresAt: "2027-01-01T00:00:00.000Z" },
      { expires_at: "2027-01-01T00:00:00.000Z" },
    ],
    ["keeps an equal expiry", { kind: "expiry", expiresAt: null }, null],
  ])("%s", (_, edit, expected) => {
    expect(planEdit(link, edit)).toEqual(expected);
  });
});

describe("bulk operations", () => {
  const options = {
    groupSize: 2,
    parallel: 2,
    getPauseMs: () => null,
    pause: async () => {},
    takeTurn: async () => {},
    onProgress: () => {},
    signal: new AbortController().signal,
  };
  const ITEMS = ["a", "b", "c", "d", "e"];

  test("run in groups and report their progress", async () => {
    const groups: string[][] = [];
    const progress: BulkProgress[] = [];
    const result = await runBulk({
      ...options,
      items: ITEMS,
      work: async (group) => void groups.push([...group]),
      onProgress: (state) => progress.push(state),
    });
    expect(groups).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(result).toMatchObject({ done: 5, failed: 0, total: 5, fault: null });
    expect(result.finished.sort()).toEqual(ITEMS);
    expect(progress.at(-1)).toEqual({ done: 5, failed: 0, total: 5 });
  });

  test("a failing group is counted and stops no other", async () => {
    const work = async (group: readonly string[]) => {
      if (group.includes("c")) throw new Error("no");
    };
    const result = await runBulk({ ...options, items: ITEMS, work });
    expect(result).toMatchObject({ done: 3, failed: 2, fault: new Error("no") });
    expect(result.finished).not.toContain("d");
  });

  test("a group that failed in part is not repeated", async () => {
    const work = async (group: readonly string[]) => {
      if (group.includes("c")) throw new PartialFailure(["d"], new Error("no"));
    };
    const result = await runBulk({ ...options, items: ITEMS, work, getPauseMs: () => 0 });
    expect(result).toMatchObject({ done: 4, failed: 1, fault: new Error("no") });
    expect(result.finished).not.toContain("c");
  });

  test("a rate limit pauses and retries", async () => {
    const pauses: number[] = [];
    let tries = 0;
    const result = await runBulk({
      ...options,
      items: ["a"],
      work: async () => {
        if (++tries < 3) throw new Error("limit");
      },
      getPauseMs: (_, tries) => tries * 10,
      pause: async (ms) => void pauses.push(ms),
    });
    expect(pauses).toEqual([10, 20]);
    expect(result).toMatchObject({ done: 1, failed: 0 });
  });

  test("a rate limit pauses all calls, and each call waits for its turn", async () => {
    const events: string[] = [];
    let open = () => {};
    let isLimited = true;
    const running = runBulk({
      ...options,
      groupSize: 1,
      items: ["a", "b", "c"],
      work: async ([item]) => {
        events.push(`${item}`);
        if (item === "a" && isLimited) throw new Error("limit");
      },
      getPauseMs: () => 10,
      pause: () =>
        new Promise((resolve) => {
          open = resolve;
        }),
      takeTurn: async () => void events.push("turn"),
    });
    await vi.waitFor(() => expect(events.slice(0, 4).sort()).toEqual(["a", "b", "turn", "turn"]));
    // The third item waits for the pause of the first.
    expect(events).not.toContain("c");
    isLimited = false;
    open();
    expect(await running).toMatchObject({ done: 3, failed: 0 });
    expect(events.filter((event) => event === "turn")).toHaveLength(4);
  });

  test("stopping lets running calls finish", async () => {
    const abort = new AbortController();
    const done: string[] = [];
    const work = async (group: readonly string[]) => {
      done.push(...group);
      abort.abort();
    };
    const result = await runBulk({ ...options, parallel: 1, items: ITEMS, work, signal: abort.signal });
    expect(done).toEqual(["a", "b"]);
    expect(result).toMatchObject({ done: 2, failed: 0, total: 5 });
  });
});

describe("labels of selected links", () => {
  test.each([
    [["a"], ["b"], [], ["a", "b"]],
    [["a"], ["a"], [], null],
    [["a", "b"], [], ["b"], ["a"]],
    [["a"], [], ["b"], null],
    [["a"], ["b"], ["a"], ["b"]],
  ])("%o with %o and without %o are %o", (labels, added, removed, expected) => {
    expect(changeLabels(labels, added, removed)).toEqual(expected);
  });

  test("are counted", () => {
    const links = [{ labels: ["a", "b"] }, { labels: ["b"] }];
    expect([...countLabels(links)]).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });
});

test.each([
  [" https://a.example/b?c=d \n", "https://a.example/b?c=d"],
  ["HTTP://localhost:3000/", "HTTP://localhost:3000/"],
  ["shop.example.com/summer", "shop.example.com/summer"],
  ["a.example", "a.example"],
  ["not an address", null],
  ["https://a.example/ and more", null],
  ["word", null],
  ["1.5", null],
  ["e.g", null],
  ["https://", null],
  [`https://a.example/${"x".repeat(8_174)}`, `https://a.example/${"x".repeat(8_174)}`],
  [`https://a.example/${"x".repeat(8_175)}`, null],
])("pasting %o starts a link to %o", (text, address) => {
  expect(findAddress(text)).toBe(address);
});

describe("times of fields", () => {
  test.each([
    ["2027-01-01T10:30:59.000Z", "UTC", "2027-01-01T10:30"],
    ["2027-01-01T10:30:00.000Z", "Europe/Berlin", "2027-01-01T11:30"],
    ["2027-07-01T10:30:00.000Z", "Europe/Berlin", "2027-07-01T12:30"],
    ["2027-01-01T23:30:00.000Z", "Asia/Kolkata", "2027-01-02T05:00"],
    ["", "Europe/Berlin", ""],
    ["no time", "UTC", ""],
    ["2027-01-01T10:30:00.000Z", "No/Zone", "2027-01-01T10:30"],
  ])("%s in %s is %s", (iso, zone, local) => {
    expect(toZonedInput(iso, zone)).toBe(local);
    if (local !== "") expect(fromZonedInput(local, zone)).toBe(iso.replace(":59.", ":00."));
  });

  test("an empty field is no time", () => {
    expect(fromZonedInput("", "UTC")).toBe("");
  });
});
