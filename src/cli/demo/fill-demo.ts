import { DAY_MS } from "../../core/time.ts";
import { MONTH_DAYS, makeMonth } from "./demo-month.ts";
import { type DemoRequest, type DemoStorage, DemoWorld, readWorkspace } from "./demo-world.ts";
import { planLinks } from "./plan-demo-links.ts";
import { planResources } from "./plan-resources.ts";
import { countLinkVisits, countPageVisits } from "./write-visits.ts";

/**
 * Fills a new workspace with a month of links, pages, files, visits and deliveries. Uses the service's
 * own functions and queue consumers, so that all counts are consistent.
 */
export async function fillDemo(storage: DemoStorage, request: DemoRequest): Promise<void> {
  const workspace = await readWorkspace(storage.DIRECTORY, request.slug);
  const demo = new DemoWorld(storage, workspace, request);
  const steps = [...planLinks(demo), ...planResources(demo)];
  for (const step of steps.sort((one, other) => one.atMs - other.atMs)) await step.run();
  await Promise.all(demo.pending);
  await countVisits(demo);
}

/**
 * Number of days whose visits are counted in one batch. With more, analytics would treat busy links as
 * quiet, and keep their scans instead of counts per day.
 */
const DAYS_AT_ONCE = 2;

/** Counts the month's visits in batches of {@link DAYS_AT_ONCE} days. */
async function countVisits(demo: DemoWorld): Promise<void> {
  const linkVisits = makeMonth(demo.links, demo.nowMs);
  const pageVisits = makeMonth(demo.pages, demo.nowMs);
  for (let first = 0; first < linkVisits.length; first += DAYS_AT_ONCE) {
    const next = first + DAYS_AT_ONCE;
    const endMs = Math.min(demo.nowMs, demo.todayMs - (MONTH_DAYS - next) * DAY_MS);
    await countLinkVisits(demo, linkVisits.slice(first, next).flat(), endMs);
    await countPageVisits(demo, pageVisits.slice(first, next).flat(), endMs);
  }
}
