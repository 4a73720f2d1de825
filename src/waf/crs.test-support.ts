import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic } from '../kit/diagnostic.ts'
import { compile } from './compile.ts'
import type { CompileOptions, Program } from './types.ts'

/** Releases of the CRS, which stand beside the repository where they are there at all. */

const folder = join(import.meta.dirname, '../../../shared/crs')
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

/**
 * All rules of a release at paranoia level 4, with the base rules that stand before them in an installation.
 * @param more directives behind all others
 * @param settings directives before all others
 */
export function crsProgram(
  version: CrsVersion,
  {
    settings = '',
    more = '',
    ...options
  }: Partial<CompileOptions> & { settings?: string; more?: string } = {},
): Program {
  const read = (...path: string[]): string => readFileSync(join(folder, version, ...path), 'latin1')
  const names = readdirSync(join(folder, version, 'rules')).filter(name => name.endsWith('.conf'))
  const files = [
    { name: 'base.conf', text: base },
    {
      name: 'settings.conf',
      text: `${settings}\nSecAction "id:900000,phase:1,nolog,pass,setvar:tx.${levels[version]}=4"`,
    },
    { name: 'crs-setup.conf', text: read('crs-setup.conf.example') },
    ...names.sort().map(name => ({ name: `rules/${name}`, text: read('rules', name) })),
    { name: 'more.conf', text: more },
  ]
  const outcome = compile(files, { readData: name => read('rules', name), ...options })
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.diagnostics.map(formatDiagnostic).join('\n'))
  return outcome.value
}
