import type { PlanName } from "./plans.ts";

/** The workspace a request acts for. Every query of a resource starts with its id. */
export interface Workspace {
  id: string;
  name: string;
  description: string;
  plan: PlanName;
  createdAt: number;
  /** Its short hosts; the first is the one in `short_url`. */
  hostnames: readonly [string, ...string[]];
}
