import { escapeHtml, type HtmlDocument, renderPlate } from "../pages/plate.ts";
import type { SignInReason } from "./sign-in-error.ts";

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
    title: "This sign-in has expired",
    text: "It took longer than 10 minutes, was already completed, or was replaced by a newer sign-in in this browser.",
  },
  declined: {
    status: 403,
    title: "Sign-in cancelled",
    text: "You or your identity provider cancelled the sign-in.",
  },
  no_email: {
    status: 403,
    title: "Your email address is missing",
    text: "Your identity provider didn't send an email address, which is needed to find your workspaces. Contact your administrator.",
  },
  unverified_email: {
    status: 403,
    title: "Your email address isn't verified",
    text: "Verify it with your identity provider, then sign in again.",
  },
  not_a_member: {
    status: 403,
    title: "You're not a member of any workspace",
    text: "You're signed in to your identity provider as {email}. Ask a workspace owner to add this email address, or sign out there and use a different account.",
  },
  unusable: {
    status: 502,
    title: "Sign-in failed",
    text: "The response from your identity provider couldn't be used. Your administrator can find the reason in the logs.",
  },
  unavailable: {
    status: 503,
    title: "Your identity provider isn't responding",
    text: "You haven't been signed in. Try again in a moment.",
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
  const title = "You're signed out";
  const text =
    links.endSessionUrl === null
      ? "You may still be signed in to your identity provider."
      : "You may still be signed in to your identity provider. On a shared computer, sign out there too.";
  const body = `<h1>${title}</h1>\n<p>${text}</p>\n${renderLinks("Sign in again", links)}`;
  return renderPlate({ title, body, css: CSS });
}

function renderLinks(beginText: string, { beginPath, endSessionUrl }: ProviderLinks): string {
  const begin = `<a href="${escapeHtml(beginPath)}">${beginText}</a>`;
  if (endSessionUrl === null) return begin;
  return `${begin}\n<a href="${escapeHtml(endSessionUrl)}">Sign out of identity provider</a>`;
}
