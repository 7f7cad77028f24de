import type { LinkOwner } from "../members/sign-in-links.ts";
import { escapeHtml, type HtmlDocument, renderPlate } from "../pages/plate.ts";
import type { Role } from "../permissions/roles.ts";

/** Renders the pages of the app host as plain HTML without scripts. */

const CSS = `
form, ul { width: 100%; max-width: 26rem; margin: 1.5rem 0 0; padding: 0; text-align: start }
ul { list-style: none }
li { display: flex; justify-content: space-between; gap: 1rem; padding: .625rem 0; border-top: 1px solid var(--line) }
li span { color: var(--muted) }
a, button { display: block; width: 100%; min-height: 3rem; padding: .625rem 1rem; border: 2px solid transparent; border-radius: .75rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
a { max-width: 26rem; margin-top: 1.5rem }
h2 { margin: 2rem 0 0; font-size: 1rem }
details { width: 100%; max-width: 26rem; margin-top: 1rem }
summary { min-height: 2rem; color: var(--muted); cursor: pointer }
code { overflow-wrap: anywhere; font-size: .875rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`.replace(/\n\s*/g, "");

/** Signed-in person, with their workspaces and the memberships that they can accept. */
export interface SignedIn {
  email: string;
  workspaces: readonly { name: string; role: Role }[];
  pending: readonly { id: string; workspaceName: string; role: Role }[];
}

/**
 * Renders the start page for a signed-in person. The id of a pending membership follows `joinPath`.
 * `returnPath` is the page to continue with.
 */
export function renderSignedIn(
  { email, workspaces, pending }: SignedIn,
  joinPath: string,
  returnPath: string,
): HtmlDocument {
  const items = workspaces.map(
    ({ name, role }) => `<li><bdi>${escapeHtml(name)}</bdi> <span>${role}</span></li>`,
  );
  const list =
    items.length === 0 && pending.length === 0
      ? "<p>You're not a member of any workspace. Ask a workspace owner to add you.</p>"
      : `<ul aria-label="Your workspaces and roles">\n${items.join("\n")}\n</ul>`;
  const offers = pending.map(
    ({ id, workspaceName, role }) => `<form method="post" action="${joinPath}${id}">
<button>Join <bdi>${escapeHtml(workspaceName)}</bdi> as ${role}</button>
</form>`,
  );
  const offer =
    offers.length === 0
      ? ""
      : `<p>An identity provider has added you to these workspaces. Only join the ones you expect: their owners then see when you sign in.</p>
${offers.join("\n")}
`;
  const body = `<h1>You're signed in</h1>
<p>as <bdi>${escapeHtml(email)}</bdi></p>
${items.length === 0 && pending.length > 0 ? "" : list}
${offer}<a href="${escapeHtml(returnPath)}">Go to dashboard</a>
<form method="post" action="/sign-out">
<button>Sign out</button>
</form>`;
  return renderPlate({ title: "You're signed in", body, css: CSS });
}

/**
 * Renders the start page for everyone else. `providerPath` starts the sign-in at the identity provider; null
 * if there is none.
 */
export function renderSignedOut(providerPath: string | null): HtmlDocument {
  const body =
    providerPath === null
      ? `<h1>Sign in</h1>
<p>Open the sign-in link that your administrator gave you. It works once, within 15 minutes.</p>
<h2>Is your link lost or expired?</h2>
<p>Ask your administrator for a new one. If someone else in your workspace can sign in, they can tell you who that is.</p>
<details><summary>I'm the administrator</summary>
<p>Create a sign-in link where Signpost is installed:</p>
<p><code>npm run admin -- sign-in-link --workspace NAME --email YOU</code></p>
<p>A local start, npm run dev, prints one too.</p></details>`
      : `<h1>Sign in</h1>
<p>Sign in with your organisation's account.</p>
<a href="${escapeHtml(providerPath)}">Sign in</a>`;
  return renderPlate({ title: "Sign in", body, css: CSS });
}

/**
 * Renders the page of a sign-in link. Only its button uses up the link, because mail scanners and link
 * previews open URLs too.
 */
export function renderSignInLink({ email, workspaceName }: LinkOwner): HtmlDocument {
  const body = `<h1>Sign in</h1>
<p>as <bdi>${escapeHtml(email)}</bdi>, a member of <bdi>${escapeHtml(workspaceName)}</bdi></p>
<form method="post">
<button>Sign in</button>
</form>`;
  return renderPlate({ title: "Sign in", body, css: CSS });
}
