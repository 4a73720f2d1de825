import { assert } from '../../kit/assert.ts'
import { wafLimits } from '../../kit/limits.ts'
import { type IdRange, inRanges } from '../actions/id-ranges.ts'
import type { CompileOptions } from '../types.ts'
import { compileRule, type RuleContext, type UnplacedRule } from './compile-rule.ts'
import type { CompiledRule } from './compiled.ts'
import type { Draft } from './draft.ts'
import { placeRules } from './flow.ts'
import type { OperatorTable } from './operator-table.ts'
import type { Patterns } from './patterns.ts'
import type { Problems } from './problems.ts'
import { CompiledProgram, type ProgramParts } from './program.ts'
import { RuleSelections } from './rule-selections.ts'
import type { EngineSettings } from './settings.ts'
import { SelectionNumbers } from './targets.ts'
import { TransformTrie } from './transform-trie.ts'

/** What sources come to, once every directive has had its effect. */
export interface ProgramSource {
  readonly drafts: readonly Draft[]
  readonly settings: EngineSettings
  /** See `CompileOptions.passive`. */
  readonly passive: readonly IdRange[]
}

/** What costs most, made anew or taken from an image. */
export interface CostlyParts {
  readonly operators: OperatorTable
  readonly patterns: Patterns
  /** Fills what `markTxRules` does. */
  readonly mark: (rules: readonly CompiledRule[]) => void
  readonly gateSource: ProgramParts['gateSource']
}

/** What is left to whoever runs a program. */
export type RunOptions = Pick<CompileOptions, 'clock' | 'memoBytesMax' | 'workMax'>

/** Mistakes go to `problems`; a program with any is not to be run. */
export function buildProgram(
  { drafts, settings, passive }: ProgramSource,
  { operators, patterns, mark, gateSource }: CostlyParts,
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
  const items: (UnplacedRule | string)[] = []
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
  const ordered = placeRules(items)
  mark(ordered)
  return new CompiledProgram({
    rules: Object.freeze(infos),
    ordered,
    settings,
    gateSource,
    nodeCount: context.trie.size,
    nowMs: clock === undefined ? startedMs => startedMs : () => clock.nowMs(),
    memoBytesMax,
    workMax,
  })
}
