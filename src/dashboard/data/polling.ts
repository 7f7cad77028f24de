import { useEffect, useRef } from "preact/hooks";

/** Calls a function again and again while the page is seen. Null stops it. */
export function usePolling(intervalMs: number | null, poll: () => void): void {
  const current = useRef(poll);
  current.current = poll;
  useEffect(() => {
    if (intervalMs === null) return;
    const timer = setInterval(() => document.visibilityState === "visible" && current.current(), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
