// Pure: no I/O, clock or randomness.

const restricted = new WeakMap<object, object>();

/**
 * Returns bindings whose Durable Objects run and are stored in `JURISDICTION` only, such as `eu`. Returns the same
 * bindings if it isn't set. An object in a jurisdiction is a different one from the object of the same name elsewhere.
 * See https://developers.cloudflare.com/durable-objects/reference/data-location/.
 */
export function restrictObjects<Bindings extends object>(
  env: Bindings & { JURISDICTION?: string },
): Bindings {
  const { JURISDICTION: jurisdiction } = env;
  if (!jurisdiction) return env;
  const known = restricted.get(env) as Bindings | undefined;
  if (known !== undefined) return known;
  const entries = Object.entries(env).map(([name, binding]: [string, unknown]) => [
    name,
    isNamespace(binding) ? binding.jurisdiction(jurisdiction) : binding,
  ]);
  const bindings = Object.fromEntries(entries);
  restricted.set(env, bindings);
  return bindings;
}

/** Returns true for a namespace of Durable Objects, the only binding with jurisdictions of its own. */
function isNamespace(binding: unknown): binding is { jurisdiction(name: string): unknown } {
  return typeof (binding as { jurisdiction?: unknown } | null)?.jurisdiction === "function";
}
