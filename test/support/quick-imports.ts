import { registerHooks } from "node:module";

/** Saves each process of tests seconds. Node loads this file first. */

const DRIZZLE = "/node_modules/drizzle-orm/";
const MINIFLARE = "/node_modules/miniflare/dist/src/index.js";
/** Constant of Miniflare, in bytes. At each start, it copies its settings of 7 MB once for each 4 KiB that it adds. */
const GROWTH = "MIN_SINGLE_SEGMENT_GROWTH = ";

registerHooks({
  // For each of Drizzle's hundred modules, Node parses the list of exports in its package.json, of 180 kB, to learn that
  // the module is an ES module.
  resolve(specifier, context, resolveNext) {
    const { parentURL } = context;
    return specifier.startsWith(".") && parentURL?.includes(DRIZZLE)
      ? { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true }
      : resolveNext(specifier, context);
  },
  load(url, context, loadNext) {
    const loaded = loadNext(url, context);
    if (!url.endsWith(MINIFLARE)) return loaded;
    return { ...loaded, source: String(loaded.source).replace(`${GROWTH}4096`, `${GROWTH}${2 ** 20}`) };
  },
});
