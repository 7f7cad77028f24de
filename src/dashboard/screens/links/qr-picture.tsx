import { useEffect, useState } from "preact/hooks";
import linkCardCss from "../../components/link-card.module.css";
import css from "./qr-picture.module.css";

interface QrPictureProps {
  /** URL to encode, or null if there is none yet. */
  content: string | null;
  /** File name of the download, without its extension. */
  name: string;
}

/** QR code of a URL, drawn in the browser with the server's own drawing code. */
export function QrPicture({ content, name }: QrPictureProps) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (content === null) {
      setAddress(null);
      return;
    }
    let isCurrent = true;
    // If the drawing code fails to load, the picture stays empty. The next URL tries again.
    import("../../data/draw-qr.ts").then(
      ({ drawQr }) => isCurrent && setAddress(`data:image/svg+xml,${encodeURIComponent(drawQr(content))}`),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [content]);
  return (
    <div class={css.picture}>
      {address === null ? (
        <span
          class={linkCardCss.qrPlaceholder}
          data-ui="qr-placeholder"
          role="img"
          aria-label="QR code placeholder"
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
