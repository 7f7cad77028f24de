import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type Provider from "oidc-provider";

const CLIENT = { id: "signpost", secret: "a secret that only tests use" };
const FORM = '<form method="post"><input name="login"><button>Sign in here</button></form>';

/**
 * Identity provider in Node: the certified `oidc-provider` with data in memory. People sign in with any name,
 * and get the claims in {@link accounts}.
 */
export class NodeIdentityProvider {
  /** Claims of the people who can sign in, by the name that they enter. */
  readonly accounts = new Map<string, object>();
  /** Called before the token endpoint handles a request. */
  beforeToken: (request: IncomingMessage) => Promise<void> | void = () => {};
  /** True to break every connection, as if the provider were down. */
  isDown = false;
  readonly #server: Server;
  #provider: Provider | null = null;
  #issuer = "";

  constructor() {
    this.#server = createServer((request, response) => {
      this.#respond(request, response).catch(() => response.destroy());
    });
  }

  get issuer(): string {
    return this.#issuer;
  }

  /** Vars of a service that uses this provider for sign-ins. */
  get vars(): Record<string, string> {
    return { OIDC_ISSUER: this.#issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
  }

  /** Listens on a free loopback port. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    this.#issuer = `http://localhost:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** Registers a service for sign-ins. */
  async register(appUrl: string, { requiresPush = false } = {}): Promise<void> {
    const { default: Provider } = await import("oidc-provider");
    const provider = new Provider(this.#issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${appUrl}/sign-in/callback`],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      cookies: { keys: ["a key that only tests use"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      features: {
        devInteractions: { enabled: false },
        pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: requiresPush },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, form: string) => {
            context.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out here</button>`;
          },
          postLogoutSuccessSource: (context: { body: string }) => {
            context.body = "<h1>Signed out here</h1>";
          },
        },
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...this.accounts.get(id) }),
      }),
      // Everyone who signs in has given consent.
      loadExistingGrant: async ({
        oidc: { client, session },
      }: Parameters<Parameters<Provider["use"]>[0]>[0]) => {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope("openid email");
        await grant.save();
        return grant;
      },
      ttl: {
        AuthorizationCode: 60,
        AccessToken: 60,
        IdToken: 60,
        Interaction: 600,
        Session: 600,
        Grant: 600,
      },
    });
    provider.use(async (context, next) => {
      if (context.path === "/token") await this.beforeToken(context.req);
      await next();
    });
    this.#provider = provider;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (this.isDown || provider === null) return void response.destroy();
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    if (request.method !== "POST") return void response.setHeader("Content-Type", "text/html").end(FORM);
    const login = new URLSearchParams(await text(request)).get("login") ?? "";
    const result =
      login === "" ? { error: "access_denied" } : { login: { accountId: login, remember: false } };
    await provider.interactionFinished(request, response, result);
  }
}
