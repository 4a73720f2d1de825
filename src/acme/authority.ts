import { createPublicKey, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Authorization, Client, Order } from 'acme-client'
import type { Agent } from 'undici'
import type { AcmeChallenge, AcmeChallengeKind } from '../model/acme.ts'
import { AcmeError } from './acme-error.ts'
import { adapterOver, authorityAgent } from './authority-http.ts'
import { acmeLimits } from './limits.ts'

export interface AuthoritySettings {
  /** URL of the directory. */
  readonly directory: string
  /** Where the authority writes to about problems. */
  readonly email: string | undefined
  /** CA certificates in PEM that the directory's address is verified with; undefined: public ones. */
  readonly trusted: string | undefined
  /** The account of the authority's customer, which the ACME account belongs to (RFC 8555 7.3.4). */
  readonly externalAccount: { readonly kid: string; readonly hmacKey: string } | undefined
}

/** A certificate as the authority issued it, in PEM. */
export interface IssuedCertificate {
  /** The certificate, then its chain. */
  readonly certificate: string
  readonly key: string
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

export interface OrderRequest {
  /** A host name in lower case. */
  readonly name: string
  /** The preferred challenge. The other one is used if the authority does not offer it. */
  readonly kind: AcmeChallengeKind
  /** Resolves when every edge answers the challenge. */
  readonly publish: (challenge: AcmeChallenge) => Promise<void>
  /** Ends the attempt. */
  readonly signal: AbortSignal
}

/** A certificate authority that speaks ACME (RFC 8555). */
export class Authority {
  readonly #settings: AuthoritySettings
  readonly #accountKey: string
  readonly #agent: Agent
  #client: Promise<Client> | undefined

  /** @param accountKey in PEM, as `newAccountKey` makes it */
  constructor(settings: AuthoritySettings, accountKey: string) {
    this.#settings = settings
    this.#accountKey = accountKey
    this.#agent = authorityAgent(settings.trusted)
  }

