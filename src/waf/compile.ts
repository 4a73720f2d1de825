import type { Diagnostic, Outcome } from '../kit/diagnostic.ts'
import type { SourceFile, Statement } from '../seclang/ast.ts'
import { parse } from '../seclang/index.ts'
import { imageOf } from './image/program-image.ts'
import { buildProgram, type CostlyParts, type ProgramSource } from './program/build-program.ts'
import type { CompiledRule } from './program/compiled.ts'
import { applyDirective, LoadState } from './program/directives.ts'
import { draftOf } from './program/draft.ts'
import { NewGates } from './program/gate-source.ts'
import { OperatorTable } from './program/operator-table.ts'
import { Problems } from './program/problems.ts'
import type { CompiledProgram } from './program/program.ts'
import { markTxRules } from './program/tx-rules.ts'
import type { CompileOptions, Program } from './types.ts'

/**
 * Compiles SecLang sources, in load order, into a program. Everything that can be wrong with the rules is found here.
 * @returns the program, or what is wrong: the codes of the parser, and `unsupported-` `directive` `value` `operator`
 *   `action` `variable` `xpath`; `invalid-` `operator` `regex` `value` `number` `id`; `misplaced-action`
 */
export function compile(files: readonly SourceFile[], options: CompileOptions): Outcome<Program> {
  const made = make(files, options)
  return made.ok ? { ok: true, value: made.value.program } : made
}

/**
 * Compiles them into an image: one block of memory from which `loadProgram` makes the program in any thread, and, written
 * to a file, in any later process. Takes about twice as long as `compile`, since nothing is left to the first use.
 * @returns as `compile`
 */
export function compileImage(
  files: readonly SourceFile[],
  options: Pick<CompileOptions, 'readData' | 'include' | 'passive'>,
): Outcome<SharedArrayBuffer> {
  const made = make(files, options)
  if (!made.ok) return made
  const { program, source, parts } = made.value
  return { ok: true, value: imageOf(program, source, parts) }
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
  const parts = { operators, patterns, mark: markTxRules, gateSource: newGates }
  const program = buildProgram(source, parts, problems, options)
  return problems.diagnostics.length === 0
    ? { ok: true, value: { program, source, parts } }
    : { ok: false, diagnostics: inOrder(problems.diagnostics, parsed.value) }
}

function newGates(gated: readonly CompiledRule[]): NewGates {
  return new NewGates(gated)
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

/** By place in the sources; an included file comes where its first statement does. */
function inOrder(diagnostics: readonly Diagnostic[], statements: readonly Statement[]): Diagnostic[] {
  const sources = new Set(statements.map(statement => statement.span.source))
  const places = new Map([...sources].map((source, place) => [source, place]))
  const place = (diagnostic: Diagnostic): number => places.get(diagnostic.source) ?? 0
  return diagnostics.toSorted((a, b) => place(a) - place(b) || a.line - b.line || a.column - b.column)
}
