import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import { Miniflare } from "miniflare";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPageBody, type PageData } from "../../src/bio/bio.schema.ts";
import { createPage, setPagePublished } from "../../src/bio/bio.ts";
import { serveBio } from "../../src/bio/public.ts";
import { THEMES } from "../../src/bio/theme-registry.ts";
import { BUTTONS } from "../../src/bio/theme-types.ts";
import { getContrastRatio } from "../../src/core/colour.ts";
import { generateUuidv7 } from "../../src/core/id.ts";
import { openDatabase } from "../../src/db/database.ts";
import { getSettings } from "../../src/env.ts";
import type { Tenant } from "../../src/tenant/tenant.ts";

/**
 * Tests of the public page in a real browser. The code of the Worker stores and serves the pages, with a
 * database in Miniflare. The tests are skipped, with a warning, if Chromium is not installed.
 */
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
const CHROMIUM_ARGS = [
  ..."--no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
  ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
];
if (CHROMIUM === undefined) {
  console.warn("bio pages in a browser: SKIPPED, no Chromium found (Debian: apt-get install chromium)");
}

/** Worker with a D1 database and no handlers. */
const DATABASE_WORKER = {
  config: {
    name: "bio",
    compatibilityDate: "2026-11-01",
    manifest: {
      mainModule: "main.js",
      modules: { "main.js": { type: "esm", contents: "export default {}" } },
    },
    env: { DB: { type: "d1", id: "bio" } },
  },
} as const;

const AVATAR = "https://img.example/avatar.png";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);
const LABELS = ["First, and most of all", "Portfolio", "W".repeat(100), "A label ".repeat(12), "Write to me"];

/** Builds page data with every kind of link and three social networks. */
function buildPageData(change: Partial<PageData>): PageData {
  return {
    avatar_url: AVATAR,
    links: [
      { label: LABELS[0] as string, url: "https://a.example/first", highlight: true },
      { label: LABELS[1] as string, url: "https://a.example/portfolio" },
      { label: "A section", type: "heading" },
      { label: LABELS[2] as string, url: "https://a.example/" },
      { label: LABELS[3] as string, url: "https://a.example/", highlight: true },
      { label: LABELS[4] as string, url: "mailto:me@a.example" },
    ],
    socials: [
      { network: "GitHub", url: "https://github.com/a" },
      { network: "linkedin", url: "https://linkedin.com/in/a" },
      { network: "Of my own", url: "https://a.example/" },
    ],
    ...change,
  };
}

