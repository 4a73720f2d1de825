import { assert } from '../../kit/assert.ts'
import { Gate } from '../gate/gate.ts'
import type { GateTables } from '../gate/gate-tables.ts'
import { type GatedRule, gatedRule } from '../gate/gated-rule.ts'
import { MemoAllowance } from '../gate/memo.ts'
import { inspect } from '../inspect.ts'
import { WafTransaction } from '../transaction.ts'
import type {
  Exception,
  ExceptionSpec,
  InspectedRequest,
  Inspection,
  Observer,
  Program,
  ProgramRule,
  RuleMask,
  Transaction,
  WafRequest,
} from '../types.ts'
import { PersistentStore } from '../variables/persistent.ts'
import { CleanRun } from './clean-run.ts'
import type { CompiledRule } from './compiled.ts'
import { type Phase, phases } from './draft.ts'
import { CompiledException, exceptionsOf } from './exception.ts'
import type { GateSource } from './gate-source.ts'
import { MaskedProgram } from './masked-program.ts'
import { hasRule } from './rule-bits.ts'
import { groupsOf, type RuleGroups } from './rule-groups.ts'
import { RuleSearches, type Side } from './rule-search.ts'
import type { EngineSettings } from './settings.ts'

/** What a program is made of. */
export interface ProgramParts {
  readonly rules: readonly ProgramRule[]
  /** The same, ready to run. */
  readonly ordered: readonly CompiledRule[]
  readonly settings: EngineSettings
  /** @param rules those that are gated, by index */
  readonly gateSource: (rules: readonly CompiledRule[]) => GateSource
  /** Nodes of the transformation trie. */
  readonly nodeCount: number
  readonly nowMs: (startedMs: number) => number
  readonly memoBytesMax: number
  readonly workMax: number
}

export class CompiledProgram implements Program {
  readonly rules: readonly ProgramRule[]
  readonly ordered: readonly CompiledRule[]
  readonly gated: readonly GatedRule[]
  readonly settings: EngineSettings
  readonly nowMs: (startedMs: number) => number
  readonly workMax: number
  readonly store = new PersistentStore()
  readonly memoAllowance: MemoAllowance | undefined
  readonly groups: RuleGroups
  readonly searches = new RuleSearches(this)
  readonly #nodeCount: number
  readonly #gateSource: GateSource
  readonly #gates: Partial<Record<Side, Gate>> = {}
  readonly #cleanRuns = new Map<Phase, CleanRun>()
  readonly #masked = new WeakMap<RuleMask, MaskedProgram>()
  /** For those who give no mask. */
  #everyRule: RuleMask | undefined

  constructor(parts: ProgramParts) {
    this.rules = parts.rules
    this.ordered = parts.ordered
    this.settings = parts.settings
    this.nowMs = parts.nowMs
    this.workMax = parts.workMax
    this.memoAllowance = parts.memoBytesMax > 0 ? new MemoAllowance(parts.memoBytesMax) : undefined
    this.#nodeCount = parts.nodeCount
    this.#leaveUnreached()
    this.groups = groupsOf(parts.ordered)
    const gated = parts.ordered.filter(rule => rule.gated)
    this.#gateSource = parts.gateSource(gated)
    this.gated = gated.map(rule => gatedRule(rule, this.#gateSource.facts(rule)))
  }

  mask(off: (rule: ProgramRule) => boolean): RuleMask {
    const enabled = Uint8Array.from(this.rules, rule => (rule.role !== 'support' && off(rule) ? 0 : 1))
    const mask: RuleMask = Object.freeze({ enabled })
    this.#masked.set(mask, new MaskedProgram(this, enabled))
    return mask
  }

  exception(spec: ExceptionSpec): Exception {
    return new CompiledException(this, spec)
  }

  begin(request: WafRequest, mask: RuleMask, exceptions?: readonly Exception[]): Transaction {
    return new WafTransaction(this, this.#maskedBy(mask), request, undefined, exceptionsOf(this, exceptions))
  }

  rehearse(request: WafRequest, mask: RuleMask, exceptions?: readonly Exception[]): Transaction {
    const excepted = exceptionsOf(this, exceptions)
    return new WafTransaction(this, this.#maskedBy(mask), request, undefined, excepted, this.store.copies())
  }

  /** Values need not be searched for rules that are skipped in every request, as long as nothing is out of the ordinary. */
  #leaveUnreached(): void {
    let run: CleanRun | undefined
    for (const phase of phases) {
      run = run === undefined ? this.cleanRun(phase) : run.after(phase)
      for (const rule of this.ordered) {
        if (rule.info.phase === phase && !hasRule(run.reached, rule.info.index)) rule.gated = false
      }
    }
  }

  observe(
    request: WafRequest,
    mask: RuleMask,
    observer: Observer,
    exceptions?: readonly Exception[],
  ): Transaction {
    const excepted = exceptionsOf(this, exceptions)
    return new WafTransaction(this, this.#maskedBy(mask), request, observer, excepted, this.store.copies())
  }

  #maskedBy(mask: RuleMask): MaskedProgram {
    const masked = this.#masked.get(mask)
    assert(masked !== undefined, 'a mask is used with the program that made it')
    return masked
  }

  inspect(request: InspectedRequest, mask = this.#unmasked()): Promise<Inspection> {
    return inspect(this, request, mask)
  }

  #unmasked(): RuleMask {
    this.#everyRule ??= this.mask(() => false)
    return this.#everyRule
  }

  get tableBytes(): number {
    return Object.values(this.#gates).reduce((sum, gate) => sum + gate.tableBytes, 0)
  }

  gate(side: Side): Gate {
    this.#gates[side] ??= new Gate(this.gateTables(side), this.ordered.length, this.#nodeCount)
    return this.#gates[side]
  }

  readonly gateTables = (side: Side): GateTables => this.#gateSource.tables(side)

  /** What the first phase of a request does when nothing out of the ordinary happens. */
  cleanRun(phase: Phase): CleanRun {
    let run = this.#cleanRuns.get(phase)
    if (run === undefined) {
      run = CleanRun.first(this, phase)
      this.#cleanRuns.set(phase, run)
    }
    return run
  }
}
