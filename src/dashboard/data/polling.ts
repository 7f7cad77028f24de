import { useEffect, useRef } from "preact/hooks";

/** Calls a function at an interval while the page is visible. An interval of null stops the calls. */
export function usePolling(intervalMs: number | null, poll: () => void): void {
  const current = useRef(poll);
  current.current = poll;
  useEffect(() => {
    if (intervalMs === null) return;
    const timer = setInterval(() => document.visibilityState === "visible" && current.current(), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
