import { assert } from '../kit/assert.ts'
import type { Diagnostic, Outcome } from '../kit/diagnostic.ts'
import { wafLimits } from '../kit/limits.ts'
import type { SourceFile, Statement } from '../seclang/ast.ts'
import { parse } from '../seclang/index.ts'
import { inRanges } from './actions/id-ranges.ts'
import { compileRule, type RuleContext, type UnplacedRule } from './program/compile-rule.ts'
import { applyDirective, LoadState } from './program/directives.ts'
import { draftOf } from './program/draft.ts'
import { placeRules } from './program/flow.ts'
import { Problems } from './program/problems.ts'
import { CompiledProgram } from './program/program.ts'
import { RuleSelections } from './program/rule-selections.ts'
import { SelectionNumbers } from './program/targets.ts'
import { TransformTrie } from './program/transform-trie.ts'
import { markDisturbances } from './program/tx-rules.ts'
import type { CompileOptions, Program } from './types.ts'

/**
 * Compiles SecLang sources, in load order, into a program. Everything that can be wrong with the rules is found here.
 * @returns the program, or what is wrong: the codes of the parser, and `unsupported-` `directive` `value` `operator`
 *   `action` `variable` `xpath`; `invalid-` `operator` `regex` `value` `number` `id`; `misplaced-action`
 */
export function compile(files: readonly SourceFile[], options: CompileOptions): Outcome<Program> {
  const parsed = parse(files, options.include === undefined ? {} : { include: options.include })
  if (!parsed.ok) return parsed
  const problems = new Problems()
  const load = readStatements(parsed.value, problems)
  const program = build(load, options)
  return problems.diagnostics.length === 0
    ? { ok: true, value: program }
    : { ok: false, diagnostics: inOrder(problems.diagnostics, parsed.value) }
}

/** Directives act on what stands above them, so statements are taken one by one. */
function readStatements(statements: readonly Statement[], problems: Problems): LoadState {
  const load = new LoadState(problems)
  for (const statement of statements) {
    if (statement.kind === 'directive') applyDirective(statement, load)
    else if (statement.kind === 'marker') load.drafts.push({ kind: 'marker', name: statement.name })
    else load.drafts.push(draftOf(statement, phase => load.defaults.get(phase) ?? []))
  }
  return load
}

function build(load: LoadState, options: CompileOptions): CompiledProgram {
  const { problems, settings } = load
  const passive = options.passive ?? []
  const context: RuleContext = {
    problems,
    readData: options.readData,
    trie: new TransformTrie(),
    selections: new RuleSelections(problems),
    selectionNumbers: new SelectionNumbers(),
    collectionTimeoutSec: settings.collectionTimeoutSec,
    isPassive: id => inRanges(id, passive),
  }
  const items: (UnplacedRule | string)[] = []
  let rules = 0
  for (const draft of load.drafts) {
    items.push(draft.kind === 'marker' ? draft.name : compileRule(draft, rules++, context))
  }
  const infos = items.flatMap(item => (typeof item === 'string' ? [] : [item.rule.info]))
  assert(
    infos.every((info, index) => info.index === index),
    'a rule stands at its index',
  )
  context.selections.resolve(infos)
  const { clock } = options
  const nowMs = clock === undefined ? (startedMs: number) => startedMs : () => clock.nowMs()
  const ordered = placeRules(items)
  markDisturbances(ordered)
  return new CompiledProgram({
    rules: Object.freeze(infos),
    ordered,
    settings,
    nodeCount: context.trie.size,
    nowMs,
    memoBytesMax: options.memoBytesMax ?? wafLimits.memoBytesMax,
    workMax: options.workMax ?? wafLimits.workMax,
  })
}

/** By place in the sources; an included file comes where its first statement does. */
function inOrder(diagnostics: readonly Diagnostic[], statements: readonly Statement[]): Diagnostic[] {
  const sources = new Set(statements.map(statement => statement.span.source))
  const places = new Map([...sources].map((source, place) => [source, place]))
  const place = (diagnostic: Diagnostic): number => places.get(diagnostic.source) ?? 0
  return diagnostics.toSorted((a, b) => place(a) - place(b) || a.line - b.line || a.column - b.column)
}
