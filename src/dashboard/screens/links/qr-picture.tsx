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
    let url: string | null = null;
    void import("./draw-qr.ts").then(({ drawQr }) => {
      if (!isCurrent) return;
      url = URL.createObjectURL(new Blob([drawQr(content)], { type: "image/svg+xml" }));
      setAddress(url);
    });
    return () => {
      isCurrent = false;
      if (url !== null) URL.revokeObjectURL(url);
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
