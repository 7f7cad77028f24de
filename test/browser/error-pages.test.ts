import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CdnBindings, serveFile } from "../../src/assets/cdn.ts";
import type { Settings } from "../../src/env.ts";
import { respondHeld, respondWithForm, respondWithRefusal } from "../../src/guards/guarded-page.ts";
import type { ErrorPageStatus } from "../../src/pages/error-document.ts";
import { buildPage } from "../../src/pages/page-response.ts";
import type { HtmlDocument } from "../../src/pages/plate.ts";
import { respondWithErrorPage } from "../../src/redirect/error-page.ts";
import { renderReport } from "../../src/reports/report-page.ts";
import { REPORT_DIMENSIONS } from "../../src/reports/report-view.ts";
import { serveApp } from "../../src/sign-in/app-host.ts";
import { renderSignedIn, renderSignedOut, renderSignInLink } from "../../src/sign-in/app-pages.ts";
import { renderNotice, renderSignedOutHere } from "../../src/sign-in/provider-pages.ts";
import type { SignInReason } from "../../src/sign-in/sign-in-error.ts";
import {
  COLOUR_RULES,
  expectAccessible,
  expectAccessibleLook,
  expectNoSidewaysScrolling,
} from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { useChromium } from "./support/chromium.ts";

/** Tests of the error pages of short hosts and the CDN, and of the sign-in pages, in a real browser. */

/** Workspace names by the first label of their host. */
const NAMES: Record<string, string> = {
  acme: "Acme",
  markup: `</title><script>document.x=1</script><img src=x onerror=document.x=1> & "Söhne"`,
  long: "Donaudampfschiffahrtselektrizitätenhauptbetriebswerkbauunter",
  arabic: "مخبز ليلى",
};

const EMPTY_BUCKET = { get: async () => null } as unknown as R2Bucket;
const EMPTY_DIRECTORY = { withSession: () => ({ prepare: () => ({ all: async () => ({ results: [] }) }) }) };

const REPORT = "mailto:abuse@example.com";

/** Pages of links with a password or preview, by the path under which this test serves them. */
const GUARDED: Record<string, (request: Request) => Promise<Response>> = {
  "/password": (request) => respondWithForm(request, false, REPORT),
  "/wrong": (request) => respondWithForm(request, true, REPORT),
  "/held": (request) => respondHeld(request, REPORT),
  "/tries": (request) => respondWithRefusal(request, REPORT, 429),
};

const LONG_ADDRESS = `${"donaudampfschiffahrt".repeat(3)}@${"hauptbetriebswerk".repeat(9)}.example`;
const PROVIDER_LINKS = {
  beginPath: "/sign-in/oidc",
  endSessionUrl: "https://id.acme.com/end?client_id=x",
};

/** Pages of a failed sign-in at an identity provider. */
const NOTICE_TITLES: Record<SignInReason, string> = {
  stale: "This sign-in has expired",
  declined: "Sign-in cancelled",
  no_email: "Your email address is missing",
  unverified_email: "Your email address isn't verified",
  not_a_member: "You're not a member of any workspace",
  unusable: "Sign-in failed",
  unavailable: "Your identity provider isn't responding",
};

/**
 * Pages that only differ in their texts from a page that is checked: other errors of a short host, notices other than of
 * a stale sign-in or a person without a membership, and other errors of the app host.
 */
const OTHER_TEXTS = [
  /^\w+\/(405|410|503)$/,
  /^(unknown|long|markup)\/404$/,
  /^\/notice\/(?!stale|not_a_member)/,
  /^\/(signed-out-here|sign-in\/oidc|sign-out)$/,
];
/**
 * Those of them that have long words, or a title that no test of the Worker checks. Only the long run opens the others.
 */
const ALWAYS_OPENED = ["acme/405", "long/404", "markup/404", "/sign-out"];
const isOpened = (path: string) =>
  IS_LONG || ALWAYS_OPENED.includes(path) || !OTHER_TEXTS.some((pattern) => pattern.test(path));
