import { buildDashboard } from "./dashboard-bundle.ts";

/** Entry point of the custom build in wrangler.toml. Wrangler runs it before it bundles the Worker. */
await buildDashboard();
