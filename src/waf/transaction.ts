import { stringOfBytes } from '../kit/bytes.ts'
import { Evaluation } from './evaluation.ts'
import type { Verdict } from './program/compiled.ts'
import type { Phase } from './program/draft.ts'
import type { CompiledProgram, MaskedProgram } from './program/program.ts'
import { inspectedBytesMax, processorOf, readRequestBody } from './request-body.ts'
import type { Interruption, RuleMatch, Transaction, WafRequest } from './types.ts'
import { headerValue } from './variables/headers.ts'
import { mediaType } from './variables/response-variables.ts'
import { type HeaderLines, TransactionState } from './variables/state.ts'

/** One request on its way through the phases. */
export class WafTransaction implements Transaction {
  readonly #masked: MaskedProgram
  readonly #state: TransactionState
  readonly #evaluation: Evaluation
  #interrupted = false
  /** `allow` was said: phases up to this one are not run. */
  #allowedUpTo = 0

  constructor(program: CompiledProgram, masked: MaskedProgram, request: WafRequest) {
    const { settings, store } = program
    this.#masked = masked
    this.#state = new TransactionState(request, settings, () => program.nowMs(request.startedMs))
    this.#evaluation = new Evaluation(this.#state, store, program.rules.length)
  }

  requestHeaders(): Interruption | undefined {
    this.#state.processor = processorOf(headerValue(this.#state.request.headers, 'content-type'))
    return this.#run(1)
  }

  get wantsRequestBody(): boolean {
    return this.#masked.wantsRequestBody && this.#state.requestBodyAccess && this.#mayRun(2)
  }

  requestBody(body: Uint8Array, complete: boolean): Interruption | undefined {
    if (!this.#mayRun(2)) return undefined
    if (this.#state.requestBodyAccess) {
      const { requestBodyLimitAction } = this.#state.settings
      if (requestBodyLimitAction === 'Reject' && body.length > inspectedBytesMax(this.#state)) {
        const refusal = this.#refuse(413)
        if (refusal !== undefined) return refusal
      }
      this.#state.body = readRequestBody(body, complete, this.#state)
    }
    return this.#run(2)
  }

  responseHeaders(status: number, protocol: string, headers: HeaderLines): Interruption | undefined {
    this.#state.response = { status: String(status), protocol, headers, body: undefined, cut: false }
    return this.#run(3)
  }

  get wantsResponseBody(): boolean {
    const { response, settings, responseBodyAccess } = this.#state
    if (response === undefined || !responseBodyAccess) return false
    if (!this.#masked.wantsResponseBody || !this.#mayRun(4)) return false
    return settings.responseBodyMimeTypes.has(mediaType(response.headers))
  }

  responseBody(body: Uint8Array, complete: boolean): Interruption | undefined {
    const { response, settings } = this.#state
    if (response !== undefined && this.wantsResponseBody) {
      const length = Math.min(body.length, settings.responseBodyLimit)
      if (settings.responseBodyLimitAction === 'Reject' && length < body.length) {
        const refusal = this.#refuse(500)
        if (refusal !== undefined) return refusal
      }
      const cut = !complete || length < body.length
      this.#state.response = { ...response, body: stringOfBytes(body, length), cut }
    }
    return this.#run(4)
  }

  logging(): void {
    this.#run(5)
  }

  get matches(): readonly RuleMatch[] {
    return this.#evaluation.matches
  }

  get requestScore(): number {
    return this.#evaluation.requestScore
  }

  get responseScore(): number {
    return this.#evaluation.responseScore
  }

  /** Logging always runs, unless the engine is off. */
  #mayRun(phase: Phase): boolean {
    if (this.#state.engine === 'Off') return false
    return phase === 5 || (!this.#interrupted && phase > this.#allowedUpTo)
  }

  /** Rules in load order, as far as they do not stop the request or jump ahead. */
  #run(phase: Phase): Interruption | undefined {
    if (!this.#mayRun(phase)) return undefined
    this.#evaluation.beginPhase()
    const { rules, next } = this.#masked.phases[phase]!
    for (let place = 0; place < rules.length; ) {
      const rule = rules[place]!
      const verdict = this.#evaluation.run(rule)
      if (verdict === undefined) {
        place++
        continue
      }
      if (verdict.kind !== 'pass') {
        const interruption = this.#obey(verdict, rule.info.id, phase)
        if (interruption !== undefined) return interruption
        if (phase <= this.#allowedUpTo && phase !== 5) return undefined
      }
      if (this.#state.engine === 'Off') return undefined
      place = next[place]!
    }
    return undefined
  }

  /** What a verdict comes to: nothing when the engine only detects, or in the logging phase. */
  #obey(verdict: Exclude<Verdict, { kind: 'pass' }>, ruleId: number, phase: Phase): Interruption | undefined {
    if (this.#state.engine !== 'On' || phase === 5) return undefined
    if (verdict.kind === 'allow') {
      this.#allowedUpTo =
        verdict.scope === 'all' ? 4 : verdict.scope === 'request' ? Math.max(2, phase) : phase
      return undefined
    }
    this.#interrupted = true
    const { kind: action, status, location } = verdict
    if (location === undefined) return { ruleId, action, status }
    return { ruleId, action, status, location: this.#evaluation.expandAll(location) }
  }

  /** The engine's own refusal of a body beyond the limit; it bears no rule's id but 0. */
  #refuse(status: number): Interruption | undefined {
    if (this.#state.engine !== 'On') return undefined
    this.#interrupted = true
    return { ruleId: 0, action: 'deny', status }
  }
}
