import type { FC } from "hono/jsx";
import { Code, P } from "../text.tsx";
import type { GuideProps } from "./guide.ts";

/** Returns true if the host of a URL ends with `.localhost`, as in a local deployment. */
function isBelowLocalhost(url: string): boolean {
  return new URL(url).hostname.endsWith(".localhost");
}

/**
 * Section about tools that don't resolve hosts below `localhost` (RFC 6761, section 6.3). Renders nothing for
 * other deployments.
 */
export const LocalhostNote: FC<Pick<GuideProps, "bioUrl" | "cdnUrl">> = ({ bioUrl, cdnUrl }) => {
  if (!isBelowLocalhost(bioUrl)) return null;
  const [bio, cdn] = [new URL(bioUrl), new URL(cdnUrl)];
  const port = bio.port === "" ? "" : `:${bio.port}`;
  return (
    <>
      <h3 id="localhost-names">Names below localhost</h3>
      <P>
        Browsers and curl resolve `{bio.hostname}` and `{cdn.hostname}` themselves. Node.js, Python, wget and
        other tools ask the operating system, which may not resolve these names. With such a tool, request
        `localhost` and send the name in the header `Host`:
      </P>
      <Code title="wget">{`wget -qO - --header 'Host: ${bio.host}' http://localhost${port}/jane-doe`}</Code>
      <P>
        The `fetch` of Node.js ignores a `Host` header. A line in `/etc/hosts` works for every tool:
        `127.0.0.1 {bio.hostname} {cdn.hostname}`.
      </P>
    </>
  );
};

/** List item that links to {@link LocalhostNote}. Renders nothing for other deployments. */
export const LocalhostItem: FC<{ url: string }> = ({ url }) =>
  isBelowLocalhost(url) ? (
    <li>
      Not every tool resolves <code>{new URL(url).hostname}</code>; see{" "}
      <a href="#localhost-names">Names below localhost</a>.
    </li>
  ) : null;
