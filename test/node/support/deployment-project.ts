import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../../..");

/**
 * Creates a folder with the project's wrangler.toml, with other hosts, a small Worker and two migrations.
 * Returns the path of wrangler.toml.
 */
export function createProject(edit: (toml: string) => string = (toml) => toml): string {
  const folder = mkdtempSync(join(tmpdir(), "signpost-deployment-"));
  const classes = [...readProjectConfig().matchAll(/^class_name = "(\w+)"$/gm)].map(([, name = ""]) => name);
  const exported = [...new Set(classes)].map((name) => `export class ${name} {}`);
  writeFileSync(join(folder, "worker.js"), `export default {};\n${exported.join("\n")}`);
  mkdirSync(join(folder, "sql"));
  writeFileSync(join(folder, "sql/0000_first.sql"), "CREATE TABLE first (id INTEGER);");
  writeFileSync(join(folder, "sql/0001_second.sql"), "CREATE TABLE second (id INTEGER);");
  const file = join(folder, "wrangler.toml");
  writeFileSync(file, edit(readProjectConfig()));
  return file;
}

/** Changes the wrangler.toml of a project. */
export function editProject(file: string, edit: (toml: string) => string): void {
  writeFileSync(file, edit(readFileSync(file, "utf8")));
}

/** Returns the committed wrangler.toml as an administrator edits it. */
function readProjectConfig(): string {
  return readFileSync(join(PROJECT, "wrangler.toml"), "utf8")
    .replaceAll("signpost-go.example", "acme-go.com")
    .replaceAll("signpost.example", "acme.com")
    .replace(/^main = .*$/m, 'main = "worker.js"')
    .replace(/^\[build\]\n[^[]*/m, "")
    .replaceAll(/^migrations_dir = .*$/gm, 'migrations_dir = "sql"');
}
