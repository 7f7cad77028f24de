import { registerHooks } from "node:module";

/**
 * Saves each process of tests a second: for each of Drizzle's hundred modules, Node parses the list of exports in its
 * package.json, of 180 kB, to learn that the module is an ES module. Node loads this file first.
 */
registerHooks({
  resolve(specifier, context, resolveNext) {
    const { parentURL } = context;
    return specifier.startsWith(".") && parentURL?.includes("/node_modules/drizzle-orm/")
      ? { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true }
      : resolveNext(specifier, context);
  },
});
