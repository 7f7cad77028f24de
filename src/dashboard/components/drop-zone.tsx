import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useFileDrop } from "../uploads/file-drop.ts";
import { Button, joinClasses } from "./button.tsx";
import css from "./drop-zone.module.css";
import { Icon } from "./icon.tsx";

interface DropZoneProps {
  /** Label of the button. */
  label: string;
  /** Says what can be dropped. */
  children: ComponentChildren;
  onFiles: (files: File[]) => void;
  /** Media types that the file picker offers. */
  accept?: string | undefined;
  isSingle?: boolean | undefined;
}

/** Drop zone with a button for choosing files. Also accepts files dropped elsewhere on the page. */
export function DropZone({ label, children, onFiles, accept, isSingle }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: File[]) => onFiles(isSingle ? files.slice(0, 1) : files);
  const isOver = useFileDrop(take);
  return (
    <div class={joinClasses(css.zone, isOver && css.over)} data-ui="drop-zone">
      <Icon name="upload" size={22} />
      <div class={css.text}>
        <Button onClick={() => input.current?.click()}>{label}</Button>
        <p class="small muted">{children}</p>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple={!isSingle}
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          // Allows the same file to be chosen again.
          currentTarget.value = "";
        }}
      />
      {isOver && (
        <div class={css.veil} aria-hidden="true">
          <p>
            <Icon name="upload" size={28} />
            {isSingle ? "Drop file to upload" : "Drop files to upload"}
          </p>
        </div>
      )}
    </div>
  );
}
