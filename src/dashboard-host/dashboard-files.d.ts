/**
 * Declares the type of the dashboard's bundle. The custom build in wrangler.toml writes this bundle before
 * the Worker is bundled.
 */
declare module "*/dist/dashboard/files.js" {
  /** File of the bundle. */
  interface DashboardFile {
    /** Strong entity tag, in quotes. */
    etag: string;
    load(): Promise<{ default: string }>;
  }

  /** Names of the files that the page loads first. */
  export const entries: {
    app: string;
    style: string;
    theme: string;
    signIn: string;
    preloads: readonly string[];
    licences: string;
  };
  /** Files by name. Each name contains a hash of the content. */
  export const files: Readonly<Record<string, DashboardFile>>;
}
