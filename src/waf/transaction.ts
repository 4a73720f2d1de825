import { stringOfBytes } from '../kit/bytes.ts'
import { Evaluation } from './evaluation.ts'
import { ValueSearch } from './gate/search.ts'
import { Meter } from './meter.ts'
import type { CleanRun } from './program/clean-run.ts'
import type { CompiledRule, Verdict } from './program/compiled.ts'
import type { Phase } from './program/draft.ts'
import type { CompiledException } from './program/exception.ts'
import type { MaskedProgram } from './program/masked-program.ts'
import type { CompiledProgram } from './program/program.ts'
import { hasRuleBetween, nextOf } from './program/rule-bits.ts'
import { processorOf, RequestBody } from './request-body.ts'
import type {
  Interruption,
  Observer,
  ProgramRule,
  RuleMatch,
  Steps,
  Transaction,
  WafRequest,
} from './types.ts'
import { headerValue } from './variables/headers.ts'
import type { PersistentRecords } from './variables/persistent.ts'
import { mediaType } from './variables/response-variables.ts'
import { type HeaderLines, TransactionState } from './variables/state.ts'

/** One request on its way through the phases. */
export class WafTransaction implements Transaction {
  readonly #program: CompiledProgram
  readonly #masked: MaskedProgram
  readonly #state: TransactionState
  readonly #evaluation: Evaluation
  readonly #search: ValueSearch
  readonly #meter: Meter
  /** The phases run so far, as long as nothing out of the ordinary has happened. */
  #clean: CleanRun | undefined
  #ran = false
  #disturbed = false
  #body: RequestBody | undefined
  #interrupted = false
  #overBudget = false
  /** `allow` was said: phases up to this one are not run. */
  #allowedUpTo = 0

  readonly #observer: Observer | undefined

