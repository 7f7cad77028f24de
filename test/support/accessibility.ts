import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Expects axe-core to find no violation of WCAG 2.2 A and AA or of its best practices in the open page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const found = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: tags,
      rules: { "target-size": { enabled: true } },
    });
    return found.violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ failureSummary }) => failureSummary),
    }));
  });
  expect(violations).toEqual([]);
}

/** Expects the open page to be no wider than the window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect(excess).toBeLessThanOrEqual(0);
}
