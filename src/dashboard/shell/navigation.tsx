import { SIGNPOST_MARK } from "../../pages/signpost-art.ts";
import { path } from "../address/address.ts";
import { KeyHint } from "../components/badge.tsx";
import { Icon } from "../components/icon.tsx";
import { COMMAND_KEY } from "../keyboard/shortcuts.ts";
import { SCREENS, START_PATH } from "../screens.ts";
import { PersonMenu } from "./person-menu.tsx";
import { preloadScreen } from "./screen-outlet.tsx";
import shellCss from "./shell.module.css";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

/** Product name that links to the start screen. */
export function Brand() {
  return (
    <a class={shellCss.brand} href={START_PATH}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={SIGNPOST_MARK} />
      </svg>
      Signpost
    </a>
  );
}

interface NavigationProps {
  onHelp: () => void;
  /** Opens the command palette. */
  onSearch: () => void;
  /** True in the drawer, whose head already contains the product name. */
  isInDrawer?: boolean;
}

/** Sidebar with the workspace, the screens and the person. */
export function Navigation({ onHelp, onSearch, isInDrawer = false }: NavigationProps) {
  const shown = path.value;
  return (
    <>
      {!isInDrawer && <Brand />}
      <WorkspaceSwitcher />
      <button
        type="button"
        class={shellCss.search}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <Icon name="search" size={16} />
        Search
        <span class="row push" aria-hidden="true">
          <KeyHint keys={`${COMMAND_KEY} K`} />
        </span>
      </button>
      <nav class={shellCss.nav} aria-label="Main">
        {SCREENS.map(
          ({ path, title, entry }) =>
            entry && (
              <a
                key={path}
                href={path}
                aria-current={isWithin(shown, path) ? "page" : undefined}
                onPointerEnter={() => preloadScreen(path)}
                onFocus={() => preloadScreen(path)}
              >
                <Icon name={entry.icon} />
                {title}
                <span class="row push" aria-hidden="true">
                  <KeyHint keys={`g ${entry.key}`} />
                </span>
              </a>
            ),
        )}
      </nav>
      <div class={shellCss.foot}>
        <PersonMenu onHelp={onHelp} />
      </div>
    </>
  );
}

/** Returns true for a screen's path and the paths below it. */
function isWithin(shown: string, screenPath: string): boolean {
  return shown === screenPath || shown.startsWith(`${screenPath}/`);
}
