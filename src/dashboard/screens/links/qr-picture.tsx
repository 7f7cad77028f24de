import css from "./qr-picture.module.css";
import { useQrPicture } from "./use-qr-picture.ts";

/** Content of the sample. */
const SAMPLE = "https://example.com/abc2345";

interface QrPictureProps {
  /** URL to encode, or null if there is none yet. A sample is shown then. */
  content: string | null;
  /** Short code of the URL, for a compact code. */
  shortCode?: string | null;
  /** Template of the code's design. */
  templateId?: string | null | undefined;
  /** File name of the download, without its extension. */
  name: string;
}

/** QR code of a URL, drawn in the browser with the server's own drawing code. */
export function QrPicture({ content, shortCode, templateId, name }: QrPictureProps) {
  const { address } = useQrPicture(content ?? SAMPLE, shortCode ?? null, templateId ?? null);
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
