import { SIGNPOST_MARK } from "../../pages/signpost-art.ts";
import { path } from "../address/address.ts";
import { KeyHint } from "../components/badge.tsx";
import { Icon } from "../components/icon.tsx";
import { SCREENS, START_PATH } from "../screens.ts";
import { PersonMenu } from "./person-menu.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

/** Name of the product, which leads to the start. */
export function Brand() {
  return (
    <a class="brand" href={START_PATH}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={SIGNPOST_MARK} />
      </svg>
      Signpost
    </a>
  );
}

interface NavigationProps {
  onHelp: () => void;
  /** The drawer has the name of the product in its head. */
  isInDrawer?: boolean;
}

/** Workspace, screens and person, one below the other. */
export function Navigation({ onHelp, isInDrawer = false }: NavigationProps) {
  const shown = path.value;
  return (
    <>
      {!isInDrawer && <Brand />}
      <WorkspaceSwitcher />
      <nav class="nav" aria-label="Screens">
        {SCREENS.map(
          ({ path, title, entry }) =>
            entry && (
              <a key={path} href={path} aria-current={isWithin(shown, path) ? "page" : undefined}>
                <Icon name={entry.icon} />
                {title}
                <span class="row push" aria-hidden="true">
                  <KeyHint keys={`g ${entry.key}`} />
                </span>
              </a>
            ),
        )}
      </nav>
      <div class="side-foot">
        <PersonMenu onHelp={onHelp} />
      </div>
    </>
  );
}

/** Returns true for the path of a screen and for those below it. */
function isWithin(shown: string, screenPath: string): boolean {
  return shown === screenPath || shown.startsWith(`${screenPath}/`);
}
