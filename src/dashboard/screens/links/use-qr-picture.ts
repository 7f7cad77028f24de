import { useEffect, useState } from "preact/hooks";

/** Picture of a QR code as a data URI, or null while it is drawn. */
export interface QrPictureState {
  address: string | null;
  /** True if the code contains the compact form of the short URL. */
  isCompact: boolean;
}

const NO_PICTURE: QrPictureState = { address: null, isCompact: true };

/**
 * Draws a URL's QR code in the browser with the server's own drawing code. A short code makes it compact, and a template
 * gives it its design.
 */
export function useQrPicture(
  url: string,
  shortCode: string | null,
  templateId: string | null,
): QrPictureState {
  const [picture, setPicture] = useState(NO_PICTURE);
  useEffect(() => {
    let isCurrent = true;
    const show = (svg: string, isCompact: boolean) => {
      const address = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      if (isCurrent) setPicture({ address, isCompact });
    };
    // If the drawing code or the template fails to load, the picture stays empty. The next URL tries again.
    if (templateId === null || shortCode === null)
      import("../../data/draw-qr.ts").then(({ drawQr }) => show(drawQr(url, shortCode), true), ignore);
    else
      import("../qr/draw-template.ts")
        .then(({ drawTemplate }) => drawTemplate(url, shortCode, templateId))
        .then(({ svg, isCompact }) => show(svg, isCompact), ignore);
    return () => {
      isCurrent = false;
    };
  }, [url, shortCode, templateId]);
  return picture;
}

function ignore(): void {}
