import { assert } from '../../kit/assert.ts'
import { type CountedLink, excludableLinks } from '../prefilter/count-plan.ts'
import { MemoAllowance } from '../prefilter/memo.ts'
import { Prefilter } from '../prefilter/prefilter.ts'
import type { PrefilterTables } from '../prefilter/prefilter-tables.ts'
import { isCounting, type PrefilteredRule, prefilteredRule } from '../prefilter/prefiltered-rule.ts'
import { inspect } from '../transaction/inspect.ts'
import { WafTransaction } from '../transaction/transaction.ts'
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
import type { CompiledRule } from './compiled.ts'
import { FoldedRun } from './constant-folding.ts'
import { type Phase, phases } from './draft.ts'
import { CompiledException, exceptionsOf } from './exception.ts'
import { markInertValues } from './inert-values.ts'
import { MaskedProgram } from './masked-program.ts'
import type { PrefilterSource } from './prefilter-source.ts'
import { hasRule } from './rule-bits.ts'
import { groupsOf, type RuleGroups } from './rule-groups.ts'
import { RuleSearches, type Side } from './rule-search.ts'
import type { EngineSettings } from './settings.ts'
import { readsLastMatch, type Volatile, volatileOf } from './tx-rules.ts'

/** The parts of a program. */
export interface ProgramParts {
  readonly rules: readonly ProgramRule[]
  /** The same, ready to run. */
  readonly ordered: readonly CompiledRule[]
  readonly settings: EngineSettings
  /** @param rules prefiltered rules, by index */
  readonly prefilterSource: (rules: readonly CompiledRule[]) => PrefilterSource
  /** Number of nodes of the transformation trie. */
  readonly nodeCount: number
  readonly nowMs: (startedMs: number) => number
  readonly memoBytesMax: number
  readonly workMax: number
}

export class CompiledProgram implements Program {
  readonly rules: readonly ProgramRule[]
  readonly ordered: readonly CompiledRule[]
  readonly prefiltered: readonly PrefilteredRule[]
  readonly countedLinks: readonly CountedLink[]
  readonly settings: EngineSettings
  readonly nowMs: (startedMs: number) => number
  readonly workMax: number
  readonly store = new PersistentStore()
  readonly memoAllowance: MemoAllowance | undefined
  readonly groups: RuleGroups
  readonly volatile: Volatile
  readonly searches = new RuleSearches(this)
  readonly #nodeCount: number
  readonly #prefilterSource: PrefilterSource
  readonly #prefilters: Partial<Record<Side, Prefilter>> = {}
  readonly #foldedRuns = new Map<Phase, FoldedRun>()
  readonly #masked = new WeakMap<RuleMask, MaskedProgram>()
  /** The mask for callers without one. */
  #everyRule: RuleMask | undefined

  constructor(parts: ProgramParts) {
    this.rules = parts.rules
    this.ordered = parts.ordered
    this.settings = parts.settings
    this.nowMs = parts.nowMs
    this.workMax = parts.workMax
    this.memoAllowance = parts.memoBytesMax > 0 ? new MemoAllowance(parts.memoBytesMax) : undefined
    this.#nodeCount = parts.nodeCount
    this.volatile = volatileOf(parts.ordered)
    this.#leaveUnreached()
    markInertValues(parts.ordered)
    this.groups = groupsOf(parts.ordered)
    this.countedLinks = countedLinksOf(parts.ordered)
    const prefiltered = parts.ordered.filter(rule => rule.prefiltered && !isCounting(rule))
    this.#prefilterSource = parts.prefilterSource(prefiltered)
    this.prefiltered = prefiltered.map(rule => prefilteredRule(rule, this.#prefilterSource.facts(rule)))
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

  /** Values need no search for rules that are skipped in every ordinary request. */
  #leaveUnreached(): void {
    let run: FoldedRun | undefined
    for (const phase of phases) {
      run = run === undefined ? this.foldedRun(phase) : run.after(phase)
      for (const rule of this.ordered) {
        if (rule.info.phase === phase && !hasRule(run.reached, rule.info.index)) rule.prefiltered = false
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
    return Object.values(this.#prefilters).reduce((sum, prefilter) => sum + prefilter.tableBytes, 0)
  }

  prefilter(side: Side): Prefilter {
    this.#prefilters[side] ??= new Prefilter(this.prefilterTables(side), this.ordered.length, this.#nodeCount)
    return this.#prefilters[side]
  }

  readonly prefilterTables = (side: Side): PrefilterTables => this.#prefilterSource.tables(side)

  /** The folded run of the first phase of a request. */
  foldedRun(phase: Phase): FoldedRun {
    let run = this.#foldedRuns.get(phase)
    if (run === undefined) {
      run = FoldedRun.first(this, phase)
      this.#foldedRuns.set(phase, run)
    }
    return run
  }
}

/** Links whose outcome a number of values may decide. */
function countedLinksOf(rules: readonly CompiledRule[]): CountedLink[] {
  // A rule that another link excludes does not set MATCHED_VAR.
  const excludes = !rules.some(readsLastMatch)
  return rules.flatMap(rule => {
    const first = rule.prefiltered && isCounting(rule) ? [rule.links[0]!] : []
    const links = excludes ? [...first, ...excludableLinks(rule)] : first
    return links.map(link => ({ rule, link }))
  })
}