  /** @throws AcmeError that names the failing step */
  async order(request: OrderRequest): Promise<IssuedCertificate> {
    const { name, signal } = request
    const step: Step = (what, work) => performed(signal, what, work)
    const client = await step('the registration of the account', () => this.#registered())
    try {
      const identifiers = [{ type: 'dns', value: name }]
      const order = await step('the order', () => client.createOrder({ identifiers }))
      await prove(client, order, request, step)
      const { crypto } = await import('acme-client')
      const [key, csr] = await crypto.createCsr({ altNames: [name] }, await crypto.createPrivateEcdsaKey())
      const finalized = await step('the request for the certificate', () => client.finalizeOrder(order, csr))
      return await step('the download of the certificate', () =>
        download(client, finalized, key.toString(), signal),
      )
    } catch (error) {
      // The authority may have forgotten the account.
      this.#client = undefined
      throw error
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #registered(): Promise<Client> {
    this.#client ??= this.#register().catch(error => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #register(): Promise<Client> {
    const { Client, axios } = await import('acme-client')
    const { directory, email, externalAccount } = this.#settings
    axios.defaults.adapter = adapterOver(this.#agent)
    const client = new Client({
      directoryUrl: directory,
      accountKey: this.#accountKey,
      ...(externalAccount === undefined ? {} : { externalAccountBinding: externalAccount }),
    })
    await client.createAccount({
      termsOfServiceAgreed: true,
      // An account that exists is updated, and some authorities refuse an update without a contact list.
      contact: email === undefined ? [] : [`mailto:${email}`],
    })
    return client
  }
}

/** A key for an account, in PEM. */
export async function newAccountKey(): Promise<string> {
  const { crypto } = await import('acme-client')
  return (await crypto.createPrivateEcdsaKey()).toString()
}

/** One step of an order, with its name. */
type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Proves control of the names of an order. */
async function prove(client: Client, order: Order, request: OrderRequest, step: Step): Promise<void> {
  const pending = (await step('the authorization', () => client.getAuthorizations(order))).filter(
    ({ status }) => status !== 'valid',
  )
  for (const authorization of pending) {
    const challenge = chosenChallenge(authorization, request.kind)
    await step('the challenge on the edges', async () => {
      const keyAuthorization = await client.getChallengeKeyAuthorization(challenge)
      await request.publish(await challengeOf(authorization, challenge, keyAuthorization))
    })
    await step(`the authority's check by ${challenge.type}`, () => client.completeChallenge(challenge))
    await checked(client, order, challenge, request.signal, step)
  }
}

/** The library's types leave out `tls-alpn-01`. */
type Challenge = Authorization['challenges'][number] & { readonly type: string }

/** The challenges that edges answer. */
const kinds: readonly string[] = ['http-01', 'tls-alpn-01'] satisfies AcmeChallengeKind[]

function chosenChallenge(authorization: Authorization, preferred: AcmeChallengeKind): Challenge {
  const challenges: readonly Challenge[] = authorization.challenges
  const answerable = challenges.filter(({ type }) => kinds.includes(type))
  const challenge = answerable.find(({ type }) => type === preferred) ?? answerable[0]
  if (challenge !== undefined) return challenge
  throw new AcmeError(
    'the choice of a challenge',
    `the authority offers ${challenges.map(({ type }) => type).join(', ')}, and edges answer http-01 and tls-alpn-01`,
  )
}

/** Waits until the authority has accepted an answer. */
function checked(
  client: Client,
  order: Order,
  { type, url }: Challenge,
  signal: AbortSignal,
  step: Step,
): Promise<void> {
  return step(`the authority's check by ${type}`, () =>
    poll(signal, async () => {
      for (const { status, challenges } of await client.getAuthorizations(order)) {
        const own = challenges.find(challenge => challenge.url === url)
        if (own === undefined || status === 'valid') continue
        if (status !== 'pending') throw new Error(problemOf(own.error) ?? `the authorization is ${status}`)
        return undefined
      }
      return true
    }),
  ).then(() => {})
}

/** @param error a problem document (RFC 7807) */
function problemOf(error: unknown): string | undefined {
  const { detail } = (error ?? {}) as { readonly detail?: unknown }
  return typeof detail === 'string' ? detail : undefined
}

async function challengeOf(
  authorization: Authorization,
  { type, token }: Challenge,
  keyAuthorization: string,
): Promise<AcmeChallenge> {
  const name = authorization.identifier.value
  if (type === 'http-01') return { kind: type, name, token, keyAuthorization }
  const { crypto } = await import('acme-client')
  const ownKey = await crypto.createPrivateEcdsaKey()
  const [key, certificate] = await crypto.createAlpnCertificate(authorization, keyAuthorization, ownKey)
  return { kind: 'tls-alpn-01', name, certificate: certificate.toString(), key: key.toString() }
}

/** Waits until the authority has made the certificate, and reads it. */
async function download(
  client: Client,
  finalized: Order,
  key: string,
  signal: AbortSignal,
): Promise<IssuedCertificate> {
  const order = await poll(signal, async () => {
    const current = await client.getOrder(finalized)
    if (current.status === 'invalid')
      throw new Error(problemOf((current as { readonly error?: unknown }).error) ?? 'the order is invalid')
    return current.status === 'valid' ? current : undefined
  })
  const certificate = await client.getCertificate(order)
  const { publicKey, validFromDate, validToDate } = new X509Certificate(certificate)
  if (!publicKey.equals(createPublicKey(key))) throw new Error('the certificate is for another key')
  return { certificate, key, notBeforeMs: validFromDate.getTime(), notAfterMs: validToDate.getTime() }
}

/** Asks with growing pauses until there is an answer. */
async function poll<T>(signal: AbortSignal, ask: () => Promise<T | undefined>): Promise<T> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 1.5, acmeLimits.pollMsMax)) {
    signal.throwIfAborted()
    const answer = await ask()
    if (answer !== undefined) return answer
    await sleep(pauseMs, undefined, { signal })
  }
}

/** @throws AcmeError with the step's name; it does not wait for the work when the attempt ends */
async function performed<T>(signal: AbortSignal, name: string, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController()
  try {
    return await Promise.race([work(), rejectedBy(signal, ended.signal)])
  } catch (error) {
    if (error instanceof AcmeError) throw error
    throw new AcmeError(name, signal.aborted ? endOf(signal) : reasonOf(error), { cause: error })
  } finally {
    ended.abort()
  }
}

function rejectedBy(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over })
  })
}

function endOf({ reason }: AbortSignal): string {
  return (reason as Error).name === 'TimeoutError'
    ? `the order took longer than ${acmeLimits.orderMsMax / 1000} seconds`
    : 'Sluice stops'
}

/** A failed connection to several addresses has its causes inside. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] }
  return message || errors?.map(cause => cause.message).join(', ') || code || 'there is no reason'
}
