import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Name, version and licence text of each package that the modules belong to, for the reader of a built product. */
export function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  return [...new Set(folders)].toSorted().map(licenceOf).join('\n\n')
}

function licenceOf(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(text) as { name: string; version: string; license: string }
  const [file] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: folder })
  const terms = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
  return `${name} ${version}, ${license}${terms}`
}
