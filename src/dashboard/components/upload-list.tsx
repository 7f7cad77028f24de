import { formatBytes } from "../../core/byte-size.ts";
import { asFault } from "../data/calls.ts";
import type { AssetQueue } from "../uploads/asset-store.ts";
import type { Asset } from "../uploads/upload-file.ts";
import type { Upload } from "../uploads/upload-queue.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Progress } from "./progress.tsx";
import css from "./upload-list.module.css";

/** Uploads with their progress, and buttons to cancel and retry them. */
export function UploadList({ queue, hidesDone }: { queue: AssetQueue; hidesDone?: boolean | undefined }) {
  const shown = queue.uploads.value.filter(({ phase }) => !hidesDone || phase !== "done");
  if (shown.length === 0) return null;
  return (
    <ul class={css.uploads} aria-label="Uploads">
      {shown.map((upload) => (
        <UploadLine key={upload.id} queue={queue} upload={upload} />
      ))}
    </ul>
  );
}

interface LineProps {
  queue: AssetQueue;
  upload: Upload<File, Asset>;
}

function UploadLine({ queue, upload }: LineProps) {
  const { id, source, phase, sentBytes, fault } = upload;
  const isFailed = phase === "failed";
  return (
    <li class={css.upload}>
      <Icon name={phase === "done" ? "check" : isFailed ? "alert" : "file"} size={17} />
      <div class={css.text}>
        <span class="one-line">{source.name}</span>
        {isFailed ? (
          <span class={css.fault} role="alert">
            {asFault(fault).message}
          </span>
        ) : (
          <span class="small muted numeric">{describePhase(upload)}</span>
        )}
        {(phase === "sending" || phase === "waiting") && (
          <Progress label={`Uploading ${source.name}`} done={sentBytes} total={source.size} />
        )}
      </div>
      {isFailed && asFault(fault).code !== "INVALID_FILE" && (
        <Button size="s" onClick={() => queue.retry(id)} aria-label={`Try again to upload ${source.name}`}>
          Try again
        </Button>
      )}
      <Button
        kind="plain"
        size="s"
        icon="close"
        aria-label={
          phase === "done" || isFailed ? `Dismiss ${source.name}` : `Cancel upload of ${source.name}`
        }
        onClick={() => queue.remove(id)}
      />
    </li>
  );
}

function describePhase({ phase, source, sentBytes }: Upload<File, Asset>): string {
  if (phase === "waiting") return "Waiting to upload";
  if (phase === "finishing") return "Verifying";
  if (phase === "done") return `${formatBytes(source.size)} uploaded`;
  return `${formatBytes(sentBytes)} of ${formatBytes(source.size)}`;
}
