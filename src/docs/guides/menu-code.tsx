import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";

export const menuCode: Guide = {
  id: "menu-code",
  title: "A QR code for a menu that changes",
  Body: ({ apiUrl }) => (
    <>
      <P>
        A printed QR code contains the URL of a short link, and the link redirects to a published file. You
        can replace the file after printing the code, and every scan is counted. These commands publish
        `menu.pdf`, create the link and save its QR code:
      </P>
      <Code title="1. Publish the menu and create its QR code">{`# Prints the text of a field of a JSON response.
field() { sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }

# Publishes a PDF and prints its URL.
publish() {
  asset=$(curl -s ${apiUrl}/v1/assets/presign \\
    -H "Authorization: Bearer $KEY" \\
    -H 'Content-Type: application/json' \\
    -d "{\\"filename\\":\\"menu.pdf\\",\\"mime_type\\":\\"application/pdf\\",\\"file_size\\":$(wc -c < "$1")}")
  upload=$(printf '%s' "$asset" | field url)
  asset_id=$(printf '%s' "$asset" | field id)
  curl -s -X PUT "$upload" -H 'Content-Type: application/pdf' --data-binary "@$1"
  curl -s -X POST "${apiUrl}/v1/assets/$asset_id/confirm" -H "Authorization: Bearer $KEY" > /dev/null
  curl -s -X POST "${apiUrl}/v1/assets/$asset_id/publish" -H "Authorization: Bearer $KEY" | field public_url
}

LINK=$(curl -s ${apiUrl}/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"url\\":\\"$(publish menu.pdf)\\",\\"custom_slug\\":\\"menu\\"}")
LINK_ID=$(printf '%s' "$LINK" | field id)
curl -s "${apiUrl}/v1/links/$LINK_ID/qr" -H "Authorization: Bearer $KEY" -o menu-code.svg`}</Code>
      <P>
        Print `menu-code.svg`. When the menu changes, publish the new file and change the destination of the
        link:
      </P>
      <Code title="2. Replace the menu">{`curl -X PATCH "${apiUrl}/v1/links/$LINK_ID" \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"url\\":\\"$(publish new-menu.pdf)\\"}"`}</Code>
      <ul>
        <Item>
          The printed QR code stays the same. Browsers do not cache its redirect, so every scan opens the new
          file within 35 seconds.
        </Item>
        <Item>
          `scan_count` of the link is the number of scans. `GET /v1/analytics/timeseries?link_id=…` returns
          them by day.
        </Item>
        <Item>
          In the same way, a link can redirect to a published bio page, and its `routing_rules` can redirect
          to files in other languages.
        </Item>
      </ul>
    </>
  ),
};
