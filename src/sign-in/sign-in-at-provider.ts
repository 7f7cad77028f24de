import * as oauth from "oauth4webapi";
import type { OutboundPolicy } from "../core/outbound.ts";
import type { IdentityProvider } from "../env.ts";
import {
  CLOCK_TOLERANCE_SECONDS,
  type Claims,
  findTokenProblem,
  readVerifiedEmail,
} from "./identity-claims.ts";
import { createProviderFetch, type ProviderFetch } from "./provider-fetch.ts";
import { getMetadata, type ProviderMetadata, requiresPush } from "./provider-metadata.ts";
import { CALLBACK_PATH } from "./return-path.ts";
import {
  describeAuthorizationError,
  describeEndpointError,
  type ProviderEndpoint,
  SignInError,
} from "./sign-in-error.ts";
import { type SignInTransaction, TRANSACTION_MS } from "./sign-in-transaction.ts";

/** Requested scopes. Names aren't requested, because they come from the members of workspaces. */
const SCOPE = "openid email";
/**
 * Maximum length of an authorization code. RFC 6749 has no limit; large providers use up to 2,000 characters.
 */
const CODE_MAX_LENGTH = 4_096;

/** Provider and settings of a sign-in. */
export interface ProviderContext {
  provider: IdentityProvider;
  /** Origin of the app host. */
  appUrl: string;
  policy: OutboundPolicy;
  nowMs: number;
}

/** Person whom the provider has authenticated. */
export interface ProvedIdentity {
  /** Email address as returned by `normalizeEmail`. */
  email: string;
  issuer: string;
  subject: string;
}

/** Start of a sign-in. */
interface BegunSignIn {
  /** URL of the provider to redirect to. */
  address: string;
  /** Transaction that {@link finishAtProvider} needs. */
  transaction: SignInTransaction;
  /** True if the provider was sent a request for this sign-in. */
  isPushed: boolean;
}

/**
 * Starts a sign-in. If the provider requires it, sends the parameters to the provider, and the browser only
 * gets a reference to them. `beforePush` is called before that request.
 */
export async function beginAtProvider(
  { provider, appUrl, policy, nowMs }: ProviderContext,
  { returnPath, sessionId }: Pick<SignInTransaction, "returnPath" | "sessionId">,
  beforePush: () => Promise<void>,
): Promise<BegunSignIn> {
  const fetch = createProviderFetch(policy);
  const metadata = await getMetadata(provider, fetch, policy);
  const transaction = {
    issuer: provider.issuer,
    returnPath,
    sessionId,
    expiresAtMs: nowMs + TRANSACTION_MS,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const address = new URL(metadata.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: `${appUrl}${CALLBACK_PATH}`,
    scope: SCOPE,
    state: transaction.state,
    nonce: transaction.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(transaction.verifier),
    code_challenge_method: "S256",
  };
  const isPushed = requiresPush(metadata);
  if (isPushed) await beforePush();
  const shown = isPushed
    ? {
        client_id: provider.clientId,
        request_uri: await pushRequest(
          buildPeer(provider, policy, fetch, metadata),
          provider.clientSecret,
          parameters,
        ),
      }
    : parameters;
  for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value);
  return { address: address.href, transaction, isPushed };
}

/** Pushes an authorization request (RFC 9126). Returns the reference to it. */
async function pushRequest(
  { metadata, client, options }: Peer,
  secret: string | null,
  parameters: Record<string, string>,
): Promise<string> {
  try {
    const authentication = chooseAuthentication(metadata, secret);
    const response = await oauth.pushedAuthorizationRequest(
      ...([metadata, client, authentication, parameters, options] as const),
    );
    return (await oauth.processPushedAuthorizationResponse(metadata, client, response)).request_uri;
  } catch (error) {
    throw toSignInError(error, "endpoint for pushed authorization requests");
  }
}

/**
 * Finishes a sign-in: exchanges the code for tokens, validates them, and returns the authenticated person.
 * `parameters` are the query parameters of the provider's redirect; their state must match the transaction's.
 * Throws a {@link SignInError}.
 */
