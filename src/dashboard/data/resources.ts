import { useEffect, useRef, useState } from "preact/hooks";
import { appendPage, type PagedList } from "./paged-list.ts";
import { ResourceCache, type ResourceState } from "./resource-cache.ts";

/** Cached resources of the workspace. */
export const resources = new ResourceCache();

/** State of a resource, and a function that loads it again. */
export interface ShownResource<Value> extends ResourceState<Value> {
  reload(): void;
  /** True while `value` belongs to the previous key. */
  isStale: boolean;
}

interface ResourceOptions {
  /** Keeps showing the value of the previous key until the value of the new key is loaded. */
  isKept?: boolean;
  /** A change of this number loads the resource again. */
  revision?: number;
}

/**
 * Loads a resource when the key changes, and renders again when its state changes. The key must contain
 * everything that `load` depends on.
 */
export function useResource<Value>(
  key: string,
  load: () => Promise<Value>,
  { isKept = false, revision = 0 }: ResourceOptions = {},
): ShownResource<Value> {
  const [, show] = useState<unknown>();
  const kept = useRef<Value | undefined>(undefined);
  const state = resources.get<Value>(key);
  const reload = () => void resources.read(key, load);
  useEffect(() => resources.subscribe(key, () => show(resources.get(key))), [key]);
  useEffect(reload, [key, revision]);
  if (state.value !== undefined) kept.current = state.value;
  const isStale = isKept && state.value === undefined && kept.current !== undefined;
  return { ...state, value: isStale ? kept.current : state.value, reload, isStale };
}

/** Reads a page of a list, from the start or after a cursor. */
type ReadPage<List> = (before: string | null) => Promise<List>;

/** State of a list that is loaded page by page. */
export interface ShownList<List> extends ShownResource<List> {
  readFurther(): void;
}

/** Loads the first page of a list like {@link useResource}, and further pages on request. */
export function usePagedList<List extends PagedList<{ id: string }>>(
  key: string,
  readPage: ReadPage<List>,
): ShownList<List> {
  const list = useResource(key, () => readPage(null));
  return { ...list, readFurther: () => void readFurther(key, readPage) };
}

/** Loads and appends the next page of a cached list. */
export async function readFurther<List extends PagedList<{ id: string }>>(
  key: string,
  readPage: ReadPage<List>,
): Promise<void> {
  const known = resources.get<List>(key).value;
  if (known === undefined) return;
  await resources.read(key, async () => appendPage(known, await readPage(known.nextBefore)));
}
