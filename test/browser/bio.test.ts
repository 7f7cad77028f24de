import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
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
import {
  COLOUR_RULES,
  expectAccessible,
  expectAccessibleLook,
  expectNoSidewaysScrolling,
} from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { createSqliteD1 } from "../support/sqlite-d1.ts";
import { useChromium } from "./support/chromium.ts";

/**
 * Tests of the public page in a real browser. The Worker's code stores and serves the pages, with databases
 * in memory. The tests are skipped with a warning if Chromium is not installed.
 */

const AVATAR = "https://img.example/avatar.png";
const TRANSPARENT_AVATAR = "https://img.example/transparent.png";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);
const TRANSPARENT_PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=",
  "base64",
);
/** Word of 60 letters, which is wider than a line of a narrow page. */
const LONG_WORD = "Donaudampfschiffahrtselektrizitätenhauptbetriebswerkbauunter";
const LABELS = [
  "First, and most of all",
  "Portfolio",
  "W".repeat(100),
  "A label ".repeat(12),
  "Get in touch",
];

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

describe.skipIf(!hasChromium("bio pages in a browser"))("bio pages in a browser", () => {
  const chromium = useChromium();
  let server: Server;
  let env: Env;
  let page: Page;
  /** Separate browser page in which screenshots are analysed. */
  let canvas: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    const directory = createSqliteD1("migrations/directory");
    const shard = createSqliteD1("migrations/shard");
    await directory
      .prepare("INSERT INTO workspaces (id, slug, name, plan, shard, created_at) VALUES (?, ?, ?, ?, ?, ?)")
      .bind("w", "w", "W", "free", 0, 0)
      .run();
    await shard.prepare("INSERT INTO tenants (id, number) VALUES ('w', 1)").run();

    server = createServer(async (request, response) => {
      const url = new URL(request.url as string, `http://${request.headers.host}`);
      const headers = { "User-Agent": request.headers["user-agent"] as string };
      const served = await serveBio(new Request(url, { headers }), url, env, { waitUntil: () => {} });
      response.writeHead(served.status, Object.fromEntries(served.headers)).end(await served.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `bio.localhost:${(server.address() as AddressInfo).port}`;
    env = {
      DIRECTORY: directory,
      SHARD_0: shard,
      API_URL: "http://localhost:8787",
      SHORT_DOMAIN: "localhost:8787",
      BIO_URL: `http://${host}`,
      CDN_URL: "http://cdn.localhost:8787",
      APP_URL: "http://app.localhost:8787",
      ALLOW_LOOPBACK: "true",
      PAGE_HIT_QUEUE: { send: async () => {} } as unknown as Queue,
    } as unknown as Env;

    page = await chromium.newPage();
    canvas = await chromium.newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", (dialog) => errors.push(`dialog: ${dialog.message()}`));
    await page.route(/\.example\//, (route) =>
      route.request().resourceType() === "image"
        ? route.fulfill({
            contentType: "image/png",
            body: route.request().url() === TRANSPARENT_AVATAR ? TRANSPARENT_PIXEL : PIXEL,
          })
        : route.fulfill({ contentType: "text/html", body: "<title>Elsewhere</title>" }),
    );
  });

  afterAll(() => void server?.close());

  /** Validates, stores and publishes a page, and returns its URL. The page has the Signpost footer. */
  async function store(body: unknown): Promise<string> {
    const tenant: Tenant = {
      db: openDatabase(env.SHARD_0),
      directory: openDatabase(env.DIRECTORY),
      settings: getSettings(env),
      nowMs: Date.now(),
      origin: { requestId: generateUuidv7(Date.now()), isRetry: false },
      actor: { type: "admin", id: "", name: "test" },
      operation: "",
      requestId: "",
      workspace: {
        id: "w",
        name: "W",
        description: "",
        plan: "enterprise",
        isMoving: false,
        suspendedAt: null,
        shard: 0,
        createdAt: 0,
        hostnames: ["w"],
      },
      deliveryQueue: { sendBatch: async () => {} } as unknown as Queue,
      waitUntil: () => {},
    };
    const created = await createPage(tenant, createPageBody.parse(body));
    await setPagePublished(tenant, created.id, true);
    return `${env.BIO_URL}/${created.slug}`;
  }

  async function open(address: string, look?: Parameters<typeof setLook>[0]): Promise<void> {
    await setLook(look);
    await page.goto(address);
  }

  async function setLook({ dark = false, width = 360 } = {}): Promise<void> {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  }

  /**
   * Expects every text of the open page to have a contrast of at least 4.5 with every pixel behind it.
   * axe-core does not check text on gradients.
   */
  async function expectReadable(): Promise<void> {
    const texts = await page.evaluate<PaintedText[]>(COLLECT_TEXTS);
    await page.evaluate(`document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.adoptedStyleSheets[0].replaceSync("* { color: transparent !important }")`);
    const clip = findBox(texts.flatMap(({ lines }) => lines));
    // A busy Chromium may refuse a picture, or take it before it has painted the page.
    await eventually(
      async () => {
        const png = await capture(page, clip);
        if (png === null) return ["no picture"];
        const grounds = await canvas.evaluate<string[][]>(buildColourScript(png, texts, clip));
        return texts.flatMap(({ text, colour }, i) =>
          (grounds[i] as string[])
            .filter((ground) => getContrastRatio(colour, ground) < 4.5)
            .slice(0, 1)
            .map((ground) => `${text}: ${colour} on ${ground}`),
        );
      },
      (faults) => faults.length === 0,
    );
    await page.evaluate("document.adoptedStyleSheets = []");
    expect(texts.length).toBeGreaterThanOrEqual(8);
  }

  describe.each([...THEMES.keys()])("theme %s", (theme) => {
    test("is accessible and readable, light, dark and with forced colours, narrow and wide, with large headings", async () => {
      const address = await store({
        title: "Jane Doe",
        description: "Does things.",
        page_data: buildPageData({ theme }),
      });
      await open(address, { width: 320 });
      // The document is the same in all themes, and every pixel behind a text is compared below.
      if (theme === [...THEMES.keys()][0]) await expectAccessible(page);
      else await expectAccessibleLook(page, undefined, ["target-size", "link-in-text-block"]);
      const looks = [{ width: 320 }, { width: 320, dark: true }, { width: 1280 }];
      // A theme with one scheme has no rules for another.
      const hasTwoSchemes = THEMES.get(theme)?.schemes.length === 2;
      expect((await page.content()).includes("prefers-color-scheme")).toBe(hasTwoSchemes);
      for (const look of looks.filter(({ dark = false }) => hasTwoSchemes || !dark)) {
        await setLook(look);
        await expectNoSidewaysScrolling(page);
        await expectReadable();
      }
      expect(
        await page.evaluate(`parseFloat(getComputedStyle(document.querySelector("h2")).fontSize)`),
      ).toBeGreaterThanOrEqual(16);
      // Links keep their borders if the visitor's system replaces all colours.
      await page.emulateMedia({ forcedColors: "active" });
      const borders = await page.evaluate(`[...document.querySelectorAll(".link")].map((link) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(link);
        return borderTopStyle === "solid" && parseFloat(borderTopWidth) >= 1;
      })`);
      await page.emulateMedia({ forcedColors: "none" });
      expect(borders).toEqual(Array(5).fill(true));
      expect(errors).toEqual([]);
    });

    test("wraps words of 60 letters on a narrow screen, after reducing the title's font size", async () => {
      const links = [
        { label: LONG_WORD, type: "heading" as const },
        { label: LONG_WORD, url: "https://a.example/", highlight: true },
      ];
      const buildBody = (title: string) => ({
        title,
        description: LONG_WORD,
        page_data: buildPageData({ theme, links, lang: "de" }),
      });
      await open(await store(buildBody(LONG_WORD)), { width: 320 });
      await expectNoSidewaysScrolling(page);
      const styles = await page.evaluate(`["h1", "h2", ".about", ".link"].map(
        (selector) => getComputedStyle(document.querySelector(selector)).hyphens)`);
      expect(styles).toEqual(Array(4).fill("auto"));
      // The words of this title fit on a line in the smaller size.
      await open(await store(buildBody("Strandkorbverleih Ahrenshoop")), { width: 320 });
      const lines = await page.evaluate(`(() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector("h1 bdi"));
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      })()`);
      expect(lines).toBeLessThanOrEqual(2);
    });

    test("has two columns on a wide screen for many links, in reading order", async () => {
      const links = Array.from({ length: 40 }, (_, i) => ({ label: `Link ${i}`, url: "https://a.example/" }));
      const many = buildPageData({ theme, links });
      const addresses = {
        many: await store({ title: "Many", page_data: many }),
        mirrored: await store({ title: "Many", page_data: { ...many, lang: "he" } }),
        few: await store({ title: "Few", page_data: { ...many, links: links.slice(0, 3) } }),
      };
      const looks = [
        [addresses.many, 1280, 2],
        [addresses.many, 360, 1],
        [addresses.mirrored, 1280, 2],
        [addresses.few, 1280, 1],
      ] as const;
      // The columns belong to the styles of all themes. Only paper has other ones, for few links.
      const isWhole = IS_LONG || theme === "paper";
      for (const [address, width, columns] of isWhole ? looks : looks.slice(0, 1)) {
        await open(address, { width });
        await expectNoSidewaysScrolling(page);
        const places = await page.evaluate<
          number[][]
        >(`[...document.querySelectorAll(".links li")].map((item) => {
          const { left, top } = item.getBoundingClientRect();
          return [Math.round(top), Math.round(left)];
        })`);
        expect(new Set(places.map(([, left]) => left)).size, `${address} ${width}`).toBe(columns);
        const side = address === addresses.mirrored ? -1 : 1;
        const inReadingOrder = places.toSorted(
          ([top = 0, left = 0], [otherTop = 0, otherLeft = 0]) => top - otherTop || side * (left - otherLeft),
        );
        expect(places).toEqual(inReadingOrder);
      }
    });

    test("has no slant or letter spacing in Arabic, whatever the language of the page", async () => {
      const links = [
        { label: "ورش العمل", type: "heading" as const },
        { label: "احجز ورشة عمل", url: "https://a.example/" },
      ];
      // The styles of Arabic texts belong to all themes. Each language is shown in every other theme.
      const isOdd = [...THEMES.keys()].indexOf(theme) % 2;
      for (const lang of IS_LONG ? ["ar", "en"] : [isOdd ? "en" : "ar"]) {
        const page_data = buildPageData({ theme, lang, links });
        await open(await store({ title: "ليلى حداد", description: "مصممة خطوط", page_data }));
        const styles = await page.evaluate(`[...document.querySelectorAll("bdi")].map((element) => {
          const { fontStyle, fontSynthesisStyle, letterSpacing } = getComputedStyle(element);
          return [fontStyle, fontSynthesisStyle, letterSpacing];
        })`);
        expect(styles).toEqual(Array(4).fill(["normal", "none", "normal"]));
      }
    });

    test("draws no ring, background or shadow around a transparent avatar", async () => {
      await open(
        await store({ title: "Logo", page_data: buildPageData({ theme, avatar_url: TRANSPARENT_AVATAR }) }),
      );
      const clip = { x: 0, y: 0, width: 360, height: 300 };
      expect(await page.evaluate("document.querySelector('.avatar').naturalWidth")).toBe(1);
      await page.evaluate("document.adoptedStyleSheets = [new CSSStyleSheet()]");
      const shootAvatar = async (visibility: string) => {
        await page.evaluate(
          `document.adoptedStyleSheets[0].replaceSync(".avatar { visibility: ${visibility} }")`,
        );
        return captureStill(page, clip);
      };
      // A picture taken while a busy Chromium still paints the page differs from a later one, so both are taken again.
      const takeBoth = async () => (await shootAvatar("hidden")) === (await shootAvatar("visible"));
      expect(await eventually(takeBoth, Boolean)).toBe(true);
    });
  });

  // The owner's button replaces the theme's. The long run tests all buttons in each theme.
  const themes = [...THEMES.keys()];
  const owned = BUTTONS.flatMap((button, index) =>
    themes.filter((_, place) => IS_LONG || place === index).map((theme) => ({ theme, button, index })),
  );
  test.each(owned)(
    "theme $theme is accessible with the owner's colours and $button buttons",
    async ({ theme, button, index }) => {
      const style = {
        button,
        ...[{ accent: "#ffe14d" }, { background: "#123" }, { text: "#767676", background: "#fff" }][index],
      };
      const data = buildPageData({ theme, style });
      delete data.avatar_url;
      await open(await store({ title: "Jane", page_data: data }));
      // The owner's styles do not change the document, which was checked above.
      await expectAccessibleLook(page);
      expect(errors).toEqual([]);
    },
  );

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
    const counts = await page.evaluate(`[document.x, ...["script", "style", "img", "a", "h1 bdi *"].map(
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

  test("the art of a right-to-left page is mirrored", async () => {
    const art = {
      ink: "[getComputedStyle(document.body, '::before').transform, getComputedStyle(document.querySelector('h1'), '::after').transform]",
      sunrise: "[getComputedStyle(document.body, '::after').transform]",
      mono: "[getComputedStyle(document.querySelector('.link:not(.strong)')).boxShadow, getComputedStyle(document.querySelector('.avatar')).filter]",
    };
    const expected = {
      ink: ["matrix(-1, 0, 0, 1, 0, 0)", "matrix(-1, 0, 0, 1, 0, 0)"],
      sunrise: ["matrix(-1, 0, 0, 1, 0, 0)"],
      mono: [expect.stringContaining(" -4px 4px 0px"), expect.stringContaining(" -4px 4px 0px")],
    };
    for (const theme of ["ink", "sunrise", "mono"] as const) {
      await open(await store({ title: "ليلى", page_data: buildPageData({ theme, lang: "ar" }) }));
      expect(await page.evaluate(art[theme])).toEqual(expected[theme]);
      await expectNoSidewaysScrolling(page);
      await open(await store({ title: "Layla", page_data: buildPageData({ theme }) }));
      expect(await page.evaluate(art[theme])).not.toEqual(expected[theme]);
    }
  });

  test("a title in another direction is aligned with the page's language", async () => {
    for (const [lang, side] of [
      ["ar", "right"],
      ["en", "left"],
    ]) {
      for (const title of ["Layla Haddad", "ليلى حداد"]) {
        await open(await store({ title, page_data: buildPageData({ theme: "ink", lang }) }));
        const edges = await page.evaluate<Record<string, number>>(`(() => {
          const { left, right } = document.querySelector("h1 bdi").getBoundingClientRect();
          return { left: Math.round(left), right: Math.round(innerWidth - right) };
        })()`);
        expect(edges[side as string], `${title} in ${lang}`).toBe(20);
      }
    }
  });

  test("the 404 error page is accessible", async () => {
    await open(`${env.BIO_URL}/no-such-page`, { width: 320 });
    expect(await page.textContent("h1")).toBe("Page not found");
    await expectAccessible(page);
    await expectNoSidewaysScrolling(page);
    await setLook({ dark: true, width: 320 });
    await expectAccessibleLook(page, undefined, COLOUR_RULES);
    expect(errors.splice(0).every((error) => error.includes("404"))).toBe(true);
  });
});

interface PaintedText {
  text: string;
  colour: string;
  /** Place and size of each line, in pixels of the document. */
  lines: [x: number, y: number, width: number, height: number][];
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

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the box around lines of text, in whole pixels. */
function findBox(lines: PaintedText["lines"]): Box {
  const x = Math.floor(Math.min(...lines.map(([left]) => left)));
  const y = Math.floor(Math.min(...lines.map(([, top]) => top)));
  const right = Math.ceil(Math.max(...lines.map(([left, , width]) => left + width)));
  const bottom = Math.ceil(Math.max(...lines.map(([, top, , height]) => top + height)));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Takes a screenshot of a part of a page. Returns it as base64, or null if Chromium refuses. Playwright compresses its
 * screenshots better, which takes twice the time.
 */
async function capture(page: Page, part: Box): Promise<string | null> {
  const session = await page.context().newCDPSession(page);
  const clip = { ...part, scale: 1 };
  // A picture of more than the window lays out the page again, twice.
  const captureBeyondViewport = part.y + part.height > (page.viewportSize()?.height ?? 0);
  const options = { format: "png", optimizeForSpeed: true, captureBeyondViewport, clip } as const;
  const shot = await session.send("Page.captureScreenshot", options).catch(() => null);
  await session.detach();
  return shot?.data ?? null;
}

/** Takes a screenshot of a part of a page that has come to rest: two in succession are the same. */
async function captureStill(page: Page, part: Box): Promise<string | null> {
  let last = await capture(page, part);
  return eventually(
    async () => {
      const before = last;
      last = await capture(page, part);
      return last === before ? last : null;
    },
    (shot) => shot !== null,
  );
}

/** Builds the script that returns the colours behind each text in a screenshot of a part of a page. */
function buildColourScript(png: string, texts: readonly PaintedText[], part: Box): string {
  return `(async (png, texts, part) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return texts.map(({ lines }) => {
      const colours = new Set();
      for (const line of lines) {
        const [x, y, width, height] = line.map(Math.round);
        const { data } = context.getImageData(x - part.x, y - part.y, width, height);
        let last;
        for (const pixel of new Uint32Array(data.buffer)) {
          if (pixel !== last) colours.add(pixel);
          last = pixel;
        }
      }
      // The lowest byte of a pixel is its red.
      return [...colours].map((pixel) => {
        const rgb = [pixel, pixel >> 8, pixel >> 16].map((channel) => channel & 255);
        return "#" + rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("");
      });
    });
  })(${JSON.stringify(png)}, ${JSON.stringify(texts)}, ${JSON.stringify(part)})`;
}
