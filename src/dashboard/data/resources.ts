import { useEffect, useMemo } from "preact/hooks";
import { ResourceCache, type ResourceState } from "./resource-cache.ts";

/** Resources of the workspace that is shown. */
export const resources = new ResourceCache();

/** State of a resource, and the way to read it again. */
export interface ShownResource<Value> extends ResourceState<Value> {
  reload(): void;
}

/** Reads a resource when its key changes, and renders again when it does. The key names all that `load` depends on. */
export function useResource<Value>(key: string, load: () => Promise<Value>): ShownResource<Value> {
  const state = useMemo(() => resources.watch<Value>(key), [key]);
  const reload = () => void resources.read(key, load);
  useEffect(reload, [key]);
  return { ...state.value, reload };
}
