import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPageBody, pageData } from "../../src/bio/bio.schema.ts";
import { applyMergePatch } from "../../src/bio/merge-patch.ts";
import { NETWORKS } from "../../src/bio/networks.ts";
import type { PageContent } from "../../src/bio/page-content.ts";
import { listPageWarnings } from "../../src/bio/page-warnings.ts";
import { THEMES } from "../../src/bio/theme-registry.ts";
import { hasSchedule, judgeBlock } from "../../src/dashboard/screens/page-editor/block-state.ts";
import { judgeColours } from "../../src/dashboard/screens/page-editor/colour-notes.ts";
import {
  beginHistory,
  recordEdit,
  redoEdit,
  replacePresent,
  STEP_PAUSE_MS,
  undoEdit,
} from "../../src/dashboard/screens/page-editor/edit-history.ts";
import {
  findFaultLocation,
  formatTabLabel,
  hasField,
} from "../../src/dashboard/screens/page-editor/editor-tabs.ts";
import {
  completeAddress,
  completeProfile,
  describeProfile,
} from "../../src/dashboard/screens/page-editor/page-address.ts";
import {
  buildMergePatch,
  diffPages,
  isChange,
  placeFaults,
  rebaseDraft,
  toDraft,
  toPageData,
} from "../../src/dashboard/screens/page-editor/page-draft.ts";
import {
  buildBars,
  findFirstDay,
  matchClicks,
  sumCounts,
} from "../../src/dashboard/screens/page-editor/visit-days.ts";
import { renderPreview } from "../../src/dashboard/screens/pages/preview-page.ts";
import { findStarter, STARTERS } from "../../src/dashboard/screens/pages/starters.ts";

const NOW_MS = Date.parse("2026-11-22T12:00:00Z");
const OPTIONS = { bioUrl: "https://bio.example", plan: "pro", nowMs: NOW_MS } as const;

/** Page with a field that the editor does not support. */
const PAGE = {
  title: "Jane",
  description: "Potter",
  page_data: {
    theme: "paper",
    own: { id: 7 },
    style: { accent: "#0f766e" },
    links: [
      { label: "A", url: "https://a.example/", own: [null, 1] },
      { label: "B", type: "heading" },
    ],
    socials: [{ network: "github", url: "https://github.com/jane" }],
  },
};

