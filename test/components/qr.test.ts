import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** QR studio with the service's code, and its preview compared with the service's output. */

/** Designs as stored in the URL and as accepted by the API. */
const DESIGNS: [address: string, design: Record<string, unknown>][] = [
  ["plain", {}],
  ["q0_drounded_krounded", { quiet_zone: 0, dot_style: "rounded", corner_style: "rounded" }],
  [
    "ddots_kdot_q4_f3346d3",
    { dot_style: "dots", corner_style: "dot", quiet_zone: 4, foreground_color: "#3346d3" },
  ],
  [
    "dclassy_kextra-rounded_eH",
    { dot_style: "classy", corner_style: "extra-rounded", error_correction: "H" },
  ],
  [
    "dclassy-rounded_c0a5f8a_f17324d",
    { dot_style: "classy-rounded", corner_color: "#0a5f8a", foreground_color: "#17324d" },
  ],
  [
    "dextra-rounded_bfff7e0_eL_q20",
    { dot_style: "extra-rounded", background_color: "#fff7e0", error_correction: "L", quiet_zone: 20 },
  ],
];
// The text of the frame has separators of the URL's parameter, and characters that XML escapes.
const FRAME = { style: "balloon", text: "Scan_me <&> 100%", color: "#0b5d51" };
DESIGNS.push(["rballoon.0b5d51.Scan%5Fme%20%3C%26%3E%20100%25_q2", { quiet_zone: 2, frame: FRAME }]);
const TEXTS = ["https://go.example.com/summer", "12345678", "Grüße aus Zürich 🎉", "x".repeat(700)];

