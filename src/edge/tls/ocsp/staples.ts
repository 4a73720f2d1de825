import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressPolicy } from '../../../outgoing/index.ts'
import type { Staples } from '../certificate-table.ts'
import { ocspLimits } from '../limits.ts'
import { askResponder } from './ask-responder.ts'
import type { Staple } from './messages.ts'
import { type OcspSubject, ocspSubject } from './subject.ts'

export interface OcspStaplesDeps {
  /** The networks in which responders may be. */
  readonly policy: AddressPolicy
  /** A responder gave no usable answer. @param needed clients refuse the certificate without one */
  readonly onFailure: (host: string, error: unknown, needed: boolean) => void
  readonly nowMs: () => number
}

interface Entry {
  readonly subject: OcspSubject
  staple: Staple | undefined
  /** The moment of the next request. */
  dueMs: number
  failures: number
  /** The first request, while it is in progress. */
  first: Promise<void> | undefined
}

/**
 * OCSP responses for the certificates of an edge. They are requested in the background and replaced in the middle of
 * their time. While a responder fails, the last response serves until its end.
 */
export class OcspStaples implements Staples {
  readonly #deps: OcspStaplesDeps
  /** By PEM; undefined where there is nothing to ask for. */
  #entries = new Map<string, Entry | undefined>()
  #asking = 0
  #timer: NodeJS.Timeout | undefined

  constructor(deps: OcspStaplesDeps) {
    this.#deps = deps
  }

  /** Replaces the certificates. @param pems each with its chain */
  use(pems: readonly string[]): void {
    const entries = new Map<string, Entry | undefined>()
    for (const pem of pems) entries.set(pem, this.#entries.has(pem) ? this.#entries.get(pem) : newEntry(pem))
    this.#entries = entries
    this.#next()
  }

  /** Whether the certificate ever gets a response. */
  serves(pem: string): boolean {
    return this.#entries.get(pem) !== undefined
  }

  /** Gets the OCSP response, if there is one. A must-staple certificate waits a moment for its first response. */
  async of(pem: string): Promise<Buffer | undefined> {
    const entry = this.#entries.get(pem)
    if (entry?.first !== undefined && entry.subject.mustStaple)
      await Promise.race([entry.first, sleep(ocspLimits.firstMsMax, undefined, { ref: false })])
    const staple = entry?.staple
    return staple !== undefined && staple.untilMs > this.#deps.nowMs() ? staple.der : undefined
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#entries.clear()
  }

  /** Asks for what is due, and comes back when more is. */
  #next(): void {
    clearTimeout(this.#timer)
    const nowMs = this.#deps.nowMs()
    let soonestMs = Infinity
    for (const entry of this.#entries.values()) {
      if (entry === undefined) continue
      if (entry.dueMs <= nowMs && this.#asking < ocspLimits.requestsMax) this.#begin(entry)
      else soonestMs = Math.min(soonestMs, entry.dueMs)
    }
    // The end of a request calls this again.
    if (soonestMs === Infinity || this.#asking >= ocspLimits.requestsMax) return
    this.#timer = setTimeout(() => this.#next(), Math.min(soonestMs - nowMs, ocspLimits.refreshMsMax))
    this.#timer.unref()
  }

  #begin(entry: Entry): void {
    const isFirst = entry.staple === undefined && entry.failures === 0
    const asked = this.#ask(entry)
    if (!isFirst) return
    entry.first = asked.finally(() => {
      entry.first = undefined
    })
  }

  async #ask(entry: Entry): Promise<void> {
    const { policy, nowMs, onFailure } = this.#deps
    const { subject } = entry
    entry.dueMs = Infinity
    this.#asking++
    try {
      const staple = await askResponder(subject, policy, nowMs)
      const leftMs = staple.untilMs - nowMs()
      entry.dueMs = nowMs() + Math.min(Math.max(leftMs / 2, ocspLimits.retryMsMin), ocspLimits.refreshMsMax)
      entry.staple = staple
      entry.failures = 0
    } catch (error) {
      entry.dueMs = nowMs() + Math.min(ocspLimits.retryMsMin * 2 ** entry.failures++, ocspLimits.retryMsMax)
      onFailure(subject.responder.host, error, subject.mustStaple && this.#isOver(entry))
    } finally {
      this.#asking--
      this.#next()
    }
  }

  #isOver({ staple }: Entry): boolean {
    return staple === undefined || staple.untilMs <= this.#deps.nowMs()
  }
}

function newEntry(pem: string): Entry | undefined {
  let subject: OcspSubject | undefined
  try {
    subject = ocspSubject(pem)
  } catch {
    // Handshakes with it fail, and are counted.
  }
  return subject && { subject, staple: undefined, dueMs: 0, failures: 0, first: undefined }
}
