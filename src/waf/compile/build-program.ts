import { assert } from '../../kit/assert.ts'
import { type IdRange, inRanges } from '../actions/id-ranges.ts'
import { wafLimits } from '../limits.ts'
import type { CompiledRule } from '../program/compiled.ts'
import type { Draft } from '../program/draft.ts'
import { CompiledProgram, type ProgramParts } from '../program/program.ts'
import type { EngineSettings } from '../program/settings.ts'
import { TransformTrie } from '../program/transform-trie.ts'
import type { CompileOptions } from '../types.ts'
import { compileRule, type RuleContext, type UnorderedRule } from './compile-rule.ts'
import { orderRules } from './flow.ts'
import type { OperatorTable } from './operator-table.ts'
import type { Patterns } from './patterns.ts'
import type { Problems } from './problems.ts'
import { RuleSelections } from './rule-selections.ts'
import { SelectionNumbers } from './targets.ts'

/** The result of the sources, with all directives applied. */
export interface ProgramSource {
  readonly drafts: readonly Draft[]
  readonly settings: EngineSettings
  /** See `CompileOptions.passive`. */
  readonly passive: readonly IdRange[]
}

/** The most expensive parts, built now or taken from a snapshot. */
export interface CostlyParts {
  readonly operators: OperatorTable
  readonly patterns: Patterns
  /** Sets the same fields as `markTxRules`. */
  readonly mark: (rules: readonly CompiledRule[]) => void
  readonly prefilterSource: ProgramParts['prefilterSource']
}

/** Options for running a program. */
export type RunOptions = Pick<CompileOptions, 'clock' | 'memoBytesMax' | 'workMax'>

/** Adds mistakes to `problems`; a program with mistakes must not be run. */
export function buildProgram(
  { drafts, settings, passive }: ProgramSource,
  { operators, patterns, mark, prefilterSource }: CostlyParts,
  problems: Problems,
  { clock, memoBytesMax = wafLimits.memoBytesMax, workMax = wafLimits.workMax }: RunOptions,
): CompiledProgram {
  const context: RuleContext = {
    problems,
    operators,
    patterns,
    trie: new TransformTrie(),
    selections: new RuleSelections(patterns),
    selectionNumbers: new SelectionNumbers(),
    collectionTimeoutSec: settings.collectionTimeoutSec,
    isPassive: id => inRanges(id, passive),
  }
  const items: (UnorderedRule | string)[] = []
  let rules = 0
  for (const draft of drafts) {
    items.push(draft.kind === 'marker' ? draft.name : compileRule(draft, rules++, context))
  }
  const infos = items.flatMap(item => (typeof item === 'string' ? [] : [item.rule.info]))
  assert(
    infos.every((info, index) => info.index === index),
    'a rule stands at its index',
  )
  context.selections.resolve(infos)
  const ordered = orderRules(items)
  mark(ordered)
  return new CompiledProgram({
    rules: Object.freeze(infos),
    ordered,
    settings,
    prefilterSource,
    nodeCount: context.trie.size,
    nowMs: clock === undefined ? startedMs => startedMs : () => clock.nowMs(),
    memoBytesMax,
    workMax,
  })
}
