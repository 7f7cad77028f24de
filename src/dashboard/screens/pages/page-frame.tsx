import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { workspace } from "../../session/session.ts";
import { FRAME_PATH, markLink, type Scheme, showPreview } from "./frame-document.ts";
import type { Preview, PreviewPage } from "./preview-page.ts";

interface PageFrameProps {
  page: PreviewPage;
  /** URL of the host of bio pages. */
  bioUrl: string;
  /** Name of the frame for screen readers. Without one, it is a picture beside a text that says the same. */
  title?: string | undefined;
  /** Look that visitors get; null shows the one that the system prefers. */
  scheme: Scheme | null;
  widthPx: number;
  heightPx: number;
  /** Time at which the page is seen. */
  nowMs: number;
  /** Index of the link that is being edited. */
  marked?: number | null | undefined;
  /** Hears of clicks in the page. */
  onClick?: ((event: MouseEvent) => void) | undefined;
  /** Hears of the page's looks. */
  onShown?: ((preview: Preview) => void) | undefined;
}

/**
 * Page in a frame, scaled to the width of its place. The frame runs no script: the sandbox forbids it, and so does the
 * policy of its document. It has the origin of the dashboard only so that this component may write into it.
 */
export function PageFrame(props: PageFrameProps) {
  const { title, widthPx, heightPx, scheme, nowMs, bioUrl, marked = null, onClick, onShown } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const place = useRef<HTMLDivElement>(null);
  /** Number of times that the frame was loaded: a browser loads it again when it is moved. */
  const [loads, setLoads] = useState(0);
  const [isShown, setShown] = useState(false);
  const clicked = useRef(onClick);
  clicked.current = onClick;
  const plan = workspace.value?.plan ?? "free";
  const text = JSON.stringify(props.page);

  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const scale = () => element.style.setProperty("--scale", String(element.clientWidth / widthPx));
    const observer = new ResizeObserver(scale);
    observer.observe(element);
    element.style.setProperty("--frame-width", `${widthPx}px`);
    element.style.setProperty("--frame-height", `${heightPx}px`);
    scale();
    return () => observer.disconnect();
  }, [widthPx, heightPx]);
  useEffect(() => {
    const document = frame.current?.contentDocument;
    if (loads === 0 || !document) return;
    let isCurrent = true;
    // A failure to load the code leaves the place empty; the next change tries again.
    import("./preview-page.ts").then(
      ({ renderPreview }) => {
        if (!isCurrent) return;
        const preview = renderPreview(JSON.parse(text), { bioUrl, plan, nowMs });
        showPreview(document, preview, scheme);
        markLink(document, marked);
        setShown(true);
        onShown?.(preview);
      },
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [loads, text, bioUrl, plan, nowMs, scheme, marked]);
  const prepare = () => {
    const document = frame.current?.contentDocument;
    if (document?.URL !== new URL(FRAME_PATH, location.href).href) return;
    document.addEventListener("click", (event) => {
      // Addresses in the page are those of the host of bio pages.
      event.preventDefault();
      clicked.current?.(event);
    });
    setLoads((count) => count + 1);
  };
  return (
    <div class="page-frame" ref={place} inert={title === undefined} data-shown={isShown ? "" : undefined}>
      <iframe
        sandbox="allow-same-origin"
        title={title}
        aria-hidden={title === undefined ? "true" : undefined}
        tabIndex={title === undefined ? -1 : undefined}
        src={FRAME_PATH}
        loading={title === undefined ? "lazy" : undefined}
        onLoad={prepare}
        ref={frame}
      />
    </div>
  );
}
