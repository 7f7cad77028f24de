import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { workspace } from "../../session/session.ts";
import { FRAME_PATH, markLink, type Scheme, showPreview } from "./frame-document.ts";
import css from "./page-frame.module.css";
import type { Preview, PreviewPage } from "./preview-page.ts";

interface PageFrameProps {
  page: PreviewPage;
  /** Base URL of bio pages. */
  bioUrl: string;
  /** Accessible name of the frame. Without it, the frame is decorative and hidden from screen readers. */
  title?: string | undefined;
  /** Colour scheme to show. Null follows the system's preference. */
  scheme: Scheme | null;
  widthPx: number;
  heightPx: number;
  /** Time at which the page is shown, for scheduled links. */
  nowMs: number;
  /** Index of the link that is being edited. */
  marked?: number | null | undefined;
  /** Called for each click in the page. */
  onClick?: ((event: MouseEvent) => void) | undefined;
  /** Called after each rendering. */
  onShown?: ((preview: Preview) => void) | undefined;
}

/**
 * Bio page in a frame, scaled to the available width. The frame runs no scripts: both its sandbox and the
 * policy of its document forbid them. The frame has the dashboard's origin only so that this component can
 * write into it.
 */
export function PageFrame(props: PageFrameProps) {
  const { title, widthPx, heightPx, scheme, nowMs, bioUrl, marked = null, onClick, onShown } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const container = useRef<HTMLDivElement>(null);
  /** Number of times that the frame was loaded. Browsers reload a frame that is moved in the document. */
  const [loads, setLoads] = useState(0);
  const [isShown, setShown] = useState(false);
  const clicked = useRef(onClick);
  clicked.current = onClick;
  const plan = workspace.value?.plan ?? "free";
  const text = JSON.stringify(props.page);

  useLayoutEffect(() => {
    const element = container.current;
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
    // If the rendering code fails to load, the frame stays empty. The next change tries again.
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
      // Links in the page point to the host of bio pages, so they must not be followed inside the frame.
      event.preventDefault();
      clicked.current?.(event);
    });
    setLoads((count) => count + 1);
  };
  return (
    <div class={css.frame} ref={container} inert={title === undefined} data-shown={isShown ? "" : undefined}>
      <iframe
        sandbox="allow-same-origin"
        title={title}
        aria-hidden={title === undefined ? "true" : undefined}
        tabIndex={title === undefined ? -1 : undefined}
        // Thumbnails show the top of a page. On some systems, scrollbars would cover a part of it.
        scrolling={title === undefined ? "no" : undefined}
        src={FRAME_PATH}
        loading={title === undefined ? "lazy" : undefined}
        onLoad={prepare}
        ref={frame}
      />
    </div>
  );
}
