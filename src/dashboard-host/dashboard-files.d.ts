/** Bundle of the dashboard. The custom build of wrangler.toml writes it before the Worker is bundled. */
declare module "*/dist/dashboard/files.js" {
  /** File of the bundle. */
  interface DashboardFile {
    /** Strong entity tag, in quotes. */
    etag: string;
    load(): Promise<{ default: string }>;
  }

  /** Names of the files that the first page refers to. */
  export const entries: {
    app: string;
    style: string;
    theme: string;
    preloads: readonly string[];
    licences: string;
  };
  /** Files by name. A name contains a hash of the content. */
  export const files: Readonly<Record<string, DashboardFile>>;
}
