import { useEffect, useState } from "preact/hooks";
import { navigate, navigations, path } from "../address/address.ts";
import buttonCss from "../components/button.module.css";
import { Button } from "../components/button.tsx";
import { Dialog, focusHeading } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { LazyPart, preloadPart } from "../components/lazy-part.tsx";
import screenCss from "../components/screen.module.css";
import { EmptyState, FaultNotice } from "../components/states.tsx";
import { ToastHost } from "../components/toasts.tsx";
import { onPaletteKey, useShortcuts } from "../keyboard/shortcuts.ts";
import { SCREENS, START_PATH } from "../screens.ts";
import { isOnline, person, readSession, sessionFault, signOut, workspace } from "../session/session.ts";
import { sharing } from "../shared-reports/sharing.ts";
import { Brand, Navigation } from "./navigation.tsx";
import { ScreenOutlet } from "./screen-outlet.tsx";
import css from "./shell.module.css";

const loadPalette = () => import("./palette.tsx");
const loadShare = () => import("../shared-reports/share-dialog.tsx");
const loadShortcuts = () => import("./shortcut-list.tsx");

/** Frame of all screens: navigation, the current screen, and overlays. */
export function Shell() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  useShortcuts([
    { keys: "?", label: "Show all shortcuts", run: () => setHelpOpen(true) },
    ...SCREENS.flatMap(({ path, title, entry }) =>
      entry ? [{ keys: `g ${entry.key}`, label: `Go to ${title}`, run: () => navigate(path) }] : [],
    ),
  ]);
  useEffect(() => onPaletteKey(() => setPaletteOpen(true)), []);
  const openPalette = () => setPaletteOpen(true);
  const visit = navigations.value;
  const shownPath = path.value;
  useEffect(() => {
    setDrawerOpen(false);
    if (visit > 0) focusHeading();
  }, [visit]);
  useEffect(() => {
    if (shownPath === "/") navigate(START_PATH, { replace: true });
  }, [shownPath]);

  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page, and also moves the focus */}
      <a class={`${buttonCss.button} ${css.skip}`} data-ui="skip" href="#main" onClick={skipToHeading}>
        Skip to content
      </a>
      <div class={css.shell} data-ui="shell">
        <header class={css.top} data-ui="top">
          <Button kind="plain" icon="menu" aria-label="Menu" onClick={() => setDrawerOpen(true)} />
          <Brand />
          <span class="row push">
            <Button kind="plain" icon="search" aria-label="Search" onClick={openPalette} />
          </span>
        </header>
        <header class={css.side} data-ui="side" onPointerEnter={() => preloadPart(loadPalette)}>
          <Navigation onHelp={() => setHelpOpen(true)} onSearch={openPalette} />
        </header>
        <main class={css.main} data-ui="main" id="main">
          {!isOnline.value && (
            <p class={css.banner} role="status">
              <Icon name="alert" size={16} />
              You're offline. This page may be out of date, and changes can't be saved.
            </p>
          )}
          {workspace.value?.suspended_at != null && (
            <p class={css.banner} role="status">
              <Icon name="alert" size={16} />
              The administrator of this service has suspended this workspace. Its links, pages and files are
              blocked. You can view and export everything, but not change it.
            </p>
          )}
          <Content />
        </main>
      </div>
      {isDrawerOpen && (
        <Dialog kind="drawer" title={<Brand />} onClose={() => setDrawerOpen(false)}>
          <div class={css.drawer}>
            <Navigation
              onHelp={() => setHelpOpen(true)}
              onSearch={() => {
                setDrawerOpen(false);
                openPalette();
              }}
              isInDrawer
            />
          </div>
        </Dialog>
      )}
      {isHelpOpen && (
        <LazyPart load={loadShortcuts} properties={{ onClose: () => setHelpOpen(false) }} hidesSkeleton />
      )}
      {isPaletteOpen && (
        <LazyPart load={loadPalette} properties={{ onClose: () => setPaletteOpen(false) }} hidesSkeleton />
      )}
      {sharing.value !== null && (
        <LazyPart
          load={loadShare}
          properties={{
            subject: sharing.value,
            onClose: () => {
              sharing.value = null;
            },
          }}
          hidesSkeleton
        />
      )}
      <ToastHost />
    </>
  );
}

/** Shows the screen, or the reason why it can't be shown. */
function Content() {
  const isStranger = sessionFault.value?.kind === "not-a-member";
  if (sessionFault.value !== null && !isStranger) {
    return (
      <div class={screenCss.screen} data-ui="screen">
        <h1>Signpost isn't responding</h1>
        <FaultNotice fault={sessionFault.value} onRetry={() => void readSession()} />
      </div>
    );
  }
  if (isStranger || (person.value !== null && workspace.value === null)) {
    return (
      <div class={screenCss.screen} data-ui="screen">
        <h1>No workspace</h1>
        <EmptyState
          title="You're not a member of any workspace"
          actions={
            <>
              <Button kind="primary" onClick={() => void readSession()}>
                Check again
              </Button>
              <Button onClick={() => void signOut()}>Sign out</Button>
            </>
          }
        >
          Ask a workspace owner to add your email address{person.value && `, ${person.value.email}`}.
        </EmptyState>
      </div>
    );
  }
  return <ScreenOutlet />;
}

function skipToHeading(event: Event): void {
  event.preventDefault();
  focusHeading();
}
