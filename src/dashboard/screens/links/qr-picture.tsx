import { useEffect, useState } from "preact/hooks";

interface QrPictureProps {
  /** Address in the code, or null while there is none. */
  content: string | null;
  /** Name of the file of a download. */
  name: string;
}

/** QR code of an address, drawn in the browser by the code that the service draws with. */
export function QrPicture({ content, name }: QrPictureProps) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (content === null) {
      setAddress(null);
      return;
    }
    let isCurrent = true;
    // A failure to load the code leaves the place empty; the next address tries again.
    import("../../data/draw-qr.ts").then(
      ({ drawQr }) => isCurrent && setAddress(`data:image/svg+xml,${encodeURIComponent(drawQr(content))}`),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [content]);
  return (
    <div class="qr-picture">
      {address === null ? (
        <span class="qr-place" role="img" aria-label="The QR code appears here" />
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
