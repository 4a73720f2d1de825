import type { Diagnostic, Outcome } from '../../kit/diagnostic.ts'
import type { SourceFile, Statement } from '../../seclang/ast.ts'
import { parse } from '../../seclang/index.ts'
import type { CompiledRule } from '../program/compiled.ts'
import { draftOf } from '../program/draft.ts'
import { NewPrefilters } from '../program/prefilter-source.ts'
import type { CompiledProgram } from '../program/program.ts'
import { markTxRules } from '../program/tx-rules.ts'
import { snapshotOf } from '../snapshot/program-snapshot.ts'
import type { CompileOptions, Program } from '../types.ts'
import { buildProgram, type CostlyParts, type ProgramSource } from './build-program.ts'
import { applyDirective } from './directives.ts'
import { LoadState } from './load-state.ts'
import { OperatorTable } from './operator-table.ts'
import { Problems } from './problems.ts'

/**
 * Compiles SecLang sources, in load order, into a program. All mistakes in the rules are found here.
 * @returns the program, or the diagnostics: the codes of the parser, and `unsupported-` `directive` `value` `operator`
 * `action` `variable` `xpath`; `invalid-` `operator` `regex` `value` `number` `id`; `misplaced-action`
 */
export function compile(files: readonly SourceFile[], options: CompileOptions): Outcome<Program> {
  const made = make(files, options)
  return made.ok ? { ok: true, value: made.value.program } : made
}

/**
 * Compiles SecLang sources into a snapshot: one block of memory from which `loadProgram` makes the program in any
 * thread and, from a file, in any later process. Takes about twice as long as `compile`, because nothing is left to the
 * first use.
 * @returns as `compile`
 */
export function compileSnapshot(
  files: readonly SourceFile[],
  options: Pick<CompileOptions, 'readData' | 'include' | 'passive'>,
): Outcome<SharedArrayBuffer> {
  const made = make(files, options)
  if (!made.ok) return made
  const { program, source, parts } = made.value
  return { ok: true, value: snapshotOf(program, source, parts) }
}

interface Made {
  readonly program: CompiledProgram
  readonly source: ProgramSource
  readonly parts: CostlyParts
}

function make(files: readonly SourceFile[], options: CompileOptions): Outcome<Made> {
  const parsed = parse(files, options.include === undefined ? {} : { include: options.include })
  if (!parsed.ok) return parsed
  const problems = new Problems()
  const { drafts, settings, patterns } = readStatements(parsed.value, problems)
  const source = { drafts, settings, passive: options.passive ?? [] }
  const operators = new OperatorTable(problems, options.readData)
  const parts = { operators, patterns, mark: markTxRules, prefilterSource: newPrefilters }
  const program = buildProgram(source, parts, problems, options)
  return problems.diagnostics.length === 0
    ? { ok: true, value: { program, source, parts } }
    : { ok: false, diagnostics: inOrder(problems.diagnostics, parsed.value) }
}

function newPrefilters(prefiltered: readonly CompiledRule[]): NewPrefilters {
  return new NewPrefilters(prefiltered)
}

/** Directives change the statements above them, so statements are applied one by one. */
function readStatements(statements: readonly Statement[], problems: Problems): LoadState {
  const load = new LoadState(problems)
  for (const statement of statements) {
    if (statement.kind === 'directive') applyDirective(statement, load)
    else if (statement.kind === 'marker') load.drafts.push({ kind: 'marker', name: statement.name })
    else load.drafts.push(draftOf(statement, phase => load.defaults.get(phase) ?? []))
  }
  return load
}

/** By position in the sources; an included file comes at its first statement. */
function inOrder(diagnostics: readonly Diagnostic[], statements: readonly Statement[]): Diagnostic[] {
  const sources = new Set(statements.map(statement => statement.span.source))
  const order = new Map([...sources].map((source, rank) => [source, rank]))
  const rank = (diagnostic: Diagnostic): number => order.get(diagnostic.source) ?? 0
  return diagnostics.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column)
}
