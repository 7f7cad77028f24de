import { KeyHint } from "../components/badge.tsx";
import { Dialog } from "../components/dialog.tsx";
import { COMMAND_KEY, shortcuts } from "../keyboard/shortcuts.ts";
import shellCss from "./shell.module.css";

/** Dialog with all shortcuts of the screen and the frame. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class={shellCss.shortcuts}>
        <dl>
          {shortcuts.value.map(({ keys, label }) => (
            <div key={keys}>
              <dt>{label}</dt>
              <dd>
                <KeyHint keys={keys} />
              </dd>
            </div>
          ))}
          <div>
            <dt>Search links, screens and actions</dt>
            <dd>
              <KeyHint keys={`${COMMAND_KEY} K`} />
            </dd>
          </div>
          <div>
            <dt>Close a panel, dialog or menu</dt>
            <dd>
              <KeyHint keys="Esc" />
            </dd>
          </div>
        </dl>
      </div>
    </Dialog>
  );
}
