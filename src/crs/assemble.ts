import { posix } from 'node:path'
import type { Outcome } from '../kit/diagnostic.ts'
import type { CrsFile } from '../model/resource.ts'
import type { SourceFile } from '../seclang/index.ts'
import { compile, type Program } from '../waf/index.ts'
import { afterSetupRules, baseRules } from './base-rules.ts'
import { compareNames, setupExampleName, setupName } from './bundle.ts'

/** The CRS's own blocking evaluation, which the managed ruleset's last rule replaces. */
const passive: readonly (readonly [number, number])[] = [
  [949000, 949999],
  [959000, 959999],
  [980000, 980999],
]

/**
 * What is compiled for a release, in load order: base rules, setup, our paranoia levels, `rules/*.conf` by name.
 * @param setup a `crs-setup.conf` of one's own (byte string) in place of the release's
 */
export function assemble(files: readonly CrsFile[], setup: string | undefined): readonly SourceFile[] {
  const own = files.find(f => f.name === setupName) ?? files.find(f => f.name === setupExampleName)
  const setupFile = setup === undefined ? own : { name: setupName, text: setup }
  const rules = files.filter(f => f.name.startsWith('rules/') && f.name.endsWith('.conf'))
  return [
    { name: 'sluice/base-rules.conf', text: baseRules },
    ...(setupFile === undefined ? [] : [setupFile]),
    { name: 'sluice/after-setup.conf', text: afterSetupRules },
    ...rules.toSorted((a, b) => compareNames(a.name, b.name)),
  ]
}

/** Compiles a release with its surroundings. CPU-bound: some hundred milliseconds. */
export function compileRelease(files: readonly CrsFile[], setup: string | undefined): Outcome<Program> {
  const texts = new Map(files.map(file => [file.name, file.text]))
  return compile(assemble(files, setup), {
    passive,
    readData: (name, fromSource) => texts.get(posix.join(posix.dirname(fromSource), name)),
  })
}
