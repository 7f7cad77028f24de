import { describe, expect, test } from "vitest";
import { formatLiteral, JAVASCRIPT_LITERALS, PYTHON_LITERALS } from "../../src/docs/literals.ts";
import { type ExampleRequest, LANGUAGES } from "../../src/docs/request-code.ts";

const LIST: ExampleRequest = {
  method: "GET",
  url: "http://localhost:8787/v1/links",
  hasKey: true,
  mediaType: null,
  upload: null,
  download: null,
  printed: "data",
};
const CREATE: ExampleRequest = {
  ...LIST,
  method: "POST",
  mediaType: "application/json",
  json: { url: "https://example.com/sale", note: "Jane's", labels: ["print", "2027"], expires_at: null },
};
const UPLOAD: ExampleRequest = {
  ...LIST,
  method: "PUT",
  url: "http://localhost:8787/uploads/w/a?size=3",
  hasKey: false,
  mediaType: "application/pdf",
  upload: "menu.pdf",
  printed: "none",
};
const DOWNLOAD: ExampleRequest = {
  ...LIST,
  url: `${LIST.url}/export`,
  download: "export.csv",
  printed: "none",
};
const HEALTH: ExampleRequest = {
  ...LIST,
  url: "http://localhost:8787/healthz",
  hasKey: false,
  printed: "all",
};

const [curl, javascript, python] = LANGUAGES.map(({ format }) => format) as [
  (request: ExampleRequest) => string,
  (request: ExampleRequest) => string,
  (request: ExampleRequest) => string,
];

describe("curl", () => {
  test.each<[string, ExampleRequest, string]>([
    [
      "a list",
      LIST,
      `curl http://localhost:8787/v1/links \\
  -H "Authorization: Bearer $KEY"`,
    ],
    [
      "a body with a single quote",
      CREATE,
      `curl -X POST http://localhost:8787/v1/links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "url": "https://example.com/sale",
    "note": "Jane'\\''s",
    "labels": [
      "print",
      "2027"
    ],
    "expires_at": null
  }'`,
    ],
    [
      "an upload",
      UPLOAD,
      `curl -X PUT 'http://localhost:8787/uploads/w/a?size=3' \\
  -H 'Content-Type: application/pdf' \\
  --data-binary @menu.pdf`,
    ],
    [
      "a download",
      DOWNLOAD,
      `curl http://localhost:8787/v1/links/export \\
  -H "Authorization: Bearer $KEY" \\
  -OJ`,
    ],
    ["a request without a key", HEALTH, "curl http://localhost:8787/healthz"],
  ])("%s", (_, request, code) => {
    expect(curl(request)).toBe(code);
  });
});

describe("JavaScript", () => {
  test.each<[string, ExampleRequest, string]>([
    [
      "a list",
      LIST,
      `const response = await fetch("http://localhost:8787/v1/links", {
  headers: { Authorization: \`Bearer \${process.env.KEY}\` },
});
if (!response.ok) throw new Error(await response.text());
const { data } = await response.json();
console.log(data);`,
    ],
    [
      "a body",
      CREATE,
      `const response = await fetch("http://localhost:8787/v1/links", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.KEY}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    url: "https://example.com/sale",
    note: "Jane's",
    labels: ["print", "2027"],
    expires_at: null,
  }),
});
if (!response.ok) throw new Error(await response.text());
const { data } = await response.json();
console.log(data);`,
    ],
    [
      "an upload",
      UPLOAD,
      `import { readFile } from "node:fs/promises";

const response = await fetch("http://localhost:8787/uploads/w/a?size=3", {
  method: "PUT",
  headers: { "Content-Type": "application/pdf" },
  body: await readFile("menu.pdf"),
});
if (!response.ok) throw new Error(await response.text());`,
    ],
    [
      "a download",
      DOWNLOAD,
      `import { writeFile } from "node:fs/promises";

const response = await fetch("http://localhost:8787/v1/links/export", {
  headers: { Authorization: \`Bearer \${process.env.KEY}\` },
});
if (!response.ok) throw new Error(await response.text());
await writeFile("export.csv", response.body);`,
    ],
    [
      "a request without a key",
      HEALTH,
      `const response = await fetch("http://localhost:8787/healthz");
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
    ],
  ])("%s", (_, request, code) => {
    expect(javascript(request)).toBe(code);
  });
});

describe("Python", () => {
  test.each<[string, ExampleRequest, string]>([
    [
      "a list",
      LIST,
      `import os

import requests

response = requests.get(
    "http://localhost:8787/v1/links",
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)
if not response.ok:
    raise RuntimeError(response.text)
print(response.json()["data"])`,
    ],
    [
      "a body",
      CREATE,
      `import os

import requests

response = requests.post(
    "http://localhost:8787/v1/links",
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    json={
        "url": "https://example.com/sale",
        "note": "Jane's",
        "labels": ["print", "2027"],
        "expires_at": None,
    },
    timeout=30,
)
if not response.ok:
    raise RuntimeError(response.text)
print(response.json()["data"])`,
    ],
    [
      "an upload",
      UPLOAD,
      `from pathlib import Path

import requests

response = requests.put(
    "http://localhost:8787/uploads/w/a?size=3",
    headers={"Content-Type": "application/pdf"},
    data=Path("menu.pdf").read_bytes(),
    timeout=30,
)
if not response.ok:
    raise RuntimeError(response.text)`,
    ],
    [
      "a download",
      DOWNLOAD,
      `import os
from pathlib import Path

import requests

response = requests.get(
    "http://localhost:8787/v1/links/export",
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)
if not response.ok:
    raise RuntimeError(response.text)
Path("export.csv").write_bytes(response.content)`,
    ],
    [
      "a request without a key",
      HEALTH,
      `import requests

response = requests.get(
    "http://localhost:8787/healthz",
    timeout=30,
)
if not response.ok:
    raise RuntimeError(response.text)
print(response.json())`,
    ],
  ])("%s", (_, request, code) => {
    expect(python(request)).toBe(code);
  });
});

describe("formatLiteral", () => {
  test.each<[unknown, string, string]>([
    [{}, "{}", "{}"],
    [[], "[]", "[]"],
    [{ a: true, "b-c": null }, '{ a: true, "b-c": null }', '{"a": True, "b-c": None}'],
    [[1.5, -2, 'say "hi"'], '[1.5, -2, "say \\"hi\\""]', '[1.5, -2, "say \\"hi\\""]'],
    ["Malmö\n\u0000", '"Malmö\\n\\u0000"', '"Malmö\\n\\u0000"'],
    [
      { items: [{ label: "A".repeat(40), isOpen: false }] },
      `{\n  items: [\n    {\n      label: "${"A".repeat(40)}",\n      isOpen: false,\n    },\n  ],\n}`,
      `{\n    "items": [\n        {\n            "label": "${"A".repeat(40)}",\n            "isOpen": False,\n        },\n    ],\n}`,
    ],
  ])("%j", (value, asJavaScript, asPython) => {
    expect(formatLiteral(value, JAVASCRIPT_LITERALS)).toBe(asJavaScript);
    expect(formatLiteral(value, PYTHON_LITERALS)).toBe(asPython);
  });
});
