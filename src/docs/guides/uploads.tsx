import { Code, Item, P } from "../text.tsx";
import type { Guide } from "./guide.ts";
import { LocalhostItem } from "./localhost-note.tsx";

export const uploads: Guide = {
  id: "uploads",
  title: "Uploading files",
  Body: ({ apiUrl, cdnUrl }) => (
    <>
      <P>
        Uploading a file takes three steps, and a fourth one publishes it on the CDN. First, describe the
        file:
      </P>
      <Code title="1. Presign">{`curl -X POST ${apiUrl}/v1/assets/presign \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"filename":"menu.pdf","mime_type":"application/pdf","file_size":48213}'`}</Code>
      <P>
        `data.upload` of the response describes the request that uploads the file. Its URL is signed: it is
        valid for 15 minutes, for exactly this size and type, and for one upload. It needs no API key, so you
        can pass it to a browser on any site.
      </P>
      <Code title="2. Upload, 3. confirm, 4. publish">{`curl -X PUT "$UPLOAD_URL" -H 'Content-Type: application/pdf' --data-binary @menu.pdf

curl -X POST ${apiUrl}/v1/assets/$ASSET_ID/confirm -H "Authorization: Bearer $KEY"
curl -X POST ${apiUrl}/v1/assets/$ASSET_ID/publish -H "Authorization: Bearer $KEY"`}</Code>
      <ul>
        <Item>
          `data.public_url` of the last response never changes and can be cached indefinitely. To replace a
          file, create a new asset.
        </Item>
        <Item>
          A file can have at most 100 MB (100,000,000 bytes). Larger requests are rejected before they reach
          Signpost.
        </Item>
        <Item>
          If several uploads arrive at the same time, exactly one is kept and returns 200. The others return
          409 `ASSET_ALREADY_UPLOADED`. If the response to an upload was lost and the next attempt returns
          this error, confirm the asset.
        </Item>
        <Item>
          An upload that is too short, too long, incomplete or of another type is discarded. An asset that is
          not confirmed within 24 hours is removed, and its storage is released.
        </Item>
        <Item>
          A published file contains exactly the bytes that were confirmed. The CDN supports HEAD, ETags and
          single ranges. HTML, SVG, XML and scripts are served as downloads only.
        </Item>
        <Item>
          Deleting an asset removes its file immediately. Browsers that have cached a published file keep
          their copy.
        </Item>
        <LocalhostItem url={cdnUrl} />
      </ul>
    </>
  ),
};
