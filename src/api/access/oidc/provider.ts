import type { ClientAuth, Configuration } from 'openid-client'
import type { OidcRole } from '../../../model/settings/index.ts'

/** The identity provider, as the settings name it. */
export interface OidcSetup {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly roleClaim: string
  readonly roles: readonly OidcRole[]
}

/** The secrets of one sign-in, which its browser keeps meanwhile. */
export interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Identity {
  /** Issuer and subject: the only lasting name of a user. */
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  /** Values of the role claim. */
  readonly groups: readonly string[]
}

/**
 * The provider's side of a sign-in: authorization code flow with PKCE, state and nonce. Its metadata are read with the
 * first sign-in.
 * @source OpenID Connect Core 1.0, 3.1; RFC 7636
 */
export class OidcProvider {
  readonly #setup: OidcSetup
  #discovered: Promise<Configuration> | undefined

  constructor(setup: OidcSetup) {
    this.#setup = setup
  }

  /** Where the browser goes, and the secrets that it brings back. @throws when the provider does not answer */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly pending: Pending }> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    })
    return { url, pending }
  }

  /**
   * @param returned the address that the provider sent the browser to
   * @throws when the provider refused, or an answer is not for this sign-in
   */
  async finish(returned: URL, { state, nonce, verifier }: Pending): Promise<Identity> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const tokens = await client.authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const { sub, ...claims } = tokens.claims()!
    const hasAll = claims['email'] !== undefined && claims[this.#setup.roleClaim] !== undefined
    const more =
      hasAll || configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, sub)
    return this.#identityOf(sub, { ...more, ...claims })
  }

  #identityOf(sub: string, claims: Readonly<Record<string, unknown>>): Identity {
    const { email, email_verified: verified, [this.#setup.roleClaim]: groups } = claims
    const listed = Array.isArray(groups) ? groups : [groups]
    return {
      subject: `${this.#setup.issuer} ${sub}`,
      email: typeof email === 'string' ? email.toLowerCase() : undefined,
      emailVerified: verified === true,
      groups: listed.filter(group => typeof group === 'string'),
    }
  }

  /** A failed discovery is repeated with the next sign-in. */
  #configuration(): Promise<Configuration> {
    this.#discovered ??= this.#discover().catch(error => {
      this.#discovered = undefined
      throw error
    })
    return this.#discovered
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#setup
    // The settings allow http on this machine only.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    return client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? client.None() : secretAuth(client, clientSecret),
      { execute },
    )
  }
}

/** Basic authentication where the provider takes it, which is the default. @source OpenID Connect Discovery 1.0, 3 */
function secretAuth(client: typeof import('openid-client'), secret: string): ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic')
    const auth = isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    return auth(server, ...rest)
  }
}
