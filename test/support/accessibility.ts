import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules about colours. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** Rules of axe-core that look at colours and sizes. All others depend on the document only. */
const LOOK_RULES = [...COLOUR_RULES, "target-size"];

/**
 * Expects axe-core to find no violation of WCAG 2.2 A and AA or of its best practices in the open page, or within
 * elements of it.
 */
export async function expectAccessible(page: Page, within?: readonly string[]): Promise<void> {
  const options = { runOnly: TAGS, rules: { "target-size": { enabled: true } } };
  expect(await listViolations(page, within, options), page.url()).toEqual([]);
}

/**
 * Expects axe-core to find no fault of colours and sizes in the open page, or within elements of it. This suffices for
 * further colour schemes and widths of a page that is accessible in one. Of a scheme alone, `rules` are about colours.
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
  // A policy of the page blocks script elements, but not evaluation by the debugger.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  // Half-way through an animation, colours and places are not the ones that anybody reads.
  await page.evaluate(
    "for (const animation of document.getAnimations()) if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish()",
  );
  return page.evaluate(
    async ({ within, options }) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        { include: within?.map((selector) => [selector]) ?? [["html"]] },
        // Details of what passed take most of the time of a large page.
        { ...options, resultTypes: ["violations"] },
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
  expect(excess).toBeLessThanOrEqual(0);
}

/** Expects the open page to be no wider than a phone, and its targets to be large enough for a finger. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await expectNoSidewaysScrolling(page);
  await expectAccessibleLook(page, undefined, ["target-size"]);
}
