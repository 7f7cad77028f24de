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
      name: "Make a link",
      text: "A short address that leads wherever you say.",
      href: "/links?link=new",
      isDone: counts.links > 0,
    },
    {
      name: "Open it",
      text: "Scan its code with a phone, and see the scan arrive.",
      href: "/analytics",
      isDone: counts.scans > 0,
    },
    {
      name: "Design a QR code",
      text: "With your colours and logo, for print and screen.",
      href: "/qr",
      isDone: counts.templates > 0,
    },
    {
      name: "Use your own domain",
      text: "Short links that people know to be yours.",
      href: "/settings",
      isDone: counts.domains > 1,
    },
    {
      name: "Make a bio page",
      text: "One page for all your links.",
      href: "/pages",
      isDone: counts.pages > 0,
    },
  ];
}

/** Returns true until the workspace has a link and a scan. All other steps build on these two. */
export function isNewWorkspace({ links, scans }: StepCounts): boolean {
  return links === 0 || scans === 0;
}
