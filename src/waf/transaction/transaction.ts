import { stringOfBytes } from '../../kit/bytes.ts'
import { WorkExceededError } from '../../regex/index.ts'
import type { Prefilter } from '../prefilter/prefilter.ts'
import { ValueSearch } from '../prefilter/search.ts'
import type { CompiledRule, Verdict } from '../program/compiled.ts'
import type { FoldedRun } from '../program/constant-folding.ts'
import type { Phase } from '../program/draft.ts'
import type { CompiledException } from '../program/exception.ts'
import type { MaskedProgram } from '../program/masked-program.ts'
import { hasRuleBetween, nextOf } from '../program/rule-bits.ts'
import type { RuleGroups } from '../program/rule-groups.ts'
import type { Side } from '../program/rule-search.ts'
import type { EngineSettings } from '../program/settings.ts'
import type { Volatile } from '../program/tx-rules.ts'
import type {
  Interruption,
  Observer,
  ProgramRule,
  RuleMatch,
  Steps,
  Transaction,
  WafRequest,
} from '../types.ts'
import { headerValue } from '../variables/headers.ts'
import type { PersistentRecords } from '../variables/persistent.ts'
import { mediaType } from '../variables/response-variables.ts'
import { type HeaderLines, TransactionState } from '../variables/state.ts'
import { Evaluation } from './evaluation.ts'
import { Meter } from './meter.ts'
import { processorOf, RequestBody } from './request-body.ts'

/** The parts of a program that a transaction uses. */
export interface RunnableProgram {
  readonly rules: readonly ProgramRule[]
  /** The same rules, ready to run. */
  readonly ordered: readonly CompiledRule[]
  readonly settings: EngineSettings
  readonly workMax: number
  readonly store: PersistentRecords
  readonly groups: RuleGroups
  readonly volatile: Volatile
  readonly nowMs: (startedMs: number) => number
  prefilter(side: Side): Prefilter
  foldedRun(phase: Phase): FoldedRun
}

/** One request on its way through the phases. */
export class WafTransaction implements Transaction {
  readonly #program: RunnableProgram
  readonly #masked: MaskedProgram
  readonly #state: TransactionState
  readonly #evaluation: Evaluation
  readonly #search: ValueSearch
  readonly #meter: Meter
  /** The folded run of the phases so far, until a disturbance. */
  #foldedRun: FoldedRun | undefined
  #ran = false
  #disturbed = false
  #body: RequestBody | undefined
  #interrupted = false
  #usedUp = false
  /** Phases up to this one are not run, because of `allow`. */
  #allowedUpTo = 0

  readonly #observer: Observer | undefined

  constructor(
    program: RunnableProgram,
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
      masked.ruleCount,
      masked.enabled,
      kind => (kind === 'volatile' ? this.#ownVolatile() : this.#leaveFoldedRun()),
      observer,
      exceptions,
    )
    this.#meter = new Meter(workMax)
    this.#search = new ValueSearch(masked, this.#state, this.#evaluation, this.#meter, side =>
      program.prefilter(side),
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
      this.#state.body = this.#body.end(complete)
      if (this.#state.settings.requestBodyLimitAction === 'Reject' && this.#body.isTooLong) {
        const refusal = this.#refuse(413)
        if (refusal !== undefined) return refusal
      }
    }
    const asked = yield* this.#run(2)
    // Rules have more details than the engine, so they come first.
    return asked ?? (this.#state.body.unreadCharset === undefined ? undefined : this.#refuse(415))
  }

