import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * The minified script, which each loaded page parses again, in half of the time. It is escaped to ASCII, because a single
 * character that isn't Latin doubles the memory of each copy that is made on the way to the page.
 */
const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8").replace(
  /[\u0080-\uffff]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules about colours. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** axe-core rules that check colours and sizes. All others only depend on the document. */
const LOOK_RULES = [...COLOUR_RULES, "target-size"];

/**
 * Expects axe-core to find no violation of WCAG 2.2 A and AA or of its best practices in the open page, or
 * within elements of it.
 */
export async function expectAccessible(page: Page, within?: readonly string[]): Promise<void> {
  const options = { runOnly: TAGS, rules: { "target-size": { enabled: true } } };
  expect(await listViolations(page, within, options), page.url()).toEqual([]);
}

/**
 * Expects axe-core to find no colour or size violations in the open page, or within elements of it. This
 * suffices for further colour schemes and widths of a page that is accessible in one. Pass the colour rules
 * as `rules` if only the scheme differs.
 */
export async function expectAccessibleLook(
  page: Page,
  within?: readonly string[],
  rules = LOOK_RULES,
): Promise<void> {
  const options: axe.RunOptions = { runOnly: { type: "rule", values: rules } };
  expect(await listViolations(page, within, options), page.url()).toEqual([]);
}

async function listViolations(page: Page, within: readonly string[] | undefined, options: axe.RunOptions) {
  // The page's policy blocks script elements, but not evaluation by the debugger.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  // During an animation, colours and positions are not the final ones.
  await page.evaluate(
    "for (const animation of document.getAnimations()) if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish()",
  );
  return page.evaluate(
    async ({ within, options }) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        { include: within?.map((selector) => [selector]) ?? [["html"]] },
        // Details of passed rules take most of the time on a large page, and a preview runs no script that could answer.
        // None of these rules reads the style sheets, which take as long to load as all rules. One looks at media.
        { ...options, resultTypes: ["violations"], iframes: false, preload: { assets: ["media"] } },
      );
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ failureSummary }) => failureSummary),
      }));
    },
    { within, options },
  );
}

/** Expects the open page to be no wider than the window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect(excess, page.url()).toBeLessThanOrEqual(0);
}

/** Expects the open page to be no wider than a phone, with touch targets of sufficient size. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await expectNoSidewaysScrolling(page);
  await expectAccessibleLook(page, undefined, ["target-size"]);
}