export async function finishAtProvider(
  context: ProviderContext,
  parameters: URLSearchParams,
  transaction: SignInTransaction,
): Promise<ProvedIdentity> {
  const { provider, policy, nowMs } = context;
  const fetch = createProviderFetch(policy);
  const metadata = await getMetadata(provider, fetch, policy);
  const peer = buildPeer(provider, policy, fetch, metadata);
  const { claims, accessToken } = await exchangeCode({ context, ...peer }, parameters, transaction);
  const problem = findTokenProblem(claims, provider.clientId, nowMs);
  if (problem !== null) throw new SignInError("unusable", problem);
  const subject = claims.sub as string;
  // Some providers leave the email address out of the ID token and return it only from the UserInfo endpoint.
  const isAsked = claims.email === undefined && metadata.userinfo_endpoint !== undefined;
  const about = isAsked ? await readUserInfo(peer, accessToken, subject) : claims;
  const verdict = readVerifiedEmail(about, provider.trustedEmailDomains);
  if ("refusal" in verdict)
    throw new SignInError(verdict.refusal, "the identity provider sent no verified email address");
  return { email: verdict.email, issuer: metadata.issuer, subject };
}

/** Arguments that oauth4webapi needs for each request. */
interface Peer {
  metadata: ProviderMetadata;
  client: oauth.Client;
  options: object;
}

function buildPeer(
  { clientId }: IdentityProvider,
  { allowLoopback }: OutboundPolicy,
  fetch: ProviderFetch,
  metadata: ProviderMetadata,
): Peer {
  return {
    metadata,
    client: { client_id: clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    options: { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: allowLoopback },
  };
}

/**
 * Exchanges the code for tokens. Also verifies the ID token's signature, although the token comes over TLS.
 */
async function exchangeCode(
  { context, metadata, client, options }: Peer & { context: ProviderContext },
  parameters: URLSearchParams,
  { state, nonce, verifier }: SignInTransaction,
): Promise<{ claims: Claims; accessToken: string }> {
  if ((parameters.get("code") ?? "").length > CODE_MAX_LENGTH)
    throw new SignInError("unusable", `the code has more than ${CODE_MAX_LENGTH} characters`);
  try {
    const granted = oauth.validateAuthResponse(metadata, client, parameters, state);
    const authentication = chooseAuthentication(metadata, context.provider.clientSecret);
    const redirectUri = `${context.appUrl}${CALLBACK_PATH}`;
    const response = await oauth.authorizationCodeGrantRequest(
      ...([metadata, client, authentication, granted, redirectUri, verifier, options] as const),
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response, expected);
    await oauth.validateApplicationLevelSignature(metadata, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens) as unknown as Claims;
    return { claims, accessToken: tokens.access_token };
  } catch (error) {
    throw toSignInError(error, "token endpoint");
  }
}

/**
 * Returns the client authentication for requests to the provider. Prefers sending the secret in the body, because
 * `client_secret_basic` requires double encoding, which some providers don't decode.
 */
function chooseAuthentication(metadata: ProviderMetadata, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (methods.includes("client_secret_post")) return oauth.ClientSecretPost(secret);
  if (methods.includes("client_secret_basic")) return oauth.ClientSecretBasic(secret);
  throw new SignInError("unusable", "the identity provider does not accept a client secret");
}

async function readUserInfo(
  { metadata, client, options }: Peer,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  try {
    const response = await oauth.userInfoRequest(metadata, client, accessToken, options);
    return await oauth.processUserInfoResponse(metadata, client, subject, response);
  } catch (error) {
    throw toSignInError(error, "UserInfo endpoint");
  }
}

function toSignInError(error: unknown, endpoint: ProviderEndpoint): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof oauth.AuthorizationResponseError) return describeAuthorizationError(error.error);
  if (error instanceof oauth.ResponseBodyError) return describeEndpointError(error.error, endpoint);
  return new SignInError("unusable", "the response of the identity provider cannot be used", {
    cause: error,
  });
}
