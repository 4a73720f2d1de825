import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { assemble } from '../../src/crs/index.ts'
import { readRelease } from '../../src/crs/sources/directory.ts'
import { formatDiagnostic } from '../../src/kit/diagnostic.ts'
import type { CrsFile } from '../../src/model/resource.ts'
import { compile, type Program, type RuleMask, type SourceFile } from '../../src/waf/index.ts'

/** An OWASP CRS release as it is on disk. */
export interface Release {
  readonly crsVersion: string
  readonly files: readonly CrsFile[]
}

/** The release named on the command line, else in SLUICE_CRS, else the one beside this repository. */
export function releasePath(named: string | undefined): string {
  const path = named ?? process.env['SLUICE_CRS'] ?? join(import.meta.dirname, '../../../shared/crs/4.28.0')
  if (existsSync(path)) return path
  console.error(
    `bench: ${path} is not there; name the directory or archive of an OWASP CRS release, or set SLUICE_CRS`,
  )
  process.exit(2)
}

export async function openRelease(path: string): Promise<Release> {
  const { crsVersion, files } = await readRelease(path)
  return { crsVersion, files }
}

/** As the edge loads it: base rules, setup, all paranoia levels, rules. */
export function sourcesOf({ files }: Release): readonly SourceFile[] {
  return assemble(files, undefined)
}

/**
 * A new program with empty caches.
 * @param memoBytesMax of the cross-request memo: 0 switches it off, undefined leaves the engine's default
 */
export function compileFresh(release: Release, memoBytesMax?: number): Program {
  const texts = new Map(release.files.map(file => [file.name, file.text]))
  const outcome = compile(sourcesOf(release), {
    passive: blockingEvaluation,
    readData: (name, fromSource) => texts.get(posix.join(posix.dirname(fromSource), name)),
    ...(memoBytesMax === undefined ? {} : { memoBytesMax }),
  })
  if (outcome.ok) return outcome.value
  console.error(outcome.diagnostics.map(formatDiagnostic).join('\n'))
  process.exit(1)
}

/** Paranoia levels that are measured. */
export const levels = [1, 4] as const
export type Level = (typeof levels)[number]

export function maskOf(program: Program, level: Level): RuleMask {
  return program.mask(rule => rule.paranoiaLevel > level)
}

/** Rules of the CRS. At the edge the last rule of the managed ruleset acts instead, so these rules stop nothing. */
const blockingEvaluation: readonly (readonly [number, number])[] = [
  [949000, 949999],
  [959000, 959999],
  [980000, 980999],
]
