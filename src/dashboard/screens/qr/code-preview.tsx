import { useEffect, useState } from "preact/hooks";
import { Skeleton } from "../../components/states.tsx";
import type { Drawing } from "./draw-design.ts";

/** Returns an address of an SVG, for pictures and downloads. It is given up when another one takes its place. */
export function useSvgAddress(svg: string | null): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (svg === null) return;
    const created = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    setAddress(created);
    // The picture of the former one is shown until this one is decoded.
    return () => void setTimeout(() => URL.revokeObjectURL(created), 1_000);
  }, [svg]);
  return svg === null ? undefined : address;
}

interface PreviewProps {
  content: string;
  drawing: Drawing;
  address: string | undefined;
}

/** Large picture of the code, with what it contains. */
export function CodePreview({ content, drawing, address }: PreviewProps) {
  const matrix = drawing.symbol?.matrix;
  return (
    <figure class="code-preview">
      <div class="code-frame">
        {address && drawing.fault === null ? (
          <img src={address} alt={`QR code of ${content}`} />
        ) : (
          <span class="code-place" role="img" aria-label="The QR code appears here" />
        )}
      </div>
      <figcaption>
        <span class="one-line code-text">{content === "" ? "Type what the code contains" : content}</span>
        {matrix ? (
          <span class="small muted numeric">
            {matrix.side} × {matrix.side} modules · level {matrix.level}
          </span>
        ) : (
          <span class="small muted">No code</span>
        )}
      </figcaption>
    </figure>
  );
}

/** Place of the code while its content is being read. */
export function WaitingPreview() {
  return (
    <figure class="code-preview" aria-busy="true">
      <div class="code-frame">
        <span class="code-place waiting" />
      </div>
      <figcaption>
        <Skeleton width="w-5" />
      </figcaption>
    </figure>
  );
}
