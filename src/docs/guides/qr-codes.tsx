import { DESIGN_DEFAULTS } from "../../qr/design.ts";
import { FRAME_STYLES, FRAME_TEXT_MAX_LENGTH, FRAMED_QUIET_ZONE_MIN } from "../../qr/frame-style.ts";
import { LEVELS } from "../../qr/matrix.ts";
import { CORNER_STYLES, DOT_STYLES } from "../../qr/shape.ts";
import { Code, Item, P, Table } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const qrDesign: Guide = {
  id: "qr-design",
  title: "QR code design",
  Body: ({ apiUrl }) => (
    <>
      <P>
        Every link has a QR code: `GET /v1/links/{"{link_id}"}/qr`. To create a QR code for any other text,
        use `POST /v1/qr/generate`, with an optional design:
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
        The response body is the image. For SVG and PNG, set either `size`, the number of pixels per module (1
        to 50), or `width`, the width of the image in pixels (64 to 4,096). With `width`, each module of a PNG
        has a whole number of pixels, and the remaining pixels widen the quiet zone evenly. For print,
        `"format": "pdf"` returns vector graphics on a page that is `width_mm` millimetres wide, 10 to 1,000
        (default: 40).
      </P>
      <Table
        head={["Field of `design`", "Values", "Default"]}
        rows={[
          ["`foreground_color`", "`#RGB` or `#RRGGBB`", DESIGN_DEFAULTS.foreground_color],
          [
            "`background_color`",
            "Same format; the contrast ratio to the foreground must be at least 2",
            DESIGN_DEFAULTS.background_color,
          ],
          [
            "`corner_color`",
            "Same format, for the finder patterns; must be close to the foreground in brightness",
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
            "0.1 to 0.4 of the symbol's width; rounded to whole modules",
            String(DESIGN_DEFAULTS.logo_size),
          ],
          ["`quiet_zone`", "0 to 20 modules", String(DESIGN_DEFAULTS.quiet_zone)],
          ["`compact`", "true or false; only for codes of links", String(DESIGN_DEFAULTS.compact)],
          ["`frame`", `\`style\` (${FRAME_STYLES.join(", ")}), \`text\` and \`color\``, "none"],
        ]}
      />
      <P>
        A frame adds a call to action, such as `{'{"style": "label-below", "text": "Scan me"}'}`. The text has
        at most {String(FRAME_TEXT_MAX_LENGTH)} characters and is drawn as outlines, so that it looks the same
        everywhere. Latin, Greek and Cyrillic letters, digits and punctuation are available. Any other
        character is rejected and named in the error. The quiet zone inside a frame is at least{" "}
        {String(FRAMED_QUIET_ZONE_MIN)} modules wide, and the size of the image includes the frame. When you
        get the QR code of a link, `frame_style`, `frame_text` and `frame_color` replace the frame of its
        template.
      </P>
      <P>
        `content` is a text, or an object that is written in the format that phones understand. Its `type` is
        `wifi`, `vcard`, `email`, `phone`, `sms`, `place` or `event`:
      </P>
      <Code title="JSON">{`{"content": {"type": "wifi", "ssid": "Guests", "password": "welcome"}}
{"content": {"type": "vcard", "first_name": "Ada", "last_name": "Lovelace", "phone": "+44 20 7946 0000"}}
{"content": {"type": "event", "title": "Opening", "start": "2026-12-24T18:00:00+01:00"}}`}</Code>
      <P>
        A compact code contains the short URL in upper case, such as `HTTPS://GO.EXAMPLE.COM/AB12CD3`, which
        takes fewer modules and opens the same link. If the short code has no lower-case letter, a trailing
        slash is added. Set `compact` in the design, or `?compact=true` when you get the QR code of a link.
        The dashboard and `signpost qr` draw compact codes unless you turn that off.
      </P>
      <P>
        PDF files contain CMYK colours only, and black is pure K. Other colours are converted without a
        profile: K = 1 − max(R, G, B), and C = (1 − R − K) / (1 − K), likewise M and Y.
      </P>
      <P>
        `POST /v1/qr/templates` saves a design as a template. To use it for a link, set `qr_template_id` of
        the link, and its code has the design everywhere. If you delete the template later, the code has the
        default design. For one image, set `template_id` when you get the QR code. A template contains only
        the fields that you set. PATCH changes only the fields in the request, and `null` removes a field.
      </P>
      <h3>Make sure that codes scan</h3>
      <ul>
        <Item>
          A logo covers modules, which error correction must recover. 30% of the correction capacity of every
          Reed-Solomon block is kept in reserve. If the logo needs more, the error correction level is raised,
          then the version.
        </Item>
        <Item>
          The headers `X-QR-Error-Correction` and `X-QR-Version` contain the level and version that were used.
        </Item>
        <Item>
          The header `X-QR-Warning` lists properties that some scanners have trouble with: `low-contrast`,
          `light-on-dark` and `no-quiet-zone`. For templates, `meta.warnings` describes them. A contrast ratio
          below 3 causes a warning; below 2, the request is rejected. `low-contrast-frame` means that people
          may not see the frame. `only-this-machine` and `private-network` mean that the code scans, but
          phones elsewhere can't open its URL.
        </Item>
        <Item>
          Each data centre fetches a logo at most once an hour; the logo can also be a published file of
          Signpost, which is read from storage. A WebP logo can have at most 360,000 pixels. In a PNG or PDF,
          other logos can have at most 1,048,576 pixels, except a JPEG in a PDF, which can have more.
        </Item>
        <Item>
          In a PNG, the logo can be at most 512 pixels wide. That limits the image to about 2,500 pixels per
          side for the default `logo_size` of 0.2, and to 1,300 for 0.4. For print, use SVG or PDF, which have
          no such limit.
        </Item>
      </ul>
    </>
  ),
};
