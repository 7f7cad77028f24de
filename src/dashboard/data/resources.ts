import { useEffect, useMemo } from "preact/hooks";
import { ResourceCache, type ResourceState } from "./resource-cache.ts";

/** Cached resources of the current workspace. */
export const resources = new ResourceCache();

/** State of a resource, and a function that loads it again. */
export interface ShownResource<Value> extends ResourceState<Value> {
  reload(): void;
}

/**
 * Loads a resource when the key changes, and renders again when its state changes. The key must contain
 * everything that `load` depends on.
 */
export function useResource<Value>(key: string, load: () => Promise<Value>): ShownResource<Value> {
  const state = useMemo(() => resources.watch<Value>(key), [key]);
  const reload = () => void resources.read(key, load);
  useEffect(reload, [key]);
  return { ...state.value, reload };
}