describe.skipIf(CHROMIUM === undefined)("bio pages in a browser", () => {
  let miniflare: Miniflare;
  let server: Server;
  let env: Env;
  let browser: Browser;
  let page: Page;
  /** Separate browser page in which screenshots are analysed. */
  let canvas: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    miniflare = new Miniflare({ workers: [DATABASE_WORKER] });
    const d1 = (await miniflare.getD1Database("DB")) as unknown as D1Database;
    for (const file of readdirSync("migrations")
      .filter((name) => name.endsWith(".sql"))
      .sort()) {
      const statements = readFileSync(`migrations/${file}`, "utf8").split("--> statement-breakpoint");
      await d1.batch(statements.map((statement) => d1.prepare(statement)));
    }
    await d1.exec(
      "INSERT INTO workspaces (id, slug, name, plan, created_at) VALUES ('w', 'w', 'W', 'free', 0)",
    );

    server = createServer(async (request, response) => {
      const url = new URL(request.url as string, `http://${request.headers.host}`);
      const headers = { "User-Agent": request.headers["user-agent"] as string };
      const served = await serveBio(new Request(url, { headers }), url, env, { waitUntil: () => {} });
      response.writeHead(served.status, Object.fromEntries(served.headers)).end(await served.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `bio.localhost:${(server.address() as AddressInfo).port}`;
    env = {
      DB: d1,
      API_URL: "http://localhost:8787",
      SHORT_DOMAIN: "localhost:8787",
      BIO_URL: `http://${host}`,
      CDN_URL: "http://cdn.localhost:8787",
      ALLOW_LOOPBACK: "true",
      PAGE_HIT_QUEUE: { send: async () => {} } as unknown as Queue,
    } as unknown as Env;

    browser = await chromium.launch({ executablePath: CHROMIUM as string, args: CHROMIUM_ARGS });
    page = await browser.newPage();
    canvas = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", (dialog) => errors.push(`dialog: ${dialog.message()}`));
    await page.route(/\.example\//, (route) =>
      route.request().resourceType() === "image"
        ? route.fulfill({ contentType: "image/png", body: PIXEL })
        : route.fulfill({ contentType: "text/html", body: "<title>Elsewhere</title>" }),
    );
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    await miniflare?.dispose();
  });

  /** Validates, stores and publishes a page, and returns its URL. The page has the Signpost footer. */
  async function store(body: unknown): Promise<string> {
    const tenant: Tenant = {
      db: openDatabase(env.DB),
      settings: getSettings(env),
      nowMs: Date.now(),
      origin: { requestId: generateUuidv7(Date.now()), isRetry: false },
      workspace: { id: "w", name: "W", description: "", plan: "enterprise", createdAt: 0, hostnames: ["w"] },
      deliveryQueue: { sendBatch: async () => {} } as unknown as Queue,
      waitUntil: () => {},
    };
    const created = await createPage(tenant, createPageBody.parse(body));
    await setPagePublished(tenant, created.id, true);
    return `${env.BIO_URL}/${created.slug}`;
  }

  async function open(address: string, { dark = false, width = 360 } = {}): Promise<void> {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
    await page.goto(address);
  }

  /** Expects axe-core to find no violation of WCAG 2.2 A and AA or of its best practices in the open page. */
  async function expectAccessible(): Promise<void> {
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
      const found = await (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: tags,
        rules: { "target-size": { enabled: true } },
      });
      return found.violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ failureSummary }) => failureSummary),
      }));
    });
    expect(violations).toEqual([]);
  }

  /**
   * Expects every text of the open page to have a contrast of at least 4.5 with every pixel behind it.
   * axe-core does not check text on gradients.
   */
  async function expectReadable(): Promise<void> {
    const texts = await page.evaluate<PaintedText[]>(COLLECT_TEXTS);
    await page.evaluate(`document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.adoptedStyleSheets[0].replaceSync("* { color: transparent !important }")`);
    const shot = await page.screenshot({ fullPage: true });
    const grounds = await canvas.evaluate<string[][]>(buildColourScript(shot.toString("base64"), texts));
    const faults = texts.flatMap(({ text, colour }, i) =>
      (grounds[i] as string[])
        .filter((ground) => getContrastRatio(colour, ground) < 4.5)
        .slice(0, 1)
        .map((ground) => `${text}: ${colour} on ${ground}`),
    );
    expect(texts.length).toBeGreaterThanOrEqual(8);
    expect(faults).toEqual([]);
  }

  async function expectNoSidewaysScrolling(): Promise<void> {
    const excess = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(excess).toBeLessThanOrEqual(0);
  }

  describe.each([...THEMES.keys()])("theme %s", (theme) => {
    test("is accessible and readable, light and dark, narrow and wide", async () => {
      const address = await store({
        title: "Jane Doe",
        description: "Does things.",
        page_data: buildPageData({ theme }),
      });
      for (const look of [{ width: 320 }, { width: 320, dark: true }, { width: 1280 }]) {
        await open(address, look);
        await expectAccessible();
        await expectNoSidewaysScrolling();
        await expectReadable();
      }
      expect(errors).toEqual([]);
    });

    test("is accessible with the owner's colours and buttons", async () => {
      for (const [index, button] of BUTTONS.entries()) {
        const style = {
          button,
          ...[{ accent: "#ffe14d" }, { background: "#123" }, { text: "#767676", background: "#fff" }][index],
        };
        const data = buildPageData({ theme, style });
        delete data.avatar_url;
        await open(await store({ title: "Jane", page_data: data }));
        await expectAccessible();
      }
      expect(errors).toEqual([]);
    });
  });

  test("Tab focuses every link in order with a visible outline, and Enter follows it", async () => {
    await open(await store({ title: "By keyboard", page_data: buildPageData({}) }));
    const reached: unknown[] = [];
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(`(({ tagName, ariaLabel, textContent }, { outlineStyle, outlineWidth }) =>
          [tagName, ariaLabel ?? textContent, outlineStyle, parseFloat(outlineWidth) >= 3])(
            document.activeElement, getComputedStyle(document.activeElement))`),
      );
    }
    const names = ["GitHub", "LinkedIn", "Of my own", ...LABELS];
    expect(reached).toEqual(names.map((name) => ["A", name, "solid", true]));
    for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+Tab");
    const click = page.waitForRequest(/\/l\/0$/);
    await page.keyboard.press("Enter");
    const response = await (await click).response();
    expect([response?.status(), response?.headers().location]).toEqual([302, "https://a.example/first"]);
  });

  test("the owner's text never becomes a script, an element or a style", async () => {
    const evil = `"'></title></style></a><script>document.x=1</script><img src=x onerror=document.x=1><style>*{color:red}</style>`;
    const [url, short] = [`https://a.example/${evil.replaceAll(" ", "/")}`, evil.slice(-50)];
    const data = buildPageData({
      theme: short,
      avatar_url: url,
      avatar_alt: evil,
      links: [
        { label: evil.slice(0, 100), url, class: evil, style: evil },
        { label: evil.slice(-100), type: "heading" },
      ],
      socials: [{ network: short, url, onclick: evil }],
      style: { css: evil },
      seo: { title: evil, description: evil, image_url: url },
      html: evil,
      script: evil,
    });
    await open(await store({ title: evil, description: evil, page_data: data }));
    const counts = await page.evaluate(`[document.x, ...["script", "style", "img", "a", "h1 *"].map(
      (selector) => document.querySelectorAll(selector).length)]`);
    expect(counts).toEqual([undefined, 0, 1, 1, 2, 0]);
    expect(await page.title()).toBe(evil);
    expect(errors).toEqual([]);
  });

  test("the Content-Security-Policy blocks injected scripts and inline styles", async () => {
    await open(await store({ title: "Policy" }));
    await page.evaluate(
      `document.body.innerHTML += '<img src=x onerror="document.x=1"><p style="color:red">'`,
    );
    await page.evaluate(
      `document.head.append(Object.assign(document.createElement("script"), { text: "document.x=1" }))`,
    );
    expect(await page.evaluate("document.x")).toBeUndefined();
    expect(errors.splice(0).length).toBeGreaterThan(0);
  });

  test("links keep their borders in forced-colors mode", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    for (const theme of THEMES.keys()) {
      await page.goto(await store({ title: "Forced", page_data: buildPageData({ theme }) }));
      const borders = await page.evaluate(`[...document.querySelectorAll(".link")].map((link) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(link);
        return borderTopStyle === "solid" && parseFloat(borderTopWidth) >= 1;
      })`);
      expect(borders).toEqual(Array(5).fill(true));
    }
    await page.emulateMedia({ forcedColors: "none" });
  });

  test("the columns of the paper theme start at the same height with every button style", async () => {
    for (const button of BUTTONS) {
      const style = { button };
      await open(
        await store({ title: "Side by side", page_data: buildPageData({ theme: "paper", style }) }),
        {
          width: 1280,
        },
      );
      const tops = await page.evaluate(`["header", ".link"].map(
        (selector) => document.querySelector(selector).getBoundingClientRect().top)`);
      expect(tops).toEqual([80, 80]);
    }
  });

  test("the 404 error page is accessible", async () => {
    for (const dark of [false, true]) {
      await open(`${env.BIO_URL}/nobody`, { dark, width: 320 });
      expect(await page.textContent("h1")).toBe("There is no page here");
      await expectAccessible();
      await expectNoSidewaysScrolling();
    }
    expect(errors.splice(0).every((error) => error.includes("404"))).toBe(true);
  });
});

