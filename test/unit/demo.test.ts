import { describe, expect, test } from "vitest";
import { pageData } from "../../src/bio/bio.schema.ts";
import { DEMO_LINKS } from "../../src/cli/demo/demo-links.ts";
import { type Attraction, expectVisits, MONTH_DAYS, makeMonth } from "../../src/cli/demo/demo-month.ts";
import { DEMO_PAGES } from "../../src/cli/demo/demo-pages.ts";
import { DEMO_ENDPOINTS, DEMO_TEMPLATES } from "../../src/cli/demo/demo-resources.ts";
import { AUDIENCES, makeVisitor } from "../../src/cli/demo/demo-visitors.ts";
import { Random } from "../../src/cli/demo/random.ts";
import { DAY_MS, HOUR_MS, toIso } from "../../src/core/time.ts";
import { createLinkBody, updateLinkBody } from "../../src/links/links.schema.ts";
import { createTemplateBody } from "../../src/qr/templates.schema.ts";

const NOON_MS = Date.UTC(2026, 10, 22, 12);
const moment = (days: number) => toIso(NOON_MS + days * DAY_MS);
const count = <Item>(items: readonly Item[], isCounted: (item: Item) => boolean) =>
  items.filter(isCounted).length;

describe("random numbers", () => {
  test.each([
    [0, [0, 3, 7]],
    [1, [2, 9, 2]],
  ])("are always the same for the seed %d", (seed, numbers) => {
    const random = new Random(seed);
    const drawn = numbers.map(() => random.integer(0, 9));
    const again = new Random(seed);
    expect(drawn).toEqual(numbers.map(() => again.integer(0, 9)));
    expect(drawn).not.toEqual(numbers.map(() => random.integer(0, 9)));
  });

  test("are evenly distributed, and choose by weight", () => {
    const random = new Random(5);
    const tenths = Array.from({ length: 10_000 }, () => random.integer(0, 9));
    for (let digit = 0; digit < 10; digit++) {
      const times = count(tenths, (number) => number === digit);
      expect(times).toBeGreaterThan(900);
      expect(times).toBeLessThan(1_100);
    }
    const letters = Array.from({ length: 10_000 }, () =>
      random.pick([
        ["a", 3],
        ["b", 0],
        ["c", 1],
      ] as const),
    );
    expect(letters).not.toContain("b");
    expect(Math.abs(count(letters, (letter) => letter === "a") - 7_500)).toBeLessThan(200);
    const rounded = Array.from({ length: 10_000 }, () => random.round(2.25));
    expect(new Set(rounded)).toEqual(new Set([2, 3]));
    expect(Math.abs(count(rounded, (number) => number === 3) - 2_500)).toBeLessThan(200);
  });
});

describe("content", () => {
  test("there are 40 links with distinct codes and titles, and the API accepts them and their changes", () => {
    expect(DEMO_LINKS).toHaveLength(40);
    const codes = DEMO_LINKS.flatMap(({ code }) => code ?? []);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(DEMO_LINKS.map(({ title }) => title)).size).toBe(40);
    for (const { code, title, url, labels, age, fields, changes = [] } of DEMO_LINKS) {
      const slug = code === undefined ? {} : { custom_slug: code };
      createLinkBody.parse({ url, title, labels, ...slug, ...fields?.(moment) });
      expect(age).toBeGreaterThanOrEqual(1);
      for (const { patch, age: changeAge = 0 } of changes) {
        updateLinkBody.parse(patch);
        expect(changeAge).toBeLessThan(age);
      }
    }
  });

  test("pages, templates and endpoints are valid, and pages link to existing links", () => {
    const codes = DEMO_LINKS.map(({ code }) => code);
    const link = (code: string) => {
      expect(codes).toContain(code);
      return `https://example.com/${code}`;
    };
    const file = (name: string) => `https://cdn.example.com/${name}`;
    for (const { data, clicks } of DEMO_PAGES) {
      const parsed = pageData.parse(data({ file, link }));
      expect(clicks.length).toBe(parsed.links?.length);
      expect(
        clicks.map((share, index) => share === 0 || parsed.links?.[index]?.url !== undefined),
      ).not.toContain(false);
    }
    for (const { name, description, design } of DEMO_TEMPLATES) {
      createTemplateBody.parse({ name, description, design: design(file) });
    }
    for (const { path } of DEMO_ENDPOINTS) expect(path).toMatch(/^\/[a-z]+$/);
  });
});