  constructor(
    program: CompiledProgram,
    masked: MaskedProgram,
    request: WafRequest,
    observer?: Observer,
    exceptions?: readonly CompiledException[],
    records: PersistentRecords = program.store,
  ) {
    this.#observer = observer
    this.#disturbed = observer !== undefined
    const { settings, workMax } = program
    this.#program = program
    this.#masked = masked
    this.#state = new TransactionState(request, settings, () => program.nowMs(request.startedMs))
    this.#evaluation = new Evaluation(
      this.#state,
      records,
      program.rules.length,
      () => this.#leaveCleanRun(),
      observer,
      exceptions,
    )
    this.#meter = new Meter(workMax)
    this.#search = new ValueSearch(masked, this.#state, this.#evaluation, this.#meter, side =>
      program.gate(side),
    )
  }

  requestHeaders(): Steps {
    this.#state.processor = processorOf(headerValue(this.#state.request.headers, 'content-type'))
    return this.#run(1)
  }

  get wantsRequestBody(): boolean {
    return this.#masked.wantsRequestBody && this.#state.requestBodyAccess && this.#mayRun(2)
  }

  get requestBodyBytesMax(): number {
    return RequestBody.bytesMax(this.#state)
  }

  addRequestBody(part: Uint8Array): void {
    if (!this.#state.requestBodyAccess || !this.#mayRun(2)) return
    this.#body ??= new RequestBody(this.#state)
    this.#body.add(part)
  }

  *requestBody(complete: boolean): Steps {
    if (!this.#mayRun(2)) return undefined
    if (this.#state.requestBodyAccess) {
      this.#body ??= new RequestBody(this.#state)
      if (this.#state.settings.requestBodyLimitAction === 'Reject' && this.#body.isTooLong) {
        const refusal = this.#refuse(413)
        if (refusal !== undefined) return refusal
      }
      this.#state.body = this.#body.end(complete)
    }
    return yield* this.#run(2)
  }

  responseHeaders(status: number, protocol: string, headers: HeaderLines): Steps {
    this.#state.response = { status: String(status), protocol, headers, body: undefined, cut: false }
    return this.#run(3)
  }

  get wantsResponseBody(): boolean {
    const { response, settings, responseBodyAccess } = this.#state
    if (response === undefined || !responseBodyAccess) return false
    if (!this.#masked.wantsResponseBody || !this.#mayRun(4)) return false
    return settings.responseBodyMimeTypes.has(mediaType(response.headers))
  }

  *responseBody(body: Uint8Array, complete: boolean): Steps {
    const { response, settings } = this.#state
    if (response !== undefined && this.wantsResponseBody) {
      const length = Math.min(body.length, settings.responseBodyLimit)
      if (settings.responseBodyLimitAction === 'Reject' && length < body.length) {
        const refusal = this.#refuse(500)
        if (refusal !== undefined) return refusal
      }
      this.#state.setResponseBody(stringOfBytes(body, length), !complete || length < body.length)
    }
    return yield* this.#run(4)
  }

  logging(): Steps {
    return this.#run(5)
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

  get overBudget(): boolean {
    return this.#overBudget
  }

  /** Logging always runs, unless the engine is off or the work budget used up. */
  #mayRun(phase: Phase): boolean {
    if (this.#state.engine === 'Off' || this.#overBudget) return false
    return phase === 5 || (!this.#interrupted && phase > this.#allowedUpTo)
  }

  /** Rules in load order, as far as they do not stop the request or jump ahead. */
  *#run(phase: Phase): Steps {
    if (!this.#mayRun(phase)) return undefined
    this.#evaluation.beginPhase()
    this.#beginCleanRun(phase)
    if (this.#observer === undefined) yield* this.#search.look(phase)
    if (this.#endIfUsedUp()) return undefined
    const { ordered } = this.#program
    for (let place = this.#nextRule(phase, 0); place < ordered.length; ) {
      const rule = ordered[place]!
      const verdict = this.#evaluation.run(rule)
      this.#meter.spend(this.#evaluation.takeWork())
      if (this.#endIfUsedUp()) return undefined
      if (verdict === undefined) place++
      else {
        if (verdict.kind !== 'pass') {
          const interruption = this.#obey(verdict, rule.info.id, phase)
          if (interruption !== undefined) {
            this.#observer?.ended(rule.info, 'interrupted')
            return interruption
          }
          if (phase <= this.#allowedUpTo && phase !== 5) {
            this.#observer?.ended(rule.info, 'allowed')
            return undefined
          }
        }
        if (this.#state.engine === 'Off') {
          this.#observer?.ended(rule.info, 'switched-off')
          return undefined
        }
        place = this.#placeAfter(rule)
      }
      if (this.#meter.isDue) {
        yield
        this.#meter.resume()
      }
      place = this.#nextRule(phase, place)
    }
    this.#state.tx.place = ordered.length
    return undefined
  }

  #endIfUsedUp(): boolean {
    this.#overBudget = this.#meter.isUsedUp
    return this.#overBudget
  }

  #beginCleanRun(phase: Phase): void {
    if (this.#disturbed) return
    this.#clean = this.#ran ? this.#clean!.after(phase) : this.#program.cleanRun(phase)
    this.#ran = true
    this.#state.tx.know(this.#clean)
  }

  #leaveCleanRun(): void {
    if (this.#disturbed) return
    this.#disturbed = true
    this.#clean = undefined
    this.#state.tx.takeOver()
  }

  /** The first rule from `place` on that has to be run. */
  #nextRule(phase: Phase, place: number): number {
    if (this.#observer !== undefined) return this.#nextIn(place, phase)
    const { visit, members } = this.#program.groups
    const always = this.#clean?.visit ?? visit[phase]!
    const reached = this.#clean?.reached ?? members[phase]!
    const next = nextOf(place, this.#masked.enabled, always, this.#search.hits, reached)
    return next < 0 ? this.#program.ordered.length : next
  }

  #nextIn(place: number, phase: Phase): number {
    const members = this.#program.groups.members[phase]!
    const next = nextOf(place, this.#masked.enabled, members, members, members)
    return next < 0 ? this.#program.ordered.length : next
  }

  /** Where a match goes on. What it jumps over is no longer as in a clean run. */
  #placeAfter({ info, jump }: CompiledRule): number {
    if (jump < 0) return info.index + 1
    if (this.#observer !== undefined) this.#tellJump(info, jump)
    if (this.#clean !== undefined && hasRuleBetween(this.#clean.folded, info.index + 1, jump)) {
      this.#leaveCleanRun()
    }
    return jump
  }

  #tellJump(by: ProgramRule, jump: number): void {
    for (
      let place = this.#nextIn(by.index + 1, by.phase);
      place < jump;
      place = this.#nextIn(place + 1, by.phase)
    ) {
      this.#observer!.skipped(this.#program.rules[place]!, 'jumped-over', by)
    }
  }

  /** What a verdict comes to: nothing when the engine only detects, or in the logging phase. */
  #obey(verdict: Exclude<Verdict, { kind: 'pass' }>, ruleId: number, phase: Phase): Interruption | undefined {
    if (this.#state.engine !== 'On' || phase === 5) return undefined
    this.#leaveCleanRun()
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
    this.#leaveCleanRun()
    this.#interrupted = true
    return { ruleId: 0, action: 'deny', status }
  }
}
