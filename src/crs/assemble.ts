import type { Outcome } from '../kit/diagnostic.ts'
import type { CrsFile } from '../model/resource.ts'
import type { SourceFile } from '../seclang/index.ts'
import { type CompileOptions, compile, compileSnapshot, type Program } from '../waf/index.ts'
import { afterSetupRules, baseRules } from './base-rules.ts'
import { compareNames, setupExampleName, setupName } from './bundle.ts'
import { fits } from './glob.ts'
import { includedFiles, resolveReference } from './resolve.ts'
import { setupFiles } from './setup.ts'

/** The CRS's own blocking evaluation, which the managed ruleset's last rule replaces. */
const passive: readonly (readonly [number, number])[] = [
  [949000, 949999],
  [959000, 959999],
  [980000, 980999],
]

/**
 * The compiled sources of a release, in load order: base rules, setup, settings of plugins, our paranoia levels. Then by
 * name: plugin rules before the rules, the rules, and plugin rules after them.
 * Source: coreruleset.org, "Plugins" (the Include lines to put into the web server's configuration).
 * @param setup a custom setup from `readSetup`, in place of the release's
 */
export function assemble(files: readonly CrsFile[], setup: string | undefined): readonly SourceFile[] {
  const named = (pattern: string): readonly CrsFile[] =>
    files.filter(f => fits(pattern, f.name)).sort((a, b) => compareNames(a.name, b.name))
  const own = files.find(f => f.name === setupName) ?? files.find(f => f.name === setupExampleName)
  const setupFile = setup === undefined ? own : setupFiles(setup)[0]
  return [
    { name: 'sluice/base-rules.conf', text: baseRules },
    ...(setupFile === undefined ? [] : [setupFile]),
    ...named('plugins/*-config.conf'),
    { name: 'sluice/after-setup.conf', text: afterSetupRules },
    ...named('plugins/*-before.conf'),
    ...named('rules/*.conf'),
    ...named('plugins/*-after.conf'),
  ]
}

/** Compiles a release with its surroundings. CPU-bound: some hundred milliseconds. */
export function compileRelease(files: readonly CrsFile[], setup: string | undefined): Outcome<Program> {
  return compile(assemble(files, setup), surroundings(files, setup))
}

/** The same as a snapshot, from which threads and later processes make the program; see `compileSnapshot`. */
export function compileReleaseSnapshot(
  files: readonly CrsFile[],
  setup: string | undefined,
): Outcome<SharedArrayBuffer> {
  return compileSnapshot(assemble(files, setup), surroundings(files, setup))
}

function surroundings(files: readonly CrsFile[], setup: string | undefined): CompileOptions {
  // Files beside a custom setup come last, so that they replace files of the release with the same name.
  const beside = setup === undefined ? [] : setupFiles(setup).slice(1)
  const byName = new Map([...files, ...beside].map(file => [file.name, file]))
  return {
    passive,
    readData: (name, fromSource) => byName.get(resolveReference(name, fromSource))?.text,
    include: (name, fromSource) => includedFiles(name, fromSource, [...byName.values()]),
  }
}
