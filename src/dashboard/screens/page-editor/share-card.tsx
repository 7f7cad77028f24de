import { useEffect, useRef, useState } from "preact/hooks";
import { FRAME_PATH, showPicture } from "../pages/frame-document.ts";
import css from "./share-card.module.css";

interface ShareCardProps {
  host: string;
  title: string;
  description: string;
  image: string | undefined;
  /** Shows the image above the texts, in the format of social networks. */
  isLarge: boolean;
}

/** Preview of the card that chats and social networks show for a page or a link. */
export function ShareCard({ host, title, description, image, isLarge }: ShareCardProps) {
  return (
    <div class={isLarge ? `${css.card} ${css.large}` : css.card}>
      {image !== undefined && URL.canParse(image) && <FramedPicture key={image} address={image} />}
      <div class={css.texts}>
        <span class="small muted one-line">{host}</span>
        <b class={css.title}>{title}</b>
        <span class={`small muted ${css.description}`}>{description}</span>
      </div>
    </div>
  );
}

/**
 * Shows an image of any https host. The dashboard's content security policy forbids such images, so the image
 * is shown in a preview frame, which has its own policy.
 */
function FramedPicture({ address }: { address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const document = frame.current?.contentDocument;
    if (isReady && document) showPicture(document, address);
  }, [isReady, address]);
  return (
    <div class={css.picture} inert>
      <iframe
        sandbox="allow-same-origin"
        title="Preview image"
        aria-hidden="true"
        tabIndex={-1}
        scrolling="no"
        src={FRAME_PATH}
        onLoad={() => setReady(true)}
        ref={frame}
      />
    </div>
  );
}
