import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../../kit/cidr.ts'
import type { Clock } from '../../kit/clock.ts'
import { refusal } from '../http/errors.ts'
import { signInLimits } from './limits.ts'

/** Reason of a refusal, as the label of the metric. */
export type SignInFailure =
  | 'unknown_token'
  | 'inactive_token'
  | 'wrong_location'
  | 'unknown_key_pair'
  | 'wrong_password'
  | 'wrong_code'
  | 'unknown_invitation'
  | 'identity_provider'

const minuteMs = 60_000

interface Failures {
  readonly untilMs: number
  count: number
}

/**
 * Counts failed sign-ins by address, and those with a password also by user, against guessing. They are counted and
 * logged, and after the first few of a minute each response is delayed by a second. Only an address is refused: else
 * anyone could keep a user out by failing. Credentials that were valid recently are exempt, because many users may
 * share an address.
 */
export class FailedSignIns {
  readonly #clock: Clock
  readonly #onFailure: (failure: SignInFailure) => void
  /** By address and by user. */
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
   * @param user by which failures count too, beside the address
   * @throws ApiError 429 while too many attempts of the address are pending; the error of `check`
   */
  async attempt<T>(
    request: FastifyRequest,
    hash: string,
    check: () => Promise<T | Refused>,
    user?: string,
  ): Promise<T> {
    if ((this.#good.get(hash) ?? 0) > this.#clock.nowMs()) {
      const outcome = await check()
      if (!(outcome instanceof Refused)) return outcome
      this.#good.delete(hash)
      throw this.count(request, outcome, user)
    }
    const keys = keysOf(request, user)
    const address = keys[0]!
    this.#begin(address)
    try {
      const outcome = await check()
      if (!(outcome instanceof Refused)) {
        this.#remember(hash)
        return outcome
      }
      const error = this.count(request, outcome, user)
      if (keys.some(key => this.#countOf(key) > signInLimits.failuresFree)) await sleep(signInLimits.delayMs)
      throw error
    } finally {
      this.#end(address)
    }
  }

  /** Counts and logs a failure. @returns its error */
  count(request: FastifyRequest, { failure, error }: Refused, user?: string): Error {
    const counts = keysOf(request, user).map(key => this.#countOne(key))
    const count = Math.max(...counts)
    this.#onFailure(failure)
    if (count <= signInLimits.failuresFree || count % signInLimits.failuresFree === 0)
      request.log.warn(
        { id: request.id, address: request.ip, failure, failures: count },
        'a sign-in failed; failures of this address or user within a minute',
      )
    return error
  }

  #begin(address: string): void {
    const isSuspect = this.#countOf(address) >= signInLimits.failuresFree
    const max = isSuspect ? signInLimits.suspectAttemptsMax : signInLimits.attemptsMax
    const pending = this.#attempts.get(address) ?? 0
    if (pending >= max) throw refusal('tooManySignIns')
    this.#attempts.set(address, pending + 1)
  }

  #end(address: string): void {
    const left = this.#attempts.get(address)! - 1
    if (left === 0) this.#attempts.delete(address)
    else this.#attempts.set(address, left)
  }

  #countOf(key: string): number {
    const failures = this.#failures.get(key)
    return failures === undefined || failures.untilMs <= this.#clock.nowMs() ? 0 : failures.count
  }

  #countOne(key: string): number {
    const count = this.#countOf(key) + 1
    if (count === 1) {
      this.#failures.delete(key)
      forgetOldest(this.#failures, signInLimits.networksKept)
      this.#failures.set(key, { untilMs: this.#clock.nowMs() + minuteMs, count })
    } else this.#failures.get(key)!.count = count
    return count
  }

  #remember(hash: string): void {
    this.#good.delete(hash)
    forgetOldest(this.#good, signInLimits.goodKept)
    this.#good.set(hash, this.#clock.nowMs() + signInLimits.goodMs)
  }
}

/** The address first. */
function keysOf(request: FastifyRequest, user: string | undefined): string[] {
  return [clientNetwork(request.ip), ...(user === undefined ? [] : [user])]
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