/** Script that returns the elements and styles of a page, without texts, isolated names and URLs. */
const STRUCTURE = `document.documentElement.outerHTML
  .replace(/(<style[^]*?<\\/style>)|<\\/?bdi>|(?<=>)[^<]+/g, (_, style) => style ?? "")
  .replace(/ (href|action)="[^"]*"/g, " $1")`;

const REPORT_DAYS = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, "0")}`);

/** Report on five links with long names, whose breakdowns are full. */
function renderFullReport(tag: string): HtmlDocument {
  const points = REPORT_DAYS.map((date, index) => ({ date, scans: index * 41 }));
  const items = Array.from({ length: 5 }, (_, index) => ({ value: `value-${index}`, scans: 5_000 - index }));
  const data = {
    ...{
      fromDate: "2026-11-01",
      toDate: "2026-11-30",
      total: 17_835,
      dayCount: 30,
      best: points[29] ?? null,
    },
    ...{ interval: "day" as const, points, linkCount: 5 },
    links: Array.from({ length: 5 }, (_, index) => ({
      ...{ id: String(index), shortCode: `summer-campaign-${index}`, scans: 9_000 - index * 2_000 },
      title: index === 0 ? null : `${NAMES.long} in the summer campaign ${index}`,
    })),
    breakdowns: REPORT_DIMENSIONS.map((dimension) => ({
      dimension,
      items: [...items, { value: "other", scans: 12 }],
    })),
    breakdownDays: { fromDate: "2026-11-02", toDate: "2026-11-30" },
  };
  const formatUrl = ({ shortCode }: { shortCode: string }) => `go.example.com/${shortCode}`;
  const title = "Summer campaign 2026: posters, flyers and the window";
  return renderReport({ title, data, nowMs: Date.parse("2026-11-30T15:00:00Z"), formatUrl }, tag);
}

/** Pages of the app host that need a database, by the path under which this test serves them. */
const APP_PAGES: Record<string, () => HtmlDocument> = {
  "/signed-in": () =>
    renderSignedIn(
      {
        email: LONG_ADDRESS,
        workspaces: [
          { name: NAMES.long ?? "", role: "owner" },
          { name: NAMES.arabic ?? "", role: "viewer" },
        ],
        pending: [{ id: "1", workspaceName: NAMES.long ?? "", role: "editor" }],
      },
      "/sign-in/join/",
      "/",
    ),
  "/signed-in-nowhere": () =>
    renderSignedIn({ email: "ada@example.com", workspaces: [], pending: [] }, "/sign-in/join/", "/"),
  "/link": () =>
    renderSignInLink({
      workspaceId: "",
      memberId: "",
      person: LONG_ADDRESS,
      email: LONG_ADDRESS,
      name: "Ada",
      workspaceName: NAMES.markup ?? "",
    }),
  "/at-provider": () =>
    renderSignedOut({ providerPath: "/sign-in/oidc", scriptPath: "/static/sign-in.js", isLocal: false }),
  "/report": () => renderFullReport("en"),
  "/report/ar": () => renderFullReport("ar"),
  "/signed-out": () => renderSignedOutHere(PROVIDER_LINKS),
  "/signed-out-here": () => renderSignedOutHere({ ...PROVIDER_LINKS, endSessionUrl: null }),
  ...Object.fromEntries(
    Object.keys(NOTICE_TITLES).map((reason) => [
      `/notice/${reason}`,
      () => renderNotice(reason as SignInReason, LONG_ADDRESS, PROVIDER_LINKS),
    ]),
  ),
};

/** Serves a page of {@link APP_PAGES}, or the app host's response, without a database. */
async function serveAppPage(url: URL): Promise<Response> {
  // The script of the sign-in page only shows a button.
  if (url.pathname.startsWith("/static/")) {
    return new Response("", { headers: { "Content-Type": "text/javascript" } });
  }
  const render = APP_PAGES[url.pathname];
  if (render !== undefined) {
    const { body, headers } = await buildPage(render(), "'self'");
    return new Response(body, { headers });
  }
  const settings = { appUrl: url.origin, identityProvider: null } as Settings;
  const [, isForm, path = ""] = /^(\/form)?(\/.*)$/.exec(url.pathname) ?? [];
  const method = isForm === undefined ? "GET" : "POST";
  const address = new URL(path, url);
  return serveApp(new Request(address, { method }), address, settings, {} as Env);
}

/** Serves `http://{name}.localhost/{status}` as a short host, and `http://cdn.localhost` as the CDN. */
async function serve(url: URL, headers: Record<string, string>): Promise<Response> {
  const request = new Request(url, { headers });
  const [label = ""] = url.hostname.split(".");
  if (label === "app") return serveAppPage(url);
  if (label === "cdn") {
    const env = { PUBLIC_FILES: EMPTY_BUCKET, DIRECTORY: EMPTY_DIRECTORY } as unknown as CdnBindings;
    return serveFile(request, url, env, { shortHost: "localhost" } as Settings, { waitUntil() {} });
  }
  const guarded = GUARDED[url.pathname];
  if (guarded !== undefined) return guarded(request);
  const status = Number(url.pathname.slice(1)) as ErrorPageStatus;
  const findWorkspaceName = async () => NAMES[label] ?? null;
  return respondWithErrorPage(status, { request, nowMs: Date.now(), report: REPORT, findWorkspaceName });
}

