// Pure: no I/O, clock or randomness.

/** First steps in a new workspace. Completed steps derive from counts of the API; nothing is stored. */

/** Step with a link to the screen where it is done. */
export interface FirstStep {
  name: string;
  text: string;
  href: string;
  isDone: boolean;
}

/** Counts of a workspace from which the completed steps derive. */
export interface StepCounts {
  links: number;
  scans: number;
  templates: number;
  pages: number;
  domains: number;
}

export function listSteps(counts: StepCounts): FirstStep[] {
  return [
    {
      name: "Create a link",
      text: "Turn a long URL into a short link.",
      href: "/links?link=new",
      isDone: counts.links > 0,
    },
    {
      name: "Get your first scan",
      text: "Scan the QR code with your phone and watch the count go up.",
      href: "/analytics",
      isDone: counts.scans > 0,
    },
    {
      name: "Design a QR code",
      text: "Add your colours and logo, for print or screen.",
      href: "/qr",
      isDone: counts.templates > 0,
    },
    {
      name: "Use your own domain",
      text: "Use short links that people recognise as yours.",
      href: "/settings/domains",
      isDone: counts.domains > 1,
    },
    {
      name: "Create a bio page",
      text: "Put all your links on one page.",
      href: "/pages",
      isDone: counts.pages > 0,
    },
  ];
}

/** Returns true until the workspace has a link and a scan. All other steps build on these two. */
export function isNewWorkspace({ links, scans }: StepCounts): boolean {
  return links === 0 || scans === 0;
}
