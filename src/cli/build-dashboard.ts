import { buildDashboard } from "./dashboard-bundle.ts";

/** Entry point of the custom build in wrangler.toml, which runs before the Worker is bundled. */
await buildDashboard();
