import { DESIGN_DEFAULTS } from "../../qr/design.ts";
import { LEVELS } from "../../qr/matrix.ts";
import { CORNER_STYLES, DOT_STYLES } from "../../qr/shape.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const qrDesign: Guide = {
  id: "qr-design",
  title: "QR codes and their design",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Every link has a QR code: `GET /v1/links/{"{link_id}"}/qr`. `POST /v1/qr/generate` renders any other
        text, with an optional design:
      </P>
      <Code title="Shell">{`curl -X POST ${apiUrl}/v1/qr/generate \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -o qr.svg \\
  -d '{
    "content": "https://example.com/",
    "design": {"foreground_color": "#0b5d51", "dot_style": "rounded", "corner_style": "extra-rounded"}
  }'`}</Code>
      <P>
        The response body is the image. For SVG and PNG, `size` is the number of pixels per module, 1 to 50,
        or `width` the number of pixels of the whole image, 64 to 4,096. A PNG of a given width has a whole
        number of pixels per module; the rest widens the quiet zone evenly. For print, `"format": "pdf"`
        returns vectors on a page of `width_mm` millimetres, 10 to 1,000 (40 by default).
      </P>
      <Table
        head={["Member of `design`", "Values", "Default"]}
        rows={[
          ["`foreground_color`", "`#RGB` or `#RRGGBB`", DESIGN_DEFAULTS.foreground_color],
          [
            "`background_color`",
            "The same; the contrast ratio to the foreground must be at least 2",
            DESIGN_DEFAULTS.background_color,
          ],
          [
            "`corner_color`",
            "The same, for the finder patterns; near the foreground in brightness",
            "foreground",
          ],
          ["`error_correction`", LEVELS.join(", "), DESIGN_DEFAULTS.error_correction],
          ["`dot_style`", DOT_STYLES.join(", "), DESIGN_DEFAULTS.dot_style],
          ["`corner_style`", CORNER_STYLES.join(", "), DESIGN_DEFAULTS.corner_style],
          [
            "`logo_url`",
            "https URL, or `public_url` of an asset: PNG, JPEG, GIF or WebP of at most 1 MiB and 4,096 pixels per side",
            "none",
          ],
          [
            "`logo_size`",
            "0.1 to 0.4, share of the symbol's side; rounded to whole modules",
            String(DESIGN_DEFAULTS.logo_size),
          ],
          ["`quiet_zone`", "0 to 20 modules", String(DESIGN_DEFAULTS.quiet_zone)],
        ]}
      />
      <P>
        `POST /v1/qr/templates` saves a design. Name it as `template_id` when you get the QR code of a link. A
        template keeps only the members that you set. PATCH merges the design member by member, and `null`
        removes a member.
      </P>
      <h3>Codes that scan</h3>
      <ul>
        <Item>
          A logo covers modules, which error correction has to repair. Every Reed-Solomon block keeps 30 % of
          its repair capacity in reserve. If the logo takes more, the service raises the error correction
          level, then the version.
        </Item>
        <Item>
          `X-QR-Error-Correction` and `X-QR-Version` contain the level and the version that were used.
        </Item>
        <Item>
          `X-QR-Warning` lists properties that scanners may have trouble with: `low-contrast`,
          `light-on-dark`, `no-quiet-zone`. For templates, `meta.warnings` says the same in sentences. A
          contrast ratio under 3 is a warning; under 2, the request is rejected.
        </Item>
        <Item>
          Each data centre fetches a logo at most once an hour; a file of our CDN is read from storage. In a
          PNG or PDF, the file of a logo has at most 1,048,576 pixels; a JPEG in a PDF and any file in an SVG
          may have more. A WebP has at most 360,000 pixels.
        </Item>
        <Item>
          A PNG has at most 512 pixels for its logo. That limits `size` or `width`: to about 2,500 pixels per
          side for the default `logo_size` of 0.2, and to 1,300 for 0.4. For print, use SVG or PDF, which have
          no such limit.
        </Item>
      </ul>
    </>
  ),
};
