import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SECOND_MS } from "../../core/time.ts";
import { SIGNPOST_SCENE } from "../../pages/signpost-art.ts";
import { asFault } from "../data/calls.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import css from "./states.module.css";

/** Widths of skeletons, as attributes, because the page's policy blocks style attributes. */
type SkeletonWidth = "w-3" | "w-5" | "w-7" | "w-9";

/** Placeholder for text that is being loaded. */
export function Skeleton({ width = "w-7" }: { width?: SkeletonWidth }) {
  return <span class={css.skeleton} data-ui="skeleton" data-width={width} />;
}

interface EmptyStateProps {
  title: string;
  children: ComponentChildren;
  /** Buttons for the first step or a working example. */
  actions?: ComponentChildren;
}

/** Empty state: says what will be shown here, and offers the first step. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div class={css.empty}>
      <svg class={css.art} viewBox="0 0 240 190" aria-hidden="true">
        {SIGNPOST_SCENE.map(({ path, part }) => (
          <path key={part} data-part={part} d={path} />
        ))}
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
      {actions && <div class={css.actions}>{actions}</div>}
    </div>
  );
}

interface NoticeProps {
  tone?: "plain" | "good" | "warn" | "danger" | undefined;
  /** Button at the end of the notice. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** Message that stays visible as long as its cause exists. */
export function Notice({ tone = "plain", action, children }: NoticeProps) {
  return (
    <div class={css.notice} data-ui="notice" data-tone={tone} role={tone === "danger" ? "alert" : undefined}>
      <Icon name={tone === "plain" ? "info" : "alert"} />
      <div>{children}</div>
      {action}
    </div>
  );
}

/** Shows a fault with a "Try again" button, which is disabled while a rate limit applies. */
export function FaultNotice({
  fault: thrown,
  onRetry,
}: {
  fault: unknown;
  onRetry?: (() => void) | undefined;
}) {
  const fault = asFault(thrown);
  const waitS = useCountdown(fault.retryAfterS, thrown);
  const retry = onRetry && (
    <Button size="s" onClick={onRetry} isDisabled={waitS > 0}>
      {waitS > 0 ? `Try again in ${waitS}s` : "Try again"}
    </Button>
  );
  return (
    <Notice tone={fault.kind === "offline" || fault.kind === "limited" ? "warn" : "danger"} action={retry}>
      <p>{fault.message}</p>
      {fault.kind === "server" && fault.requestId && <p class={css.request}>Request ID: {fault.requestId}</p>}
    </Notice>
  );
}

/** Counts seconds down to 0. Restarts when `fromS` or `reason` changes. */
export function useCountdown(fromS: number | null, reason: unknown): number {
  const [leftS, setLeftS] = useState(fromS ?? 0);
  useEffect(() => {
    const endMs = Date.now() + (fromS ?? 0) * SECOND_MS;
    const tick = () => setLeftS(Math.max(0, Math.ceil((endMs - Date.now()) / SECOND_MS)));
    tick();
    const timer = setInterval(tick, SECOND_MS);
    return () => clearInterval(timer);
  }, [fromS, reason]);
  return leftS;
}
