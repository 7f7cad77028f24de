import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { createOfflineFault } from "../data/call-error.ts";
import { FaultNotice, Skeleton } from "./states.tsx";

/** Imports a module whose default export is the component. */
type Load<Properties> = () => Promise<{ default: ComponentType<Properties> }>;

/** Loaded components by their load function, so that they can be rendered immediately the next time. */
const loaded = new Map<unknown, unknown>();

interface LazyPartProps<Properties> {
  /** Module-level function, not created per render: loaded components are cached by this function. */
  load: Load<Properties>;
  properties: Properties;
  /** Shows nothing instead of skeletons while the code is loading. */
  hidesSkeleton?: boolean | undefined;
}

/** Component whose code is loaded when it is first shown. */
export function LazyPart<Properties extends object>({
  load,
  properties,
  hidesSkeleton,
}: LazyPartProps<Properties>) {
  const [Part, setPart] = useState(() => loaded.get(load) as ComponentType<Properties> | undefined);
  const [isMissing, setMissing] = useState(false);
  const start = () => {
    setMissing(false);
    loadPart(load).then(
      (part) => setPart(() => part),
      () => setMissing(true),
    );
  };
  useEffect(() => {
    if (Part === undefined) start();
  }, []);
  if (Part !== undefined) return <Part {...properties} />;
  if (isMissing) return <FaultNotice fault={createOfflineFault()} onRetry={start} />;
  if (hidesSkeleton) return null;
  return (
    <div class="stack" aria-busy="true">
      <Skeleton width="w-5" />
      <Skeleton width="w-9" />
      <Skeleton width="w-7" />
    </div>
  );
}

/** Loads a component's code in advance. Ignores failures, which are shown once the component is rendered. */
export function preloadPart<Properties>(load: Load<Properties>): void {
  loadPart(load).catch(() => {});
}

async function loadPart<Properties>(load: Load<Properties>): Promise<ComponentType<Properties>> {
  const { default: part } = await load();
  loaded.set(load, part);
  return part;
}
