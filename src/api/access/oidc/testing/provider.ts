import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWK, Provider } from 'oidc-provider'

/** Claims by login; every sign-in is one of the user `login`. */
export interface TestProvider {
  readonly issuer: string
  login: string
  readonly claims: Map<string, Readonly<Record<string, unknown>>>
  close(): void
}

export const clientId = 'sluice'
export const clientSecret = 'secret-of-sluice'

/** A provider that demands PKCE, with one client. @param redirectUri the only one that it allows */
export async function openTestProvider(redirectUri: () => string): Promise<TestProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const claims: TestProvider['claims'] = new Map()
  const state = { issuer, login: '', claims, close: () => server.close() }
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri()] }],
    jwks: { keys: [{ ...key, use: 'sig' } as JWK] },
    cookies: { keys: ['of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...claims.get(id) }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: state.login } })
    else void answer(request, response)
  })
  return state
}
