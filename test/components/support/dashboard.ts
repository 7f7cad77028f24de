import { h, render } from "preact";
import { afterEach, beforeAll, expect } from "vitest";
import type { SignpostClient } from "../../../src/client/client.ts";
import { navigate, startNavigation } from "../../../src/dashboard/address/address.ts";
import { dropToast, toasts } from "../../../src/dashboard/components/toast-list.ts";
import { startShortcuts } from "../../../src/dashboard/keyboard/shortcuts.ts";
import { person, readSession, startSession } from "../../../src/dashboard/session/session.ts";
import { Shell } from "../../../src/dashboard/shell/shell.tsx";
import { completeDocument, type Locator, page } from "./page.ts";

/** Workspace of the service in this process (`test/support/memory-service.ts`), and its owner. */
interface Workspace {
  email: string;
  client: SignpostClient;
  send(request: Request): Promise<Response>;
  visit(code: string, headers?: Record<string, string>): Promise<Response>;
  setRole(role: string): Promise<void>;
  setPlan(plan: string): Promise<void>;
}
declare const createMemoryWorkspace: (of?: { name: string; email: string }) => Promise<Workspace>;

type Respond = (request: Request) => Response | Promise<Response>;

/** Dashboard in a document without layout, for the owner of an empty workspace. */
export interface OpenDashboard {
  readonly service: Workspace;
  /** Creates another workspace of the owner. */
  addWorkspace(name: string): Promise<Workspace>;
  /** Opens a screen, as a page load does. */
  goto(path: string): Promise<void>;
  /** Opens a screen and waits for its content. */
  open(path: string): Promise<void>;
  /** Responds to requests with a matching URL instead of the service, until the end of the test. */
  route(url: RegExp, respond: Respond): void;
  unrouteAll(): void;
  toast(text: string | RegExp): Locator;
}

const state = globalThis as { isStarted?: boolean };

/** Creates a workspace, and starts the dashboard, before the tests of a file. */
export function useDashboard(): OpenDashboard {
  const routes: { url: RegExp; respond: Respond }[] = [];
  const dashboard = {
    async goto(path) {
      render(null, document.body);
      for (const toast of toasts.peek()) dropToast(toast.id);
      // As after a reload, the session is not loaded yet.
      person.value = null;
      navigate(path, { replace: true });
      render(h(Shell, null), document.body);
      await readSession();
      await page.locator("main h1").waitFor();
    },
    async open(path) {
      await dashboard.goto(path);
      await expect.poll(() => page.locator("main [aria-busy=true]:not([data-ui=gallery] *)").count()).toBe(0);
    },
    addWorkspace: (name) => createMemoryWorkspace({ name, email: dashboard.service.email }),
    route: (url, respond) => void routes.unshift({ url, respond }),
    unrouteAll: () => void routes.splice(0),
    toast: (text) => page.locator("[data-ui=toast]", { hasText: text }),
  } as OpenDashboard;

  beforeAll(async () => {
    const service = await createMemoryWorkspace();
    Object.assign(dashboard, { service });
    Object.assign(globalThis, {
      async respond(request: Request) {
        const route = routes.find(({ url }) => url.test(request.url));
        return route === undefined ? service.send(request) : route.respond(request);
      },
    });
    if (state.isStarted) return;
    state.isStarted = true;
    completeDocument();
    startNavigation();
    startShortcuts();
    await startSession();
  });
  afterEach(() => {
    render(null, document.body);
    dashboard.unrouteAll();
  });
  return dashboard;
}
