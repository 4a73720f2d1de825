import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../../kit/cidr.ts'
import type { Clock } from '../../kit/clock.ts'
import { refusal } from '../http/errors.ts'
import { signInLimits } from './limits.ts'

/** Reason of a refusal, as the label of the metric. */
export type SignInFailure = 'unknown_token' | 'inactive_token' | 'wrong_location' | 'unknown_key_pair'

const minuteMs = 60_000

interface Failures {
  readonly untilMs: number
  count: number
}

/**
 * Counts failed sign-ins by address, against guessing: they are counted and logged, and after the first few of a minute
 * each response is delayed by a second. Credentials that were valid recently are exempt, because many users may share
 * an address.
 */
export class FailedSignIns {
  readonly #clock: Clock
  readonly #onFailure: (failure: SignInFailure) => void
  readonly #failures = new Map<string, Failures>()
  /** Pending attempts with unverified credentials, by address. */
  readonly #attempts = new Map<string, number>()
  /** Hashes of valid credentials, with the time until which they are remembered. */
  readonly #good = new Map<string, number>()

  constructor(clock: Clock, onFailure: (failure: SignInFailure) => void) {
    this.#clock = clock
    this.#onFailure = onFailure
  }

  /**
   * @param hash of the credentials that the request carries
   * @param check resolves to a refusal with its error, or to the result of the authentication
   * @throws ApiError 429 while too many attempts of the address are pending; the error of `check`
   */
  async attempt<T>(request: FastifyRequest, hash: string, check: () => Promise<T | Refused>): Promise<T> {
    if ((this.#good.get(hash) ?? 0) > this.#clock.nowMs()) {
      const outcome = await check()
      if (!(outcome instanceof Refused)) return outcome
      this.#good.delete(hash)
      throw this.#count(clientNetwork(request.ip), outcome, request)
    }
    const network = clientNetwork(request.ip)
    const attempts = this.#attempts.get(network) ?? 0
    const isSuspect = this.#countOf(network) >= signInLimits.failuresFree
    if (attempts >= (isSuspect ? signInLimits.suspectAttemptsMax : signInLimits.attemptsMax))
      throw refusal('tooManySignIns')
    this.#attempts.set(network, attempts + 1)
    try {
      const outcome = await check()
      if (!(outcome instanceof Refused)) {
        this.#remember(hash)
        return outcome
      }
      const error = this.#count(network, outcome, request)
      if (this.#countOf(network) > signInLimits.failuresFree) await sleep(signInLimits.delayMs)
      throw error
    } finally {
      const left = this.#attempts.get(network)! - 1
      if (left === 0) this.#attempts.delete(network)
      else this.#attempts.set(network, left)
    }
  }

  #countOf(network: string): number {
    const failures = this.#failures.get(network)
    return failures === undefined || failures.untilMs <= this.#clock.nowMs() ? 0 : failures.count
  }

  #count(network: string, { failure, error }: Refused, request: FastifyRequest): Error {
    const count = this.#countOf(network) + 1
    if (count === 1) {
      this.#failures.delete(network)
      forgetOldest(this.#failures, signInLimits.networksKept)
      this.#failures.set(network, { untilMs: this.#clock.nowMs() + minuteMs, count })
    } else this.#failures.get(network)!.count = count
    this.#onFailure(failure)
    if (count <= signInLimits.failuresFree || count % signInLimits.failuresFree === 0)
      request.log.warn(
        { id: request.id, address: request.ip, failure, failures: count },
        'a sign-in failed; failures of this address within a minute',
      )
    return error
  }

  #remember(hash: string): void {
    this.#good.delete(hash)
    forgetOldest(this.#good, signInLimits.goodKept)
    this.#good.set(hash, this.#clock.nowMs() + signInLimits.goodMs)
  }
}

/** A refusal of credentials. */
export class Refused {
  readonly failure: SignInFailure
  readonly error: Error

  constructor(failure: SignInFailure, error: Error) {
    this.failure = failure
    this.error = error
  }
}

/** The first of a map is the oldest. */
function forgetOldest(map: Map<string, unknown>, max: number): void {
  if (map.size < max) return
  for (const key of map.keys()) return void map.delete(key)
}