describe.skipIf(!hasChromium("error pages in a browser"))("error pages in a browser", () => {
  let server: Server;
  let port: number;
  const chromium = useChromium();
  let page: Page;
  const errors: string[] = [];
  /** Structures of pages that were checked. */
  const checked = new Set<string>();

  beforeAll(async () => {
    server = createServer(async ({ url = "/", headers, method }, response) => {
      if (method === "POST") {
        response.writeHead(303, { Location: `http://destination.localhost:${port}/404` }).end();
        return;
      }
      const served = await serve(new URL(url, `http://${headers.host}`), { Accept: headers.accept ?? "" });
      response.writeHead(served.status, Object.fromEntries(served.headers)).end(await served.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    page = await chromium.newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
  });

  afterAll(() => void server?.close());

  /** Expects the browser to have reported only the status, so that the policy allowed the style sheet. */
  function expectOnlyStatusErrors(): void {
    const others = errors.splice(0).filter((error) => !error.includes("the server responded with a status"));
    expect(others).toEqual([]);
  }

  /**
   * Expects the open page to be accessible with light and dark colours. Returns both background colours. If an earlier
   * page differs from it only in texts and URLs, axe-core doesn't check this one.
   */
  async function expectAccessibleInBoth(isTranslation = false): Promise<string[]> {
    const structure = await page.evaluate<string>(STRUCTURE);
    const isChecked = !isTranslation && (IS_LONG || !checked.has(structure));
    checked.add(structure);
    const grounds: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      if (isChecked && colorScheme === "light") await expectAccessible(page);
      else if (isChecked) await expectAccessibleLook(page, undefined, COLOUR_RULES);
      grounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    }
    return grounds;
  }

  const shortPages: [host: string, path: string, title: string][] = [
    ["acme", "404", "Acme has no link at this URL"],
    ["acme", "410", "This link is no longer available"],
    ["acme", "405", "Unsupported request"],
    ["acme", "503", "Temporarily unavailable"],
    ["unknown", "404", "Link not found"],
    ["unknown", "410", "This link is no longer available"],
    ["long", "404", `${NAMES.long} has no link at this URL`],
    ["markup", "404", `${NAMES.markup} has no link at this URL`],
    ["arabic", "404", `${NAMES.arabic} has no link at this URL`],
    ["acme", "password", "This link is password protected"],
    ["acme", "held", "Open this link in a browser"],
    ["acme", "tries", "Too many attempts"],
  ];
  test.each(shortPages.filter(([host, path]) => isOpened(`${host}/${path}`)))(
    "%s/%s is accessible, styled and not wider than 320 pixels, light and dark",
    async (host, path, title) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(`http://${host}.localhost:${port}/${path}`);
      expect([await page.textContent("h1"), await page.title()]).toEqual([title, title]);
      expect(await expectAccessibleInBoth()).toEqual(["rgb(246, 246, 243)", "rgb(15, 17, 21)"]);
      await expectNoSidewaysScrolling(page);
      expect(await page.evaluate("[document.x, document.scripts.length, document.images.length]")).toEqual([
        undefined,
        0,
        0,
      ]);
      expectOnlyStatusErrors();
    },
  );

  const appPages: [path: string, title: string][] = [
    ["/sign-in", "Sign in"],
    ["/signed-in", "You're signed in"],
    ["/signed-in-nowhere", "You're signed in"],
    ["/link", "Sign in"],
    ["/at-provider", "Sign in"],
    ["/signed-out", "You're signed out"],
    ["/signed-out-here", "You're signed out"],
    ...Object.entries(NOTICE_TITLES).map(([reason, title]): [string, string] => [`/notice/${reason}`, title]),
    ["/form/sign-out", "This request came from another site"],
    ["/sign-in/oidc", "Page not found"],
    ["/sign-out", "Unsupported request"],
    ["/sign-in/link/used", "This sign-in link is no longer valid"],
  ];
  test.each(appPages.filter(([path]) => isOpened(path)))(
    "%s of the app host is accessible and not wider than 360 pixels, light and dark",
    async (path, title) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await page.goto(`http://app.localhost:${port}${path}`);
      expect([await page.textContent("h1"), await page.title()]).toEqual([title, title]);
      expect(new Set(await expectAccessibleInBoth()).size).toBe(2);
      await expectNoSidewaysScrolling(page);
      // Every link and button can be reached and shows its focus.
      const controls = "[...document.querySelectorAll('a, button:not([hidden]), summary')]";
      for (let index = 0; index < (await page.evaluate<number>(`${controls}.length`)); index++) {
        await page.keyboard.press("Tab");
        const focus = `${controls}.indexOf(document.activeElement), getComputedStyle(document.activeElement).outlineStyle`;
        expect(await page.evaluate(`[${focus}]`)).toEqual([index, "solid"]);
      }
      expectOnlyStatusErrors();
    },
  );

  test.each(["/report", "/report/ar"])(
    "%s fits a phone, is accessible in both colour schemes, and prints on one A4 page",
    async (path) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto(`http://app.localhost:${port}${path}`);
      expect(new Set(await expectAccessibleInBoth(path === "/report/ar")).size).toBe(2);
      await expectNoSidewaysScrolling(page);
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
      expect(pdf.toString("latin1").match(/\/Type ?\/Page\b/g)).toHaveLength(1);
      const [, width, height] = /\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1")) ?? [];
      expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
      expectOnlyStatusErrors();
    },
  );

  test("the form after a wrong password is accessible, and its field has the focus and the message", async () => {
    await page.goto(`http://acme.localhost:${port}/wrong`);
    expect(await page.title()).toBe("Incorrect password: This link is password protected");
    await expectAccessibleInBoth();
    await expectNoSidewaysScrolling(page);
    expect(await page.evaluate("document.activeElement.id")).toBe("password");
    expect(await page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("alert").textContent()).toContain("Incorrect password.");
    expectOnlyStatusErrors();
  });

  test("the form redirects to a destination on another host, without scripts", async () => {
    const visitor = await chromium.newPage({ javaScriptEnabled: false });
    await visitor.goto(`http://acme.localhost:${port}/password`);
    await visitor.getByLabel("Password").fill("open sesame");
    const sent = visitor.waitForRequest((request) => request.method() === "POST");
    await visitor.keyboard.press("Enter");
    expect((await sent).postData()).toBe("password=open+sesame");
    await visitor.waitForURL(`http://destination.localhost:${port}/404`);
  });

  test("the CDN's page keeps its style sheet in a sandbox without scripts", async () => {
    await page.goto(`http://cdn.localhost:${port}/no-such-file`);
    expect(await page.title()).toBe("File not found");
    expectOnlyStatusErrors();
  });
});