describe("visitors", () => {
  test.each(Object.keys(AUDIENCES) as (keyof typeof AUDIENCES)[])(
    "of the audience %s have matching systems and browsers",
    (name) => {
      const random = new Random(3);
      const visitors = Array.from({ length: 2_000 }, () => makeVisitor(random, name));
      const people = visitors.filter(({ traffic }) => traffic === "human");
      expect(people.length).toBeGreaterThan(1_800);
      for (const { device, os, browser } of people) {
        if (os === "ios") expect(["mobile", "tablet"]).toContain(device);
        if (browser === "samsung") expect(os).toBe("android");
        if (browser === "edge") expect(["windows", "android"]).toContain(os);
      }
      for (const { country, region } of visitors)
        if (region !== null) expect(region.startsWith(`${country}-`)).toBe(true);
      const programs = visitors.filter(({ traffic }) => traffic === "bot");
      expect(programs.every(({ os, referrer }) => os === null && referrer === null)).toBe(true);
    },
  );
});

describe("month", () => {
  const attraction: Attraction = { audience: "web", daily: 40, fromMs: 0 };

  test("is the same at any time of a day, and different on another day", () => {
    const [early, late, next] = [NOON_MS, NOON_MS + HOUR_MS, NOON_MS + DAY_MS].map((nowMs) =>
      makeMonth([attraction], nowMs),
    );
    expect(late?.slice(0, MONTH_DAYS)).toEqual(early?.slice(0, MONTH_DAYS));
    expect(late?.at(-1)?.slice(0, early?.at(-1)?.length)).toEqual(early?.at(-1));
    expect(next?.flat().length).not.toBe(early?.flat().length);
  });

  test("has 30 days in order, with visits within each day, and none before the attraction exists or after now", () => {
    const fromMs = NOON_MS - 10 * DAY_MS;
    const days = makeMonth([attraction, { ...attraction, fromMs }], NOON_MS);
    expect(days).toHaveLength(MONTH_DAYS + 1);
    const firstMs = Date.UTC(2026, 10, 22 - MONTH_DAYS);
    for (const [index, visits] of days.entries()) {
      const times = visits.map(({ timeMs }) => timeMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.every((timeMs) => Math.floor((timeMs - firstMs) / DAY_MS) === index)).toBe(true);
    }
    const all = days.flat();
    expect(all.every(({ timeMs }) => timeMs < NOON_MS)).toBe(true);
    expect(all.every(({ index, timeMs }) => index === 0 || timeMs >= fromMs)).toBe(true);
  });

  test.each([
    ["three days before", 12, 100 * 0.25 ** 3],
    ["the day before", 10, 25],
    ["on its best day", 9, 100],
    ["the day after", 8, 55],
  ])("a campaign adds visits %s", (_, age, visits) => {
    const campaign = { ...attraction, peak: { age: 9, visits: 100 } };
    const expected = expectVisits(attraction, NOON_MS, age) + visits;
    expect(expectVisits(campaign, NOON_MS, age)).toBeCloseTo(expected, 9);
  });

  test("has few visits at night, and more on busy weekdays and towards the end", () => {
    const visits = makeMonth([{ ...attraction, daily: 400 }], NOON_MS).flat();
    const between = (from: number, until: number) =>
      count(
        visits,
        ({ timeMs }) => (timeMs % DAY_MS) / HOUR_MS >= from && (timeMs % DAY_MS) / HOUR_MS < until,
      );
    expect(between(8, 16)).toBeGreaterThan(10 * between(0, 3));
    const sundayMs = Date.UTC(2026, 10, 22);
    expect(expectVisits(attraction, sundayMs + DAY_MS, 5)).toBeGreaterThan(
      expectVisits(attraction, sundayMs, 5),
    );
    expect(expectVisits(attraction, sundayMs, 0)).toBeCloseTo(
      1.3 * expectVisits(attraction, sundayMs, MONTH_DAYS),
      9,
    );
  });
});
