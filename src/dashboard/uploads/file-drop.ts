import { useEffect, useRef, useState } from "preact/hooks";

/** Handles files that are dragged over the window. */

/** Returns the dropped files. Skips folders, which have no content to upload. */
export function listDroppedFiles(transfer: DataTransfer): File[] {
  const entries = [...transfer.items].filter(({ kind }) => kind === "file");
  const files = entries
    .filter((item) => !item.webkitGetAsEntry()?.isDirectory)
    .map((item) => item.getAsFile());
  return files.filter((file) => file !== null);
}

/** Accepts files dropped anywhere in the window or an open dialog. Returns true during such a drag. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    // Counts enters minus leaves, because `dragenter` on a child comes before `dragleave` on its parent.
    let depth = 0;
    const step = (change: number) => {
      depth = Math.max(0, depth + change);
      setOver(depth > 0);
    };
    const handle = (event: DragEvent) => {
      const { dataTransfer, type } = event;
      if (!dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (type === "dragenter") step(1);
      if (type === "dragleave") step(-1);
      if (type === "dragover") dataTransfer.dropEffect = "copy";
      if (type !== "drop") return;
      step(-depth);
      const files = listDroppedFiles(dataTransfer);
      if (files.length > 0) take.current(files);
    };
    const types = ["dragenter", "dragleave", "dragover", "drop"] as const;
    for (const type of types) addEventListener(type, handle);
    return () => {
      for (const type of types) removeEventListener(type, handle);
    };
  }, []);
  return isOver;
}