describe("the form of a page", () => {
  test("keeps the same content, including unsupported fields", () => {
    expect(toPageData(toDraft(PAGE))).toEqual(PAGE.page_data);
    expect(isChange(diffPages(toDraft(PAGE), toDraft(PAGE)))).toBe(false);
    expect(toPageData(toDraft({ title: "", description: "", page_data: {} }))).toEqual({});
  });

  test("omits empty fields, except labels", () => {
    const draft = toDraft(PAGE);
    const data = toPageData({
      ...draft,
      data: { ...draft.data, avatar_url: "", seo: { title: "", noindex: undefined }, style: { accent: "" } },
      blocks: [{ key: "n1", label: "", url: "", starts_at: "", highlight: undefined, ...{ own: "" } }],
      socials: [],
    });
    const others = { theme: "paper", own: { id: 7 }, seo: {}, style: {} };
    expect(data).toEqual({ ...others, links: [{ label: "", own: "" }] });
  });

  test("completes URLs, and removes the URLs of headings", () => {
    const draft = toDraft(PAGE);
    const data = toPageData({
      ...draft,
      data: { avatar_url: "cdn.example/a.png" },
      blocks: [
        { key: "b0", label: "A", url: "a.example" },
        { key: "b1", label: "B", type: "heading", url: "left over" },
      ],
      socials: [{ key: "s0", network: "github", url: "jane" }],
    });
    expect(data).toEqual({
      avatar_url: "https://cdn.example/a.png",
      links: [
        { label: "A", url: "https://a.example" },
        { label: "B", type: "heading" },
      ],
      socials: [{ network: "github", url: "https://github.com/jane" }],
    });
  });

  test("a change only contains differences", () => {
    const before = toDraft(PAGE);
    const { data, blocks } = before;
    expect(diffPages(before, { ...before, title: "J" })).toEqual({ title: "J" });
    expect(diffPages(before, { ...before, description: "" })).toEqual({ description: "" });
    expect(diffPages(before, { ...before, data: { ...data, style: { text: "#000" } } })).toEqual({
      page_data_patch: { style: { accent: null, text: "#000" } },
    });
    expect(diffPages(before, { ...before, blocks: [], data: { ...data, theme: undefined } })).toEqual({
      page_data_patch: { theme: null, links: null },
    });
    expect(diffPages(before, { ...before, blocks: blocks.toReversed() })).toEqual({
      page_data_patch: { links: PAGE.page_data.links.toReversed() },
    });
  });

  test("the patch of any change results in the edited form", () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.boolean(),
        fc.integer(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c", "toString"), tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    const objects = fc.dictionary(fc.constantFrom("a", "b", "c", "hasOwn"), value);
    void fc.assert(
      fc.property(objects, objects, (before, after) => {
        expect(applyMergePatch(before, buildMergePatch(before, after))).toEqual({ ...after });
      }),
      { numRuns: 500 },
    );
  });

  test("errors are assigned to fields, by the keys of blocks", () => {
    const draft = toDraft(PAGE);
    const moved = { ...draft, blocks: draft.blocks.toReversed() };
    expect(
      placeFaults(
        {
          "page_data_patch.links[0].url": "One.",
          "page_data.socials[0].url": "Two.",
          "page_data_patch.style.text": "Three.",
          "links[9].url": "Four.",
          title: "Five.",
        },
        moved,
      ),
    ).toEqual({
      "b1.url": "One.",
      "s0.url": "Two.",
      "style.text": "Three.",
      "links[9].url": "Four.",
      title: "Five.",
    });
  });

  test("after a save, changes by others and input typed in the meantime are both kept", () => {
    const sent = toDraft(PAGE);
    const typed = { ...sent, title: "Jane D.", blocks: [...sent.blocks].reverse() };
    const saved = { ...PAGE, description: "By others", page_data: { ...PAGE.page_data, theme: "ink" } };
    const after = rebaseDraft(saved, sent, typed);
    expect([after.title, after.description, after.data.theme]).toEqual(["Jane D.", "By others", "ink"]);
    expect(after.blocks.map(({ key, label }) => [key, label])).toEqual([
      ["b1", "B"],
      ["b0", "A"],
    ]);
    // Links that others added have their own keys.
    const longer = { ...PAGE, page_data: { links: [...PAGE.page_data.links, { label: "C" }] } };
    expect(rebaseDraft(longer, sent, sent).blocks.map(({ key }) => key)).toEqual(["b0", "b1", "b2"]);
  });
});

describe("URLs", () => {
  test.each([
    ["example.com", "https://example.com"],
    [" example.com/a?b#c ", "https://example.com/a?b#c"],
    ["http://example.com", "http://example.com"],
    ["jane@example.com", "mailto:jane@example.com"],
    ["mailto:jane@example.com", "mailto:jane@example.com"],
    ["+49 40 (12) 34-5", "tel:+494012345"],
    ["+1", "+1"],
    ["tel:+1555", "tel:+1555"],
    ["half an addr", "half an addr"],
    ["https://example.com/@jane", "https://example.com/@jane"],
    ["", ""],
  ])("%o is %o", (typed, address) => expect(completeAddress(typed)).toBe(address));

  test.each([
    ["instagram", "@jane.doe", "https://www.instagram.com/jane.doe"],
    ["instagram", "jane", "https://www.instagram.com/jane"],
    ["instagram", "instagram.com/jane", "https://instagram.com/jane"],
    ["bluesky", "jane.example.com", "https://bsky.app/profile/jane.example.com"],
    ["substack", "jane", "https://jane.substack.com"],
    ["mastodon", "jane", "jane"],
    ["toString", "jane", "jane"],
    ["github", "https://github.com/jane", "https://github.com/jane"],
    ["github", "", ""],
  ])("%s: %o is %o", (network, typed, address) => expect(completeProfile(network, typed)).toBe(address));

  test("networks that only need a user name are supported ones", () => {
    const known = Object.keys(NETWORKS).filter((name) => completeProfile(name, "@jane") !== "@jane");
    expect(known.length).toBeGreaterThan(20);
    for (const name of known) expect(describeProfile(name)).toContain("Username");
    expect(describeProfile("mastodon")).not.toContain("Username");
  });
});

