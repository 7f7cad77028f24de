import { BrowserErrorCaptureEnum, Window } from "happy-dom";

interface WindowOptions {
  fragment?: string;
  /** API key in the storage. */
  stored?: string | undefined;
  isStorageBlocked?: boolean;
}

/** Runs the reference page in happy-dom, which takes a small part of the time of a browser, but has no layout. */
export function openWindow(html: string, options: WindowOptions = {}): Window {
  const { fragment = "", stored, isStorageBlocked = false } = options;
  const window = new Window({
    url: `http://localhost:8787/docs${fragment}`,
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      // Errors of scripts fail the test.
      errorCapture: BrowserErrorCaptureEnum.disabled,
    },
  });
  if (stored !== undefined) window.sessionStorage.setItem("signpost-key", stored);
  for (const name of isStorageBlocked ? ["localStorage", "sessionStorage"] : []) {
    const get = () => {
      throw new Error("blocked");
    };
    Object.defineProperty(window, name, { get });
  }
  window.document.write(html);
  return window;
}
