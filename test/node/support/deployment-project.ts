import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../../..");

/** Creates a folder with the project's wrangler.toml, hosts replaced, and two migrations. Returns the file's path. */
export function createProject(edit: (toml: string) => string = (toml) => toml): string {
  const folder = mkdtempSync(join(tmpdir(), "signpost-deployment-"));
  for (const name of ["src", "node_modules", "package.json", "tsconfig.json"]) {
    symlinkSync(join(PROJECT, name), join(folder, name));
  }
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

/** Returns the committed wrangler.toml as an operator edits it. */
function readProjectConfig(): string {
  return readFileSync(join(PROJECT, "wrangler.toml"), "utf8")
    .replaceAll("signpost-go.example", "acme-go.com")
    .replaceAll("signpost.example", "acme.com")
    .replaceAll(/^migrations_dir = .*$/gm, 'migrations_dir = "sql"');
}
