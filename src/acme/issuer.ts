import type { Clock } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import type { AcmeChallengeKind, AcmeName } from '../model/acme.ts'
import type { Store } from '../store/index.ts'
import { Authority, type AuthoritySettings, type IssuedCertificate, newAccountKey } from './authority.ts'
import { isCovered, keepCertificate } from './keep.ts'
import { acmeLimits } from './limits.ts'
import { renewalMs, retryDelayMs } from './schedule.ts'

export interface AcmeDeps {
  readonly store: Pick<Store, 'acme' | 'certificates'>
  readonly authority: AuthoritySettings
  readonly clock: Clock
  /** One call for each order. */
  readonly onOutcome: (name: AcmeName, outcome: AcmeOutcome) => void
  /** The database cannot be used. */
  readonly onError: (error: unknown) => void
  /** Overrides the time that edges have to learn of a challenge. */
  readonly spreadMs?: number
}

export type AcmeOutcome =
  | { readonly kind: 'issued'; readonly notAfterMs: number; readonly nextMs: number }
  | { readonly kind: 'failed'; readonly problem: string; readonly nextMs: number }

export interface Issuer {
  /** Orders that are due are made, as many as may run at once. Resolves when they have ended. */
  look(): Promise<void>
  /** Gives up orders in progress; they are made again by the next process. */
  stop(): Promise<void>
}

/**
 * Orders and renews the certificates of all names that clients asked for. Several processes share the work: each name is
 * claimed in the database.
 */
export function startIssuer(deps: AcmeDeps): Issuer {
  const issuer = new ClaimingIssuer(deps)
  const timer = setInterval(() => void issuer.look().catch(deps.onError), acmeLimits.lookMs)
  return {
    look: () => issuer.look(),
    async stop() {
      clearInterval(timer)
      await issuer.stop()
    },
  }
}

class ClaimingIssuer {
  readonly #deps: AcmeDeps
  readonly #owner = newId()
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #authority: Promise<Authority> | undefined

  constructor(deps: AcmeDeps) {
    this.#deps = deps
  }

  async look(): Promise<void> {
    const { store, clock } = this.#deps
    while (this.#running.size < acmeLimits.ordersAtOnceMax && !this.#stop.signal.aborted) {
      const nowMs = clock.nowMs()
      const claimed = await store.acme.claim(this.#owner, nowMs, nowMs + acmeLimits.claimMs)
      if (claimed === undefined) break
      const work = this.#order(claimed)
        .catch(this.#deps.onError)
        .finally(() => this.#running.delete(work))
      this.#running.add(work)
    }
    await Promise.all(this.#running)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
    await this.#deps.store.acme.release(this.#owner)
    await (await this.#authority)?.close()
  }

  async #order(name: AcmeName): Promise<void> {
    const { store, clock, onOutcome } = this.#deps
    if (await isCovered(store.certificates, name, clock.nowMs())) {
      const nextMs = clock.nowMs() + acmeLimits.coveredMs
      await store.acme.settle(this.#owner, name.name, { problem: undefined, nextMs })
      return
    }
    const outcome = await this.#attempt(name)
    if (outcome === undefined) return
    const problem = outcome.kind === 'failed' ? outcome.problem : undefined
    await store.acme.settle(this.#owner, name.name, { problem, nextMs: outcome.nextMs })
    onOutcome(name, outcome)
  }

  /** @returns undefined when this process stops */
  async #attempt(name: AcmeName): Promise<AcmeOutcome | undefined> {
    const { store, clock } = this.#deps
    try {
      const issued = await this.#certificateFor(name)
      await keepCertificate(store.certificates, name, issued, clock.nowMs())
      const { notBeforeMs, notAfterMs } = issued
      return { kind: 'issued', notAfterMs, nextMs: renewalMs(notBeforeMs, notAfterMs, Math.random()) }
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined
      const nextMs = clock.nowMs() + retryDelayMs(name.failures + 1, Math.random())
      return { kind: 'failed', problem: (error as Error).message, nextMs }
    } finally {
      await store.acme.withdraw(name.name, clock.nowMs()).catch(this.#deps.onError)
    }
  }

  async #certificateFor(name: AcmeName): Promise<IssuedCertificate> {
    const { store, clock, spreadMs = acmeLimits.spreadMs } = this.#deps
    const { signal } = this.#stop
    const authority = await this.#opened()
    return authority.order({
      name: name.name,
      kind: challengeKind(name),
      signal: AbortSignal.any([signal, AbortSignal.timeout(acmeLimits.orderMsMax)]),
      publish: async challenge => {
        await store.acme.publish(challenge, clock.nowMs() + acmeLimits.orderMsMax)
        await new Promise(resolve => setTimeout(resolve, spreadMs))
      },
    })
  }

  #opened(): Promise<Authority> {
    const { store, authority } = this.#deps
    this.#authority ??= store.acme.accountKey(authority.directory, newAccountKey).then(
      key => new Authority(authority, key),
      error => {
        this.#authority = undefined
        throw error
      },
    )
    return this.#authority
  }
}

/** A network may let only one of the two ports through, so attempts alternate. */
function challengeKind({ failures }: AcmeName): AcmeChallengeKind {
  return failures % 2 === 0 ? 'http-01' : 'tls-alpn-01'
}
