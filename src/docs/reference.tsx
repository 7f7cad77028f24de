import type { FC } from "hono/jsx";
import type { Operation as ApiOperation } from "../http/operation.ts";
import type { JsonSchema } from "../openapi/json-schema.ts";
import type { OpenApiDocument, ResponseObject } from "../openapi/objects.ts";
import type { OperationEntry } from "./example-request.ts";
import { Fields } from "./fields.tsx";
import type { Addresses } from "./guides/guide.ts";
import { GUIDES } from "./guides.tsx";
import { Method, Operation } from "./operation.tsx";
import { Code, Paragraphs, Text } from "./text.tsx";

const DESCRIPTION =
  "Reference and guides of the Signpost API: short links with routing rules, QR codes, link-in-bio pages, files, scan analytics and signed webhooks. Examples in curl, JavaScript and Python.";

interface PageProps {
  document: OpenApiDocument;
  operations: readonly ApiOperation[];
  style: string;
  script: string;
  addresses: Addresses;
}

/** Reference page with guides, operations and events. */
export const Page: FC<PageProps> = ({ document, operations, style, script, addresses }) => {
  const { info, tags, paths, webhooks } = document;
  const { apiUrl } = addresses;
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): OperationEntry => ({ method, path, operation })),
  );
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined
      ? schema
      : { ...document.components.schemas[getComponentName(schema.$ref)], ...omitReference(schema) };
  const resolveResponse = (response: ResponseObject): ResponseObject =>
    response.$ref === undefined
      ? response
      : (document.components.responses[getComponentName(response.$ref)] ?? {});
  const groups = tags
    .map((tag) => ({ ...tag, entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter((group) => group.entries.length > 0);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{info.title}</title>
        <meta name="description" content={DESCRIPTION} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header>
          <a class="brand" href="#top">
            <Mark /> Signpost <small>API</small>
          </a>
          <label class="key">
            <span>API key</span>
            <input id="key" type="password" placeholder="svc_pk_…" autocomplete="off" spellcheck={false} />
          </label>
          <a class="document" href="/openapi.json">
            openapi.json
          </a>
        </header>
        <ReplaceKeyDialog />
        <nav aria-label="Contents">
          <div class="search">
            <input
              id="filter"
              type="search"
              placeholder="Filter by name, field or error"
              aria-label="Filter by name, field or error code"
              aria-keyshortcuts="/"
              autocomplete="off"
              spellcheck={false}
            />
            <p id="filter-result" role="status" />
          </div>
          <h2>Guides</h2>
          <ul>
            {GUIDES.map(({ id, title }) => (
              <li>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
          {groups.map((group) => (
            <>
              <h2>{group.name}</h2>
              <ul>
                {group.entries.map(({ method, operation }) => (
                  <li>
                    <a href={`#${operation.operationId}`}>
                      <Method name={method} /> <span class="summary">{operation.summary}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </>
          ))}
          {Object.keys(webhooks).length > 0 && (
            <>
              <h2>Events</h2>
              <ul>
                {Object.keys(webhooks).map((type) => (
                  <li>
                    <a href={`#event-${type}`}>{type}</a>
                  </li>
                ))}
              </ul>
            </>
          )}
        </nav>
        <main id="main">
          <section class="intro" id="top">
            <h1>{info.title}</h1>
            <p class="base">
              <span>Base URL</span> <code>{apiUrl}</code>
            </p>
            <Paragraphs>{info.description}</Paragraphs>
          </section>
          {GUIDES.map(({ id, title, Body }) => (
            <section class="guide" id={id}>
              <h2>{title}</h2>
              <Body {...addresses} operations={operations} />
            </section>
          ))}
          {groups.map((group) => (
            <section class="group">
              <h2>{group.name}</h2>
              <p>
                <Text>{group.description}</Text>
              </p>
              {group.entries.map((entry) => (
                <Operation {...entry} apiUrl={apiUrl} resolve={resolve} resolveResponse={resolveResponse} />
              ))}
            </section>
          ))}
          <section class="group">
            {Object.entries(webhooks).map(([type, { post }], index) => (
              <>
                {index === 0 && <h2>Events</h2>}
                <section class="operation" id={`event-${type}`}>
                  <div class="about">
                    <h3>
                      <a href={`#event-${type}`}>{type}</a>
                    </h3>
                    <Fields
                      schema={post?.requestBody?.content["application/json"]?.schema ?? {}}
                      resolve={resolve}
                    />
                  </div>
                  <div class="examples">
                    <Code title="Body">
                      {JSON.stringify(post?.requestBody?.content["application/json"]?.example, null, 2)}
                    </Code>
                  </div>
                </section>
              </>
            ))}
          </section>
        </main>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
};

const Mark: FC = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <path d="M11 2h2v20h-2z" />
    <path d="M4 4h13l3 3-3 3H4z" class="sign" />
    <path d="M20 11H8l-3 3 3 3h12z" class="sign faint" />
  </svg>
);

/** Returns the name of the component that a `$ref` refers to. */
function getComponentName(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

function omitReference({ $ref: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/**
 * Dialog that asks whether to replace the stored API key with the key in the URL. Opened by
 * `requests.client.js`.
 */
function ReplaceKeyDialog() {
  return (
    <dialog id="replace-key" aria-labelledby="replace-key-title">
      <form method="dialog">
        <h2 id="replace-key-title">Replace the API key?</h2>
        <p>
          This tab uses the key <code />. The URL you opened contains the key <code />. Only use it if you
          trust the source of this URL.
        </p>
        <button type="submit" value="keep">
          Keep key
        </button>
        <button type="submit" value="replace">
          Replace key
        </button>
      </form>
    </dialog>
  );
}
