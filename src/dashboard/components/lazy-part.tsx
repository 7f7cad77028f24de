import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { createOfflineFault } from "../data/api-fault.ts";
import { FaultNotice, Skeleton } from "./states.tsx";

/** Module with a component that is loaded when it is first shown. */
type Load<Properties> = () => Promise<{ default: ComponentType<Properties> }>;

/** Components that were loaded, by what loads them. They are shown at once the next time. */
const loaded = new Map<unknown, unknown>();

interface LazyPartProps<Properties> {
  /** Function of the module, not of a rendering: it is the key of what was loaded. */
  load: Load<Properties>;
  properties: Properties;
  /** Shows nothing while the code is loaded, where lines would be in the way. */
  isQuiet?: boolean | undefined;
}

/** Part of a screen whose code is loaded when it is first shown. */
export function LazyPart<Properties extends object>({
  load,
  properties,
  isQuiet,
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
  if (isQuiet) return null;
  return (
    <div class="stack" aria-busy="true">
      <Skeleton width="w-5" />
      <Skeleton width="w-9" />
      <Skeleton width="w-7" />
    </div>
  );
}

/** Loads a part before it is shown. A failure is told when it is. */
export function preloadPart<Properties>(load: Load<Properties>): void {
  loadPart(load).catch(() => {});
}

async function loadPart<Properties>(load: Load<Properties>): Promise<ComponentType<Properties>> {
  const { default: part } = await load();
  loaded.set(load, part);
  return part;
}