describe("undo", () => {
  test("steps back and forth, and continued typing is one step", () => {
    let history = beginHistory("a");
    history = recordEdit(history, "ab", "title", 0);
    history = recordEdit(history, "abc", "title", STEP_PAUSE_MS);
    history = recordEdit(history, "abcd", "title", 2 * STEP_PAUSE_MS + 1);
    history = recordEdit(history, "x", "description", 2 * STEP_PAUSE_MS + 2);
    expect(history.past).toEqual(["a", "abc", "abcd"]);
    history = undoEdit(undoEdit(history));
    expect([history.present, history.future]).toEqual(["abc", ["abcd", "x"]]);
    expect(redoEdit(history).present).toBe("abcd");
    // A new change removes the steps that could be redone.
    history = recordEdit(history, "y", "title", 0);
    expect([history.past, history.future]).toEqual([["a", "abc"], []]);
    expect(redoEdit(history)).toEqual(history);
    expect(undoEdit(beginHistory("a")).present).toBe("a");
  });

  test("a step without a field never merges with another, and a save is no step", () => {
    let history = recordEdit(recordEdit(beginHistory(0), 1, "", 0), 2, "", 0);
    expect(history.past).toEqual([0, 1]);
    history = replacePresent(recordEdit(history, 3, "title", 0), 4);
    expect(recordEdit(history, 5, "title", 1).past).toEqual([0, 1, 2, 4]);
  });

  test("keeps 200 steps", () => {
    let history = beginHistory(0);
    for (let state = 1; state <= 201; state++) history = recordEdit(history, state, "", 0);
    expect([history.past.length, history.past[0]]).toEqual([200, 1]);
  });
});

describe("blocks", () => {
  test.each([
    [{}, undefined],
    [{ enabled: false, ends_at: "2020-01-01T00:00:00Z" }, "Hidden"],
    [{ starts_at: "2026-11-22T12:00:00Z" }, undefined],
    [{ starts_at: "2026-11-22T12:00:01Z", ends_at: "2027-01-01T00:00:00Z" }, "Scheduled"],
    [{ ends_at: "2026-11-22T12:00:00Z" }, "Ended"],
    [{ ends_at: "2026-11-22T12:00:01Z" }, "Until"],
    [{ starts_at: "", ends_at: "" }, undefined],
  ])("%o is %s", (block, word) => {
    expect(judgeBlock({ label: "A", ...block }, NOW_MS)?.word).toBe(word);
  });

  test("with times make the page depend on the time", () => {
    expect(hasSchedule([{ label: "A" }, { label: "B", ends_at: "" }])).toBe(false);
    expect(hasSchedule([{ label: "A", starts_at: "2026-11-22T12:00:00Z" }])).toBe(true);
  });
});

describe("errors", () => {
  const draft = toDraft(PAGE);

  test.each([
    [{ "style.text": "x" }, { tab: "design", block: null }],
    [
      { "seo.title": "x", lang: "x" },
      { tab: "sharing", block: null },
    ],
    [
      { "seo.title": "x", "b1.label": "x" },
      { tab: "content", block: 1 },
    ],
    [
      { title: "x", "style.text": "x" },
      { tab: "content", block: null },
    ],
    [{ title: "" }, null],
  ])("%o are at %o", (faults, location) => expect(findFaultLocation(faults, draft)).toEqual(location));

  test("are counted by tab, and shown elsewhere if no field shows them", () => {
    expect(formatTabLabel("design", { "style.text": "x", title: "y", "style.accent": "" })).toBe(
      "Design (1 to fix)",
    );
    expect(formatTabLabel("visits", { title: "y" })).toBe("Analytics");
    expect(["title", "b12.url", "n3.label", "s0.network", "seo.image_url"].every(hasField)).toBe(true);
    expect(["page_data", "b1.own", "links[9].url", "style.button", "titles"].some(hasField)).toBe(false);
  });
});

