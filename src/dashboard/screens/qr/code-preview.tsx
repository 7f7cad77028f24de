import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { Skeleton } from "../../components/states.tsx";
import css from "./code-preview.module.css";
import type { Drawing } from "./draw-design.ts";

/** Returns a blob URL of an SVG, for images and downloads. The URL is revoked after the SVG changes. */
export function useSvgAddress(svg: string | null): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (svg === null) return;
    const created = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    setAddress(created);
    // Revokes the previous URL late, because its image is shown until the new one is decoded.
    return () => void setTimeout(() => URL.revokeObjectURL(created), 1_000);
  }, [svg]);
  return svg === null ? undefined : address;
}

interface PreviewProps {
  content: string;
  drawing: Drawing;
  address: string | undefined;
  /** Width of the image relative to its height. */
  ratio: number;
}

/** Large preview of the code, with its content and size. */
export function CodePreview({ content, drawing, address, ratio }: PreviewProps) {
  const matrix = drawing.symbol?.matrix;
  return (
    <figure class={css.preview}>
      <div class={css.frame} style={{ "--ratio": ratio }}>
        {address && drawing.fault === null ? (
          <img src={address} alt={`QR code of ${content}`} />
        ) : (
          <span class={css.placeholder} role="img" aria-label="QR code placeholder" />
        )}
      </div>
      <figcaption>
        <span class={`one-line ${css.text}`}>
          {content === "" ? "Enter content to generate a QR code" : content}
        </span>
        {matrix ? (
          <span class="small muted numeric">
            {matrix.side} × {formatCount(matrix.side, "module")} · level {matrix.level}
          </span>
        ) : (
          <span class="small muted">No QR code</span>
        )}
      </figcaption>
    </figure>
  );
}

/** Placeholder of the preview while the content is loading. */
export function WaitingPreview() {
  return (
    <figure class={css.preview} aria-busy="true">
      <div class={css.frame}>
        <span class={`${css.placeholder} ${css.waiting}`} />
      </div>
      <figcaption>
        <Skeleton width="w-5" />
      </figcaption>
    </figure>
  );
}
