import type { CrsFile } from '../model/resource.ts'
import {
  type Action,
  type ActionStatement,
  parse,
  type RuleStatement,
  type SourceFile,
} from '../seclang/index.ts'
import { assemble } from './assemble.ts'
import { CrsError } from './crs-error.ts'
import { includedFiles } from './resolve.ts'

/** The contents of a rule of a release. */
export interface CrsRule {
  readonly id: number
  /** File of the release. */
  readonly file: string
  readonly message: string
  /** In upper case; empty when it has none. */
  readonly severity: string
  /** 1–4; 0 when it belongs to no level. */
  readonly paranoiaLevel: number
  readonly tags: readonly string[]
  /** As written, chain included; byte string. */
  readonly text: string
}

export type RuleLike = RuleStatement | ActionStatement

/**
 * Rules of a release as its files have them, without what comes from elsewhere.
 * @throws CrsError `does-not-compile` when the release cannot be read any more
 */
export function ruleStatementsOf(files: readonly CrsFile[]): readonly RuleLike[] {
  const own = new Set(files.map(file => file.name))
  const sources: readonly SourceFile[] = assemble(files, undefined).filter(file => own.has(file.name))
  const parsed = parse(sources, { include: (name, from) => includedFiles(name, from, files) })
  if (!parsed.ok) throw CrsError.fromDiagnostics('a CRS release', parsed.diagnostics)
  return parsed.value.filter(statement => statement.kind === 'rule' || statement.kind === 'action')
}

/** Undefined for what has no number. */
export function ruleOf(statement: RuleLike): CrsRule | undefined {
  const id = Number(lastOf(statement.actions, 'id'))
  if (!Number.isInteger(id)) return undefined
  const links = statement.kind === 'rule' ? statement.links : []
  const tags = [statement, ...links].flatMap(part => valuesOf(part.actions, 'tag'))
  return {
    id,
    file: statement.span.source,
    message: lastOf(statement.actions, 'msg') ?? '',
    severity: (lastOf(statement.actions, 'severity') ?? '').toUpperCase(),
    paranoiaLevel: levelOf(tags),
    tags,
    text: [statement, ...links].map(part => part.text).join('\n'),
  }
}

function levelOf(tags: readonly string[]): number {
  const level = tags.find(tag => /^paranoia-level\/[1-4]$/.test(tag))
  return level === undefined ? 0 : Number(level.slice(-1))
}

function valuesOf(actions: readonly Action[], name: string): readonly string[] {
  return actions.filter(action => action.name === name).map(action => action.value ?? '')
}

function lastOf(actions: readonly Action[], name: string): string | undefined {
  return valuesOf(actions, name).at(-1)
}
