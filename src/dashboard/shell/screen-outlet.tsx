import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { navigations, path } from "../address/address.ts";
import { findRoute } from "../address/route-match.ts";
import buttonCss from "../components/button.module.css";
import { Button } from "../components/button.tsx";
import { focusHeading } from "../components/dialog.tsx";
import screenCss from "../components/screen.module.css";
import { EmptyState, FaultNotice, Skeleton } from "../components/states.tsx";
import { announce } from "../components/toast-list.ts";
import { CallError, createOfflineFault } from "../data/call-error.ts";
import { isLocal, LOCAL_SCREENS, SCREENS, type Screen, type ScreenProps, START_PATH } from "../screens.ts";
import { workspace } from "../session/session.ts";

const ALL_SCREENS = isLocal(location.hostname) ? [...SCREENS, ...LOCAL_SCREENS] : SCREENS;

/** Shown if a screen's code is missing, because a deployment removed the previous version's files. */
const OUTDATED = new CallError({
  kind: "missing",
  code: "OUTDATED_PAGE",
  message: "The dashboard was updated. Try again to load the new version.",
});

type View = ComponentType<ScreenProps>;

/** Loaded screen components, by their load function. */
const views = new Map<Screen["load"], View>();

async function loadView({ load }: Screen): Promise<View> {
  const { default: view } = await load();
  views.set(load, view);
  return view;
}

/** Loads the code of a path's screen in advance. Ignores failures, which are shown once the screen is rendered. */
export function preloadScreen(shown: string): void {
  const found = findRoute(ALL_SCREENS, shown === "/" ? START_PATH : shown);
  if (found !== null && !views.has(found.route.load)) loadView(found.route).catch(() => {});
}

/** Shows the screen for the URL, and loads its code if needed. */
export function ScreenOutlet() {
  const found = findRoute(ALL_SCREENS, path.value);
  const title = found?.route.title ?? (path.value === "/" ? "Signpost" : "Not found");
  useEffect(() => {
    document.title = title === "Signpost" ? title : `${title} · Signpost`;
    if (navigations.peek() > 0) announce(title);
  }, [title]);
  if (found === null) return path.value === "/" ? <Waiting title="" /> : <NotFound />;
  if (workspace.value === null) return <Waiting title={found.route.heading ?? title} />;
  return <LoadedScreen key={found.route.path} screen={found.route} parameters={found.parameters} />;
}

function LoadedScreen({ screen, parameters }: { screen: Screen } & ScreenProps) {
  const [View, setView] = useState<View | undefined>(() => views.get(screen.load));
  const [isMissing, setMissing] = useState(false);
  const [failure, resetFailure] = useErrorBoundary();
  const load = () => {
    setMissing(false);
    loadView(screen).then(
      (view) => setView(() => view),
      () => setMissing(true),
    );
  };
  useEffect(() => {
    if (View === undefined) load();
    else if (navigations.peek() > 0) focusHeading();
  }, [View]);
  if (isMissing && navigator.onLine)
    return <Failed title={screen.title} fault={OUTDATED} onRetry={() => location.reload()} />;
  if (isMissing) return <Failed title={screen.title} fault={createOfflineFault()} onRetry={load} />;
  if (failure) return <Failed title={screen.title} fault={failure} onRetry={resetFailure} />;
  return View === undefined ? (
    <Waiting title={screen.heading ?? screen.title} />
  ) : (
    <View parameters={parameters} />
  );
}

function Failed({ title, fault, onRetry }: { title: string; fault: unknown; onRetry: () => void }) {
  return (
    <div class={screenCss.screen} data-ui="screen">
      <h1>{title}</h1>
      <FaultNotice fault={fault} onRetry={onRetry} />
    </div>
  );
}

/** Header shown while a screen is loading. */
function Waiting({ title }: { title: string }) {
  return (
    <div class={screenCss.screen} data-ui="screen" aria-busy="true">
      <div class={screenCss.head} data-ui="screen-head">
        {title ? <h1>{title}</h1> : <Skeleton width="w-3" />}
      </div>
    </div>
  );
}

function NotFound() {
  return (
    <div class={screenCss.screen} data-ui="screen">
      <h1>Not found</h1>
      <EmptyState
        title="Page not found"
        actions={
          <>
            <a class={`${buttonCss.button} ${buttonCss.primary}`} data-ui="button" href={START_PATH}>
              Go to overview
            </a>
            <Button onClick={() => history.back()}>Go back</Button>
          </>
        }
      >
        It may have been deleted, or the URL may contain a typo.
      </EmptyState>
    </div>
  );
}
