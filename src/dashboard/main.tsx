import { render } from "preact";
import { path, startNavigation } from "./address/address.ts";
import { startShortcuts } from "./keyboard/shortcuts.ts";
import { startSession } from "./session/session.ts";
import { preloadScreen } from "./shell/screen-outlet.tsx";
import { Shell } from "./shell/shell.tsx";

startNavigation();
startShortcuts();
void startSession();
preloadScreen(path.peek());
render(<Shell />, document.getElementById("app") as HTMLElement);