  get requestBodyCut(): boolean {
    return this.#state.body.cut
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

  *workOutData(): Generator<void, void, void> {
    this.#meter.begin()
    try {
      for (const captures of this.#evaluation.shown) yield* this.#meter.inSlices(captures.workOut())
    } catch (error) {
      if (!(error instanceof WorkExceededError)) throw error
      for (const captures of this.#evaluation.shown) captures.giveUp()
    } finally {
      this.#meter.pause()
    }
  }

  get requestScore(): number {
    return this.#evaluation.requestScore
  }

  get responseScore(): number {
    return this.#evaluation.responseScore
  }

  get overBudget(): boolean {
    return this.#usedUp || this.#evaluation.limitsReached > 0
  }

  get workShare(): number {
    return this.#meter.share
  }

  /** Logging always runs, unless the engine is off or the work budget used up. */
  #mayRun(phase: Phase): boolean {
    if (this.#state.engine === 'Off' || this.#usedUp) return false
    return phase === 5 || (!this.#interrupted && phase > this.#allowedUpTo)
  }

  /**
   * Runs the rules of a phase in load order until one stops the request; matches may jump ahead. Most phases end in
   * their first slice, so the usual path is this one generator and no other.
   */
  *#run(phase: Phase): Steps {
    if (!this.#mayRun(phase)) return undefined
    this.#beginPhase(phase)
    const { ordered } = this.#program
    try {
      if (this.#observer === undefined) while (!this.#search.look(phase)) yield* this.#meter.rest()
      if (this.#endIfUsedUp()) return undefined
      for (
        let index = this.#nextRule(phase, 0);
        index < ordered.length;
        index = this.#nextRule(phase, index)
      ) {
        const rule = ordered[index]!
        const verdict =
          this.#search.sawLong || this.#observer !== undefined
            ? yield* this.#meter.inSlices(this.#evaluation.runInSlices(rule))
            : this.#evaluation.run(rule)
        this.#meter.spend(this.#evaluation.takeWork())
        if (this.#endIfUsedUp()) return undefined
        if (verdict === undefined) index++
        else {
          const interruption = verdict.kind === 'pass' ? undefined : this.#obey(verdict, rule.info.id, phase)
          const ending = this.#endingAfter(verdict, interruption, phase)
          if (ending !== undefined) {
            this.#observer?.ended(rule.info, ending)
            return interruption
          }
          index = this.#indexAfter(rule)
        }
        if (this.#meter.isDue) yield* this.#meter.rest()
      }
      this.#state.tx.ruleIndex = ordered.length
      return undefined
    } catch (error) {
      if (!(error instanceof WorkExceededError)) throw error
      this.#endAsUsedUp()
      return undefined
    } finally {
      this.#meter.pause()
    }
  }

  #beginPhase(phase: Phase): void {
    if (phase > 1) this.#state.leavePhase1()
    this.#evaluation.beginPhase()
    this.#beginFoldedRun(phase)
    this.#meter.begin()
  }

  /** Why the phase ends after a match; undefined if it goes on. */
  #endingAfter(verdict: Verdict, interruption: Interruption | undefined, phase: Phase): Ending | undefined {
    if (interruption !== undefined) return 'interrupted'
    if (verdict.kind !== 'pass' && phase <= this.#allowedUpTo && phase !== 5) return 'allowed'
    return this.#state.engine === 'Off' ? 'switched-off' : undefined
  }

  #endIfUsedUp(): boolean {
    if (this.#meter.isUsedUp) this.#endAsUsedUp()
    return this.#usedUp
  }

  #endAsUsedUp(): void {
    this.#usedUp = true
    this.#evaluation.limitReached()
  }

  #beginFoldedRun(phase: Phase): void {
    // No rule of the phase has run.
    this.#state.tx.ruleIndex = 0
    if (this.#disturbed) return
    this.#foldedRun = this.#ran ? this.#foldedRun!.after(phase) : this.#program.foldedRun(phase)
    this.#ran = true
    this.#state.tx.know(this.#foldedRun)
  }

  /** A rule is about to score: from here on the request runs the rules that depend on scores. */
  #ownVolatile(): void {
    const folded = this.#foldedRun
    if (this.#disturbed || folded === undefined || folded === folded.steady) return
    this.#foldedRun = folded.steady
    this.#state.tx.own(this.#program.volatile.names, folded.steady)
  }

  #leaveFoldedRun(): void {
    if (this.#disturbed) return
    this.#disturbed = true
    this.#foldedRun = undefined
    this.#state.tx.takeOver()
  }

  /** The first rule from `index` on that must run. */
  #nextRule(phase: Phase, index: number): number {
    if (this.#observer !== undefined) return this.#nextIn(index, phase)
    const { visit, members } = this.#program.groups
    const always = this.#foldedRun?.visit ?? visit[phase]!
    const reached = this.#foldedRun?.reached ?? members[phase]!
    const next = nextOf(index, this.#masked.enabled, always, this.#search.hits, reached)
    return next < 0 ? this.#program.ordered.length : next
  }

  #nextIn(index: number, phase: Phase): number {
    const members = this.#program.groups.members[phase]!
    const next = nextOf(index, this.#masked.enabled, members, members, members)
    return next < 0 ? this.#program.ordered.length : next
  }

  /** The index to continue at after a match. Rules that it jumps over differ from the folded run. */
  #indexAfter({ info, jump }: CompiledRule): number {
    if (jump < 0) return info.index + 1
    if (this.#observer !== undefined) this.#tellJump(info, jump)
    if (this.#foldedRun !== undefined && hasRuleBetween(this.#foldedRun.folded, info.index + 1, jump)) {
      this.#leaveFoldedRun()
    }
    return jump
  }

  #tellJump(by: ProgramRule, jump: number): void {
    for (
      let index = this.#nextIn(by.index + 1, by.phase);
      index < jump;
      index = this.#nextIn(index + 1, by.phase)
    ) {
      this.#observer!.skipped(this.#program.rules[index]!, 'jumped-over', by)
    }
  }

  /** The effect of a verdict: none if the engine only detects, or in the logging phase. */
  #obey(verdict: Exclude<Verdict, { kind: 'pass' }>, ruleId: number, phase: Phase): Interruption | undefined {
    if (this.#state.engine !== 'On' || phase === 5) return undefined
    this.#leaveFoldedRun()
    if (verdict.kind === 'allow') {
      this.#allowedUpTo =
        verdict.scope === 'all' ? 4 : verdict.scope === 'request' ? Math.max(2, phase) : phase
      return undefined
    }
    this.#interrupted = true
    const { kind: action, status, location } = verdict
    if (action !== 'drop') this.#state.refusedWith = String(status)
    if (location === undefined) return { ruleId, action, status }
    return { ruleId, action, status, location: this.#evaluation.expandAll(location) }
  }

  /** The engine's own refusal of a body beyond the limit, or in an unreadable charset; its rule id is 0. */
  #refuse(status: number): Interruption | undefined {
    if (this.#state.engine !== 'On') return undefined
    this.#leaveFoldedRun()
    this.#interrupted = true
    this.#state.refusedWith = String(status)
    return { ruleId: 0, action: 'deny', status }
  }
}

type Ending = Parameters<Observer['ended']>[1]
