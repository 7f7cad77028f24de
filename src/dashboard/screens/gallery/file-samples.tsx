import { useMemo, useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { AssetPicture } from "../../components/asset-picture.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { DropZone } from "../../components/drop-zone.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { showToast } from "../../components/toast-list.ts";
import { UploadList } from "../../components/upload-list.tsx";
import { CallError } from "../../data/call-error.ts";
import type { Asset } from "../../uploads/upload-file.ts";
import { UploadQueue } from "../../uploads/upload-queue.ts";
import { Sample } from "./sample.tsx";

const TOO_LARGE = new CallError({
  kind: "invalid",
  code: "INVALID_FILE",
  message: "It is larger than 20 MB.",
});
const CUT_OFF = new CallError({ kind: "offline", code: "OFFLINE", message: "The connection was lost." });
const MENU = { id: "menu", filename: "menu.pdf", mime_type: "application/pdf", public_url: null } as Asset;
const PAYLOAD = JSON.stringify({ event: "link.created", data: { short_code: "summer-sale" } }, null, 2);

/** Uploads in every phase, file pictures, an image field, and code blocks. */
export function FileSamples() {
  const queue = useMemo(createQueue, []);
  const [image, setImage] = useState("");
  return (
    <Sample title="Files and code">
      <DropZone label="Choose files" onFiles={(files) => showToast(formatCount(files.length, "file"))}>
        or drag them here. This sample doesn't store anything.
      </DropZone>
      <UploadList queue={queue} />
      <div class="row">
        <AssetPicture asset={MENU} />
        <span class="small muted">A file without a preview shows its type.</span>
      </div>
      <ImageField label="Image" value={image} error={undefined} onInput={setImage} />
      <CodeBlock what="payload" text={PAYLOAD} isBounded />
      <CodeBlock what="command" text="npm run dev" />
    </Sample>
  );
}

/**
 * Creates a queue with five uploads: one done, one failed, one uploading forever, one being checked forever,
 * and one that is too large.
 */
function createQueue(): UploadQueue<File, Asset> {
  const queue = new UploadQueue<File, Asset>({
    createJob: ({ name, size }) => ({
      async run(report) {
        if (name === "done.png") return MENU;
        if (name === "lost.png") throw CUT_OFF;
        report(size / 2, name === "checked.png");
        return new Promise(() => {});
      },
      discard() {},
    }),
    findFault: ({ name }) => (name === "large.zip" ? TOO_LARGE : null),
    onDone() {},
  });
  const names = ["done.png", "lost.png", "sent.png", "checked.png", "large.zip"];
  queue.add(names.map((name) => new File([new Uint8Array(2_048)], name)));
  return queue;
}
