import type { LinkOwner } from "../members/sign-in-links.ts";
import { escapeHtml, type HtmlDocument, renderPlate } from "../pages/plate.ts";
import type { OpenInvitation } from "../people/accept-invitation.ts";
import type { Role } from "../permissions/roles.ts";

/** Renders the pages of the app host as plain HTML. They work without scripts, except for passkeys. */

/** Maximum length of the name of a member. */
export const NAME_MAX_LENGTH = 200;

const CSS = `
form, ul { width: 100%; max-width: 26rem; margin: 1.5rem 0 0; padding: 0; text-align: start }
ul { list-style: none }
li { display: flex; justify-content: space-between; gap: 1rem; padding: .625rem 0; border-top: 1px solid var(--line) }
li span { color: var(--muted) }
a, button { display: block; width: 100%; min-height: 3rem; padding: .625rem 1rem; border: 2px solid transparent; border-radius: .75rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
a { max-width: 26rem; margin-top: 1.5rem }
a.text { display: inline; padding: 0; border: 0; background: none; color: inherit; text-decoration: underline }
label { display: block; margin-bottom: 1rem; font-weight: 600 }
input { display: block; width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--muted); border-radius: .75rem; background: var(--surface); color: inherit; font: inherit; font-weight: 400 }
button[hidden] { display: none }
button { max-width: 26rem; margin-top: 1.5rem }
form button { margin-top: 0 }
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

/** Ways to sign in to a deployment. */
export interface SignInWays {
  /** Path that starts the sign-in at the identity provider. Null if there is none. */
  providerPath: string | null;
  /** Script for passkeys, which shows the button. */
  scriptPath: string;
  /** True for a start on this machine, which prints a sign-in link. */
  isLocal: boolean;
}

/** Renders the start page for everyone else, with the ways to sign in to this deployment. */
export function renderSignedOut({ providerPath, scriptPath, isLocal }: SignInWays): HtmlDocument {
  const provider =
    providerPath === null
      ? ""
      : `<p>Sign in with your organisation's account.</p>
<a href="${escapeHtml(providerPath)}">Sign in</a>
`;
  const help =
    providerPath === null
      ? `<p>Or open the sign-in link or invitation that you were given. Each works once.</p>
<h2>Is your link lost or expired?</h2>
<p>Ask an owner of your workspace for a new one.</p>
<details><summary>I'm the administrator</summary>
<p>Create a sign-in link where Signpost is installed:</p>
<p><code>npm run admin -- sign-in-link --workspace NAME --email YOU</code></p>${
          isLocal ? "\n<p>The terminal of npm run dev shows one too.</p>" : ""
        }</details>`
      : "<p>Or open the invitation or sign-in link that you were given. Can't sign in? Ask an owner of your workspace.</p>";
  const body = `<h1>Sign in</h1>
${provider}<button id="passkey" type="button" hidden>Sign in with a passkey</button>
<p id="passkey-message" role="alert" hidden></p>
${help}
<script src="${escapeHtml(scriptPath)}" defer></script>`;
  return { ...renderPlate({ title: "Sign in", body, css: CSS }), hasScript: true };
}

/**
 * Renders the page of an invitation or a recovery. Only its button uses it up, because mail scanners and link
 * previews open URLs too. `signedIn` is the person whose account gets the membership; null for a new account.
 * `signInPath` is the page on which people with an account sign in first.
 */
export function renderInvitation(
  { workspaceName, memberName, email, role, createdByName }: OpenInvitation,
  signedIn: { email: string } | null,
  signInPath: string,
): HtmlDocument {
  const workspace = `<bdi>${escapeHtml(workspaceName)}</bdi>`;
  const owner = `<bdi>${escapeHtml(createdByName)}</bdi>`;
  const title = memberName === null ? `Join ${workspace}` : `Get access to ${workspace} again`;
  const offer =
    memberName === null
      ? `${owner} has invited you to join as ${role}.`
      : `${owner} has created this link for <bdi>${escapeHtml(memberName)}</bdi>.`;
  const action = memberName === null ? "Join" : "Continue";
  const account =
    signedIn === null
      ? `<form method="post">
${memberName === null ? renderNameField(email) : ""}<button>${action}</button>
</form>
<p>Do you already have an account here? <a class="text" href="${escapeHtml(signInPath)}">Sign in</a> first, then open this link again. Otherwise, you get a second account.</p>`
      : `<p>You're signed in as <bdi>${escapeHtml(signedIn.email)}</bdi>. This account gets the workspace.</p>
<form method="post">
<button>${action}</button>
</form>`;
  return renderPlate({
    title: "Invitation",
    body: `<h1>${title}</h1>\n<p>${offer}</p>\n${account}`,
    css: CSS,
  });
}

function renderNameField(email: string): string {
  const [name = ""] = email.split("@");
  return `<label>Your name <input name="name" value="${escapeHtml(name)}" maxlength="${NAME_MAX_LENGTH}" autocomplete="name" required></label>
`;
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