describe("the QR studio", () => {
  const dashboard = useDashboard();
  const { open, toast } = dashboard;

  /** URL of the studio. */
  const studio = (parameters: Record<string, string>) => `/qr?${new URLSearchParams(parameters)}`;

  /** Reads the file behind the preview: its download has the image's URL. */
  async function readPreview(): Promise<string> {
    const file = page.getByRole("link", { name: "SVG", exact: true });
    const shown = await page.getByRole("img", { name: /^QR code of/ }).getAttribute("src");
    expect(await file.getAttribute("href")).toBe(shown);
    await file.click();
    return (await page.waitForDownload()).text();
  }

  async function renderByService(content: string, design: Record<string, unknown>): Promise<string> {
    const body = { content, design };
    const { data } = await dashboard.service.client.POST("/v1/qr/generate", { body, parseAs: "text" });
    return data as unknown as string;
  }

  test("an unsaved design is kept when the screen is left", async () => {
    const design = () => new URL(page.url()).searchParams.get("design");
    await open(studio({ design: "dclassy_q4" }));
    await dashboard.goto("/links");
    await open("/qr");
    await expect.poll(design).toBe("dclassy_q4");
    await dashboard.goto("/links");
    await open(studio({ design: "plain" }));
    expect(design()).toBe("plain");
  });

  test("a step is undone and redone by two keys within one frame", async () => {
    const design = () => new URL(page.url()).searchParams.get("design");
    await open(studio({ design: "plain" }));
    await page.getByRole("button", { name: "Forest" }).click();
    await expect.poll(design).toMatch(/^f0b4a3c_/);
    // Preact renders as soon as a key was pressed, but runs effects later.
    const undone = page.keyboard.press("Control+z");
    await Promise.resolve();
    await page.keyboard.press("Control+Shift+z");
    await undone;
    await expect
      .poll(() => page.getByRole("button", { name: "Forest" }).getAttribute("aria-pressed"))
      .toBe("true");
    await page.keyboard.press("Control+z");
    await expect.poll(design).toBe("plain");
  });

  test("an empty workspace shows an example", async () => {
    await open("/qr");
    await page.getByRole("img", { name: "QR code of https://example.com/" }).waitFor();
    await page.getByText("You have no links yet").waitFor();
  });

  test("the preview is byte for byte the SVG of the service", async () => {
    for (const [index, [address, design]] of DESIGNS.entries()) {
      const text = TEXTS[index % TEXTS.length] ?? "";
      await open(studio({ source: "text", text, design: address }));
      await page.getByRole("img", { name: /^QR code of/ }).waitFor();
      expect(await readPreview(), address).toBe(await renderByService(text, design));
    }
  });

  test("the code of a link is compact, byte for byte as the service draws it, unless that is switched off", async () => {
    const { client } = dashboard.service;
    const { data } = await client.POST("/v1/links", {
      body: { url: "https://example.com/", custom_slug: "Compact" },
    });
    const link_id = data?.data.id ?? "";
    const read = async (compact: boolean) =>
      (
        await client.GET("/v1/links/{link_id}/qr", {
          params: { path: { link_id }, query: { compact } },
          parseAs: "text",
        })
      ).data;
    await open(studio({ link: link_id, design: "plain" }));
    await page.getByRole("img", { name: `QR code of ${data?.data.short_url}` }).waitFor();
    expect(await readPreview()).toBe(await read(true));
    await page.getByRole("switch", { name: "Compact code" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("design")).toBe("u0");
    expect(await readPreview()).toBe(await read(false));
  });

  test("a code is downloaded as PNG and PDF in the chosen size", async () => {
    await open(studio({ source: "text", text: "poster" }));
    for (const [format, size, name, start] of [
      ["PNG", "1,024 pixels", /-1024\.png$/, "\x89PNG"],
      ["PDF", "4 cm", /-40mm\.pdf$/, "%PDF"],
    ] as const) {
      await page.getByRole("button", { name: format, exact: true }).click();
      await page.getByRole("menuitem", { name: size, exact: true }).click();
      const file = await page.waitForDownload();
      expect(file.name).toMatch(name);
      expect(Buffer.from(await file.bytes()).toString("latin1", 0, 4)).toBe(start);
    }
  });

  test("a label becomes a sheet in five clicks, and an archive in a few more", async () => {
    const { client } = dashboard.service;
    for (const title of ["Bar", "Hall"]) {
      const body = { url: "https://example.com/", custom_slug: `room-${title}`, title, labels: ["print"] };
      await client.POST("/v1/links", { body });
    }
    await open("/");
    await page.getByRole("link", { name: "QR studio" }).click();
    await page.getByRole("tab", { name: "Many codes" }).click();
    // In a browser, a click opens the list and another chooses the label.
    const label = page.getByRole("combobox", { name: "Label" });
    await label.fill("print");
    await label.press("Enter");
    await page.getByRole("button", { name: "Create PDF" }).click();
    const pdf = Buffer.from(await (await page.waitForDownload()).bytes()).toString("latin1");
    expect(pdf).toMatch(/^%PDF-1\.4[\s\S]*\/Count 1 [\s\S]*%%EOF\n$/);

    await page.getByRole("radio", { name: "Files" }).check();
    await page.getByRole("textbox", { name: "File names" }).fill("{n} {title}");
    await page.getByRole("button", { name: "Create ZIP" }).click();
    const files = unzipSync(await (await page.waitForDownload()).bytes());
    expect(Object.keys(files)).toEqual(["1 Hall.svg", "2 Bar.svg"]);
    expect(new TextDecoder().decode(files["1 Hall.svg"])).toMatch(/\/room-hall<\/title>/i);
  });

  test("a link keeps its template: the studio and the link's page show it, until it is deleted", async () => {
    const { client } = dashboard.service;
    const template = { name: "Orange", design: { background_color: "#ffeecc" } };
    const { data: created } = await client.POST("/v1/qr/templates", { body: template });
    const body = { url: "https://example.com/", custom_slug: "with-template" };
    const { data } = await client.POST("/v1/links", { body });
    const link_id = data?.data.id ?? "";
    await open(studio({ link: link_id }));
    await page.getByRole("combobox", { name: "Template of this link" }).selectOption("Orange");
    const chosen = () => new URL(page.url()).searchParams.get("template");
    await expect.poll(chosen).toBe(created?.data.id);
    const { data: read } = await client.GET("/v1/links/{link_id}", { params: { path: { link_id } } });
    expect(read?.data.qr_template_id).toBe(created?.data.id);

    const readPicture = async () => {
      await dashboard.goto("/overview");
      await open(`/links/${link_id}`);
      const picture = page.getByRole("img", { name: `QR code of ${data?.data.short_url}` });
      await picture.waitFor();
      return decodeURIComponent((await picture.getAttribute("src")) ?? "");
    };
    expect(await readPicture()).toContain('<path fill="#ffeecc"');
    const params = { path: { template_id: created?.data.id ?? "" } };
    await client.DELETE("/v1/qr/templates/{template_id}", { params });
    expect(await readPicture()).toContain('<path fill="#ffffff"');
  });

  test("content is kept when the studio is left", async () => {
    await open(studio({ source: "text", text: "kept" }));
    await page.getByRole("img", { name: "QR code of kept" }).waitFor();
    await dashboard.goto("/links");
    await open("/qr");
    await page.getByRole("img", { name: "QR code of kept" }).waitFor();
  });

  test("a form encodes a Wi-Fi login, whose password stays out of the URL", async () => {
    await open("/qr");
    await page.getByRole("radio", { name: "Wi-Fi" }).check();
    await page.getByRole("img", { name: "QR code placeholder" }).waitFor();
    await page.getByRole("textbox", { name: "Network name" }).fill("Guests");
    await page.getByRole("textbox", { name: "Password" }).fill("a;b");
    await page.getByRole("img", { name: "QR code of WIFI:T:WPA;S:Guests;P:a\\;b;;" }).waitFor();
    const { client } = dashboard.service;
    const content = { type: "wifi", ssid: "Guests", password: "a;b" } as const;
    await open("/qr?source=wifi&design=plain");
    const { data } = await client.POST("/v1/qr/generate", { body: { content }, parseAs: "text" });
    expect(await readPreview()).toBe(data);
    expect(page.url()).not.toContain("Guests");
    await page.getByRole("radio", { name: "Phone" }).check();
    await page.getByRole("textbox", { name: "Phone number" }).fill("call me");
    await page.getByText("Must be a phone number").waitFor();
  });

  test("a CSV file has its own codes, and a problem says what to change", async () => {
    await open("/qr?view=many&codes=csv");
    const buffer = "content,room\nhttps://example.com/1,A\n";
    const file = { name: "rooms.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("rooms.csv").waitFor();
    await page.getByRole("textbox", { name: "Caption" }).fill("{floor}");
    await page.getByRole("button", { name: "Create PDF" }).click();
    await page.getByText("{floor} is unknown").waitFor();
    await page.getByRole("textbox", { name: "Caption" }).fill("{room}");
    await page.getByRole("button", { name: "Create PDF" }).click();
    expect((await page.waitForDownload()).name).toBe("qr-codes.pdf");
  });

  test("a template is changed, renamed and deleted, and the deletion can be undone", async () => {
    await dashboard.service.client.POST("/v1/qr/templates", { body: { name: "Posters", design: {} } });
    const template = page.getByRole("button", { name: "Posters", exact: true });
    await open("/qr");
    await template.click();
    await page.getByRole("radio", { name: "Circle" }).check();
    await page.getByRole("button", { name: "Save to “Posters”" }).click();
    await toast("“Posters” updated").waitFor();
    await expect
      .poll(
        async () =>
          (await dashboard.service.client.GET("/v1/qr/templates")).data?.data[0]?.design.corner_style,
      )
      .toBe("dot");
    await page.getByRole("button", { name: "Actions for Posters" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Big posters");
    await page.getByRole("button", { name: "Rename" }).click();
    const renamed = page.getByRole("button", { name: "Big posters", exact: true });
    await renamed.waitFor();
    await page.getByRole("button", { name: "Actions for Big posters" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await renamed.waitFor({ state: "detached" });
    await toast(" deleted").getByRole("button", { name: "Undo" }).click();
    await renamed.waitFor();
    expect(await renamed.getAttribute("aria-pressed")).toBe("true");
  });
});
