import { createRequire } from "node:module";

/** Loads wrangler and Miniflare, which are CommonJS packages: `import` would read them twice to find that out. */

const require = createRequire(import.meta.url);

/** Loads wrangler, which takes a second. */
export function loadWrangler(): typeof import("wrangler") {
  return require("wrangler");
}

/** Loads Miniflare, which takes half a second. */
export function loadMiniflare(): typeof import("miniflare") {
  return require("miniflare");
}
