import { escapeHtml, type HtmlDocument, renderPlate } from "../pages/plate.ts";
import type { SignInReason } from "../people/oidc/sign-in-error.ts";

/** Renders the pages of a sign-in at an identity provider as plain HTML without scripts. */

const CSS = `
a { display: block; width: 100%; max-width: 26rem; min-height: 3rem; margin-top: 1.5rem; padding: .625rem 1rem; border: 2px solid transparent; border-radius: .75rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none }
a + a { margin-top: .75rem; border-color: var(--line); background: none; color: inherit }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`.replace(/\n\s*/g, "");

interface Notice {
  status: 400 | 403 | 502 | 503;
  title: string;
  text: string;
}

const NOTICES: Record<SignInReason, Notice> = {
  stale: {
    status: 400,
    title: "This sign-in is over",
    text: "It took longer than ten minutes, was used already, or another one began in this browser.",
  },
  declined: {
    status: 403,
    title: "Your identity provider did not sign you in",
    text: "You or your identity provider ended the sign-in.",
  },
  no_email: {
    status: 403,
    title: "Your e-mail address is missing",
    text: "Your identity provider told us no e-mail address, and workspaces know their members by it.",
  },
  unverified_email: {
    status: 403,
    title: "Your e-mail address is not verified",
    text: "Verify it at your identity provider, then sign in again.",
  },
  not_a_member: {
    status: 403,
    title: "No workspace lists you as a member",
    text: "You are signed in at your identity provider as {email}. Ask an owner of your workspace to add this address, or sign out there and use another account.",
  },
  unusable: {
    status: 502,
    title: "The sign-in failed",
    text: "The answer of your identity provider could not be used, so nobody was signed in. The operator of this service finds the reason in the log.",
  },
  unavailable: {
    status: 503,
    title: "Your identity provider does not respond",
    text: "Nobody was signed in. Try again in a moment.",
  },
};

/** Links on a page. */
export interface ProviderLinks {
  /** Path that starts a sign-in. */
  beginPath: string;
  /** URL that ends the session at the identity provider, or null if there is none. */
  endSessionUrl: string | null;
}

/** Returns the HTTP status of the page for a failed sign-in. */
export function getNoticeStatus(reason: SignInReason): number {
  return NOTICES[reason].status;
}

/** Renders the page for a failed sign-in. `email` is shown if it isn't a member of any workspace. */
export function renderNotice(reason: SignInReason, email: string, links: ProviderLinks): HtmlDocument {
  const { title, text } = NOTICES[reason];
  const filled = escapeHtml(text).replace("{email}", () => `<bdi>${escapeHtml(email)}</bdi>`);
  const body = `<h1>${title}</h1>\n<p>${filled}</p>\n${renderLinks("Try again", links)}`;
  return renderPlate({ title, body, css: CSS });
}

/** Renders the page after signing out. */
export function renderSignedOutHere(links: ProviderLinks): HtmlDocument {
  const title = "You are signed out";
  const text =
    links.endSessionUrl === null
      ? "You may still be signed in at your identity provider."
      : "You may still be signed in at your identity provider. On a computer that others use, sign out there too.";
  const body = `<h1>${title}</h1>\n<p>${text}</p>\n${renderLinks("Sign in again", links)}`;
  return renderPlate({ title, body, css: CSS });
}

function renderLinks(beginText: string, { beginPath, endSessionUrl }: ProviderLinks): string {
  const begin = `<a href="${escapeHtml(beginPath)}">${beginText}</a>`;
  if (endSessionUrl === null) return begin;
  return `${begin}\n<a href="${escapeHtml(endSessionUrl)}">Sign out at the identity provider</a>`;
}
