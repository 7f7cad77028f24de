import { useEffect, useState } from "preact/hooks";
import css from "./qr-picture.module.css";

/** Content of the sample. */
const SAMPLE = "https://example.com/abc2345";

interface QrPictureProps {
  /** URL to encode, or null if there is none yet. A sample is shown then. */
  content: string | null;
  /** Short code of the URL, for a compact code. */
  shortCode?: string | null;
  /** File name of the download, without its extension. */
  name: string;
}

/** QR code of a URL, drawn in the browser with the server's own drawing code. */
export function QrPicture({ content, shortCode, name }: QrPictureProps) {
  const [address, setAddress] = useState<string | null>(null);
  const shown = content ?? SAMPLE;
  useEffect(() => {
    let isCurrent = true;
    // If the drawing code fails to load, the picture stays empty. The next URL tries again.
    import("../../data/draw-qr.ts").then(
      ({ drawQr }) =>
        isCurrent && setAddress(`data:image/svg+xml,${encodeURIComponent(drawQr(shown, shortCode ?? null))}`),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [shown, shortCode]);
  return (
    <div class={css.picture}>
      {address === null ? (
        <span class={css.empty} data-ui="qr-placeholder" />
      ) : content === null ? (
        <img
          class={css.sample}
          data-ui="qr-placeholder"
          src={address}
          width={112}
          height={112}
          alt="Sample QR code"
        />
      ) : (
        <>
          <img src={address} width={112} height={112} alt={`QR code of ${content}`} />
          <a class="small" href={address} download={`${name}.svg`}>
            Download SVG
          </a>
        </>
      )}
    </div>
  );
}
