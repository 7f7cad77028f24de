import { type Mutant, mutate } from "./tool/mutant.ts";

const PAGES = "test/unit/pages.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/pages/plate.ts",
    PAGES,
    ['  "\'": "&#39;",', ""],
    ["[&<>\"']/g", "[&<>\"']/"],
    ["[&<>\"']/g", '[&<>"]/g'],
    ['"&": "&amp;"', '"&": "&"'],
    ["const css = CSS + extraCss;", "const css = CSS;"],
    ["<style>${css}</style>", "<style>${CSS}</style>"],
    ['<meta name="robots" content="noindex">', ""],
    ['digest("SHA-256"', 'digest("SHA-512"'],
    ["style-src 'sha256-", "style-src 'unsafe-inline' 'sha256-"],
  ),
  ...mutate(
    "src/pages/error-document.ts",
    PAGES,
    ["const plainName = escapeHtml(name);", "const plainName = name;"],
    ["escapeHtml(template).replaceAll", "template.replaceAll"],
    ['.replaceAll("{name}", () => filling)', '.replace("{name}", () => filling)'],
    ['"{name}", () => filling', '"{name}", filling'],
    ["title: fill(title, plainName)", "title: fill(title, isolatedName)"],
    ["<bdi>${plainName}</bdi>", "${plainName}"],
  ),
  ...mutate(
    "src/pages/password-document.ts",
    PAGES,
    ["const attributes = isWrong ?", "const attributes = !isWrong ?"],
    ['    isWrong ? WRONG : ""', '    ""'],
    ["title: isWrong ? `Incorrect", "title: !isWrong ? `Incorrect"],
    [' role="alert"', ""],
    ['name="password" type="password"', 'name="password" type="text"'],
  ),
  ...mutate(
    "src/pages/preview-document.ts",
    PAGES,
    ["content === null ? []", 'content === null && name !== "og:title" ? []'],
    ["${escapeHtml(content)}", "${content}"],
    ["escapeHtml(title ?? address)", "title ?? address"],
    ["escapeHtml(title ?? address)", 'escapeHtml(title ?? "")'],
    ['imageUrl === null ? "summary"', 'imageUrl !== null ? "summary"'],
    ["<p>${escapeHtml(description)}</p>", "<p>${description}</p>"],
    ['["property", "og:url", address],', ""],
    ['["name", "description", description],', '["name", "description", title],'],
    ['<meta name="robots" content="noindex">', ""],
  ),
  ...mutate(
    "src/dashboard-host/preview-frame.ts",
    "test/worker/dashboard.test.ts",
    ["MAX_AGE_S = 3_600;", "MAX_AGE_S = 3_601;"],
    ["MAX_AGE_S = 3_600;", "MAX_AGE_S = 3_599;"],
  ),
];