describe("colours", () => {
  test.each([
    ["auto", {}, []],
    ["auto", { accent: "#12" }, ["accent fault"]],
    ["auto", { text: "#777777", background: "#777777" }, ["text fault"]],
    ["auto", { text: "#111111" }, ["text note"]],
    ["auto", { text: "" }, []],
    ["paper", { accent: "#f4eee0", background: "#f4eee0" }, ["accent note"]],
    ["auto", { accent: "#8a8a8a", background: "#ffffff" }, ["accent note"]],
    ["auto", { accent: "#0f766e", background: "#ffffff" }, []],
    ["unknown", { text: "#888", background: "#888" }, ["text fault"]],
  ])("%s with %o: %o", (theme, style, notes) => {
    expect(judgeColours(theme, style).map(({ field, kind }) => `${field} ${kind}`)).toEqual(notes);
  });

  test("are rejected exactly as the service does, with its messages", () => {
    const colour = fc.oneof(
      fc.constantFrom("#fff", "#000", "#777777", "#0f766e", "#12", "red"),
      fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
    );
    const styles = fc.record({ accent: colour, background: colour, text: colour }, { requiredKeys: [] });
    void fc.assert(
      fc.property(fc.constantFrom(...THEMES.keys(), "other"), styles, (theme, style) => {
        const result = pageData.safeParse({ theme, style });
        const faults = judgeColours(theme, style).filter(({ kind }) => kind === "fault");
        expect(faults.length > 0).toBe(!result.success);
        if (result.success) return;
        for (const { field, text } of faults) {
          const told = result.error.issues.find(({ path }) => path.join(".") === `style.${field}`);
          expect(told).toBeDefined();
          if (text.includes("contrast"))
            expect(
              text.replace("contrast ratio", "contrast").replace(". Current contrast:", "; it is"),
            ).toMatch(new RegExp(`^${told?.message}\\.$`, "i"));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("starters", () => {
  test.each(STARTERS.map((starter) => [starter.name, starter] as const))(
    "%s is a valid page",
    (_, starter) => {
      const { title, description, page_data } = starter;
      const body = createPageBody.safeParse({ title, description, page_data });
      expect(body.error).toBeUndefined();
      expect(listPageWarnings(body.data?.page_data ?? {})).toEqual([]);
      for (const { network } of page_data.socials ?? []) expect(Object.keys(NETWORKS)).toContain(network);
      expect(toPageData(toDraft({ ...starter, page_data: { ...page_data } }))).toEqual(page_data);
    },
  );

  test("are found by name", () => {
    expect(findStarter("cafe").title).toBe("Café Marlene");
    expect(findStarter("other")).toBe(STARTERS[0]);
    expect(new Set(STARTERS.map(({ name }) => name)).size).toBe(STARTERS.length);
    expect(new Set(STARTERS.map(({ page_data }) => page_data.theme))).toEqual(new Set(THEMES.keys()));
  });
});

describe("the preview", () => {
  const render = (page_data: PageContent) =>
    renderPreview({ slug: "a", title: "A", description: "", page_data }, OPTIONS);

  test.each<[string, PageContent, PageContent]>([
    ["a half colour", { style: { accent: "#12", radius: "md" } }, { style: { radius: "md" } }],
    [
      "text that nobody could read",
      { style: { text: "#777", background: "#777" } },
      { style: { background: "#777" } },
    ],
    ["half an address", { avatar_url: "https:/" }, {}],
    ["an address of a script", { avatar_url: "javascript:alert(1)" }, {}],
    ["half a language", { lang: "e" }, {}],
  ])("omits %s", (_, typed, shown) => {
    expect(render(typed)).toEqual(render(shown));
  });

  test("shows whether visitors see the page in light and dark", () => {
    expect(render({}).schemes).toBe(2);
    expect(render({ style: { background: "#fff" } }).schemes).toBe(1);
  });
});

describe("visits", () => {
  test("days end today, and bars fill the chart", () => {
    expect(findFirstDay(7, NOW_MS)).toBe("2026-11-16");
    expect(findFirstDay(1, NOW_MS)).toBe("2026-11-22");
    const points = [
      { date: "2026-11-21", count: 2 },
      { date: "2026-11-22", count: 4 },
    ];
    expect(buildBars(points).map(({ height }) => height)).toEqual([0.5, 1]);
    expect(buildBars([{ date: "2026-11-22", count: 0 }])[0]?.height).toBe(0);
    expect(sumCounts(points)).toBe(6);
  });

  test("clicks belong to the links with their destination", () => {
    const blocks = [
      { label: "A", url: "https://a.example" },
      { label: "A again", url: "https://a.example/" },
      { label: "B", url: "mailto:b@example.com" },
      { label: "H", type: "heading", url: "https://h.example/" },
      { label: "Half", url: "half" },
    ];
    const items = [
      { value: "https://gone.example/", count: 9 },
      { value: "https://a.example/", count: 3 },
    ];
    expect(matchClicks(items, blocks)).toEqual([
      { label: "", url: "https://gone.example/", count: 9 },
      { label: "A", url: "https://a.example/", count: 3 },
      { label: "B", url: "mailto:b@example.com", count: 0 },
    ]);
  });
});