interface PaintedText {
  text: string;
  colour: string;
  /** x, y, width and height of each line, in pixels of the document. */
  lines: number[][];
}

/**
 * Script that returns the {@link PaintedText}s of a page. It is a string because the DOM types are not loaded
 * here.
 */
const COLLECT_TEXTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    const range = document.createRange();
    range.selectNode(node);
    const rgb = getComputedStyle(node.parentElement).color.match(/\\d+/g);
    texts.push({
      text: node.textContent,
      colour: "#" + rgb.map((channel) => Number(channel).toString(16).padStart(2, "0")).join(""),
      lines: [...range.getClientRects()].map(({ x, y, width, height }) => [x, y + scrollY, width, height]),
    });
  }
  return texts;
})()`;

/** Builds the script that returns the colours of a screenshot behind each text. */
function buildColourScript(png: string, texts: readonly PaintedText[]): string {
  return `(async (png, texts) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return texts.map(({ lines }) => {
      const colours = new Set();
      for (const line of lines) {
        const { data } = context.getImageData(...line.map(Math.round));
        for (let i = 0; i < data.length; i += 4) {
          const rgb = [data[i], data[i + 1], data[i + 2]];
          colours.add("#" + rgb.map((channel) => channel.toString(16).padStart(2, "0")).join(""));
        }
      }
      return [...colours];
    });
  })(${JSON.stringify(png)}, ${JSON.stringify(texts)})`;
}
