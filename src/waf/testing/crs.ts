import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic, type Outcome } from '../../kit/diagnostic.ts'
import { compile, compileSnapshot } from '../compile/compile.ts'
import type { CompileOptions, Program, SourceFile } from '../types.ts'

/** Releases of the CRS, if they are beside the repository. */

const folder = join(import.meta.dirname, '../../../../shared/crs')
export const crsMissing = existsSync(folder) ? false : 'the rule sets are not here (../shared/crs)'
export const crsVersions = ['4.28.0', '3.3.10'] as const
export type CrsVersion = (typeof crsVersions)[number]

const base = `
  SecResponseBodyMimeType text/plain text/html text/xml application/json
  SecRule REQUEST_HEADERS:Content-Type "@rx ^(?:application(?:/soap\\+|/)|text/)xml" \\
    "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
  SecRule REQUEST_HEADERS:Content-Type "@rx ^application/json" \\
    "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"`

const levels: Readonly<Record<CrsVersion, string>> = {
  '4.28.0': 'blocking_paranoia_level',
  '3.3.10': 'paranoia_level',
}

interface Options extends Partial<CompileOptions> {
  readonly engine?: 'On' | 'DetectionOnly'
  /** Directives before all others. */
  readonly settings?: string
  /** Directives after all others. */
  readonly more?: string
}

const programs = new Map<string, Program>()
const snapshots = new Map<string, SharedArrayBuffer>()

/**
 * All rules of a release at paranoia level 4, after the base rules of an installation. All tests share one for each
 * engine, because it takes half a second; one with other options is theirs alone.
 */
export function crsProgram(version: CrsVersion, options: Options = {}): Program {
  const { engine, ...own } = options
  if (Object.keys(own).length > 0) return crsCompiled(version, options)
  const key = `${version} ${engine}`
  const program = programs.get(key) ?? crsCompiled(version, options)
  programs.set(key, program)
  return program
}

function crsCompiled(version: CrsVersion, { engine, settings, more, ...options }: Options): Program {
  const files = filesOf(version, engine, settings, more)
  return orFail(compile(files, { readData: name => readRules(version, name), ...options }))
}

/** The same as a snapshot, which tests share, too. */
export function crsSnapshot(version: CrsVersion, engine?: Options['engine']): SharedArrayBuffer {
  const key = `${version} ${engine}`
  const made = () =>
    orFail(compileSnapshot(filesOf(version, engine), { readData: name => readRules(version, name) }))
  const snapshot = snapshots.get(key) ?? made()
  snapshots.set(key, snapshot)
  return snapshot
}

function readRules(version: CrsVersion, name: string): string {
  return readFileSync(join(folder, version, 'rules', name), 'latin1')
}

function filesOf(version: CrsVersion, engine = 'On', settings = '', more = ''): SourceFile[] {
  const names = readdirSync(join(folder, version, 'rules')).filter(name => name.endsWith('.conf'))
  const level = `SecAction "id:900000,phase:1,nolog,pass,setvar:tx.${levels[version]}=4"`
  return [
    { name: 'base.conf', text: base },
    { name: 'settings.conf', text: `SecRuleEngine ${engine}\n${settings}\n${level}` },
    { name: 'crs-setup.conf', text: readFileSync(join(folder, version, 'crs-setup.conf.example'), 'latin1') },
    ...names.sort().map(name => ({ name: `rules/${name}`, text: readRules(version, name) })),
    { name: 'more.conf', text: more },
  ]
}

function orFail<Value>(outcome: Outcome<Value>): Value {
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.diagnostics.map(formatDiagnostic).join('\n'))
  return outcome.value
}
