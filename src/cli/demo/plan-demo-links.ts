import { DAY_MS, MINUTE_MS, toIso } from "../../core/time.ts";
import { createLinkBody, updateLinkBody } from "../../links/links.schema.ts";
import { createLink, updateLink } from "../../links/links.ts";
import { DEMO_LINKS, type DemoLink } from "./demo-links.ts";
import type { DemoStep, DemoWorld } from "./demo-world.ts";

/** Returns the steps that create the demo's links and later change some of them. */
export function planLinks(world: DemoWorld): DemoStep[] {
  return DEMO_LINKS.flatMap((link, index) => planLink(world, link, index % 3 === 0 ? "key" : "editor"));
}

function planLink(world: DemoWorld, demo: DemoLink, creator: "key" | "editor"): DemoStep[] {
  const { code, title, url, labels, age, fields, changes = [], audience, daily, peak } = demo;
  const moment = (days: number) => toIso(world.todayMs + days * DAY_MS);
  const createdAtMs = world.workTime(age);
  let linkId = "";
  const creation: DemoStep = {
    atMs: createdAtMs,
    async run() {
      const slug = code === undefined ? {} : { custom_slug: code };
      const body = createLinkBody.parse({ url, title, labels, ...slug, ...fields?.(moment) });
      const link = await createLink(world.as(creator, "createLink", createdAtMs), body);
      linkId = link.id;
      const visited = { link, scans: 0, disabledFromMs: Number.POSITIVE_INFINITY };
      world.links.push({ ...visited, audience, daily, peak, fromMs: createdAtMs });
    },
  };
  const updates = changes.map((change): DemoStep => {
    const { age: daysAgo, minutesAgo = 0 } = change;
    const atMs = daysAgo === undefined ? world.nowMs - minutesAgo * MINUTE_MS : world.workTime(daysAgo);
    return {
      atMs,
      async run() {
        const tenant = world.as("owner", "updateLink", atMs);
        const changed = await updateLink(tenant, linkId, updateLinkBody.parse(change.patch));
        const visited = world.links.find(({ link }) => link.id === linkId);
        if (visited !== undefined && !changed.enabled) visited.disabledFromMs = atMs;
      },
    };
  });
  return [creation, ...updates];
}
