import { basename, dirname, resolve } from 'node:path'
import type { CrsFile } from '../model/resource.ts'
import { compareNames, setupName } from './bundle.ts'
import { CrsError } from './crs-error.ts'
import { collectFiles } from './sources/collect.ts'
import { directoryTree } from './sources/directory-tree.ts'

/** Precedes each further file of a setup; a comment in the rule language. */
const mark = '#= sluice: file '

/**
 * Reads a custom `crs-setup.conf` with its included files and lists, from anywhere on this machine. The result is one
 * text, which is stored as the setup. Included files of the release stay in the release.
 * @throws CrsError `not-found`, `too-large`
 */
export async function readSetup(path: string): Promise<string> {
  const origin = `the setup ${path}`
  const tree = directoryTree(dirname(resolve(path)))
  const main = basename(path)
  let contents: ReadonlyMap<string, Uint8Array>
  try {
    contents = await collectFiles(tree, [main], origin)
  } catch (error) {
    if (error instanceof CrsError) throw error
    throw new CrsError('not-found', `${origin} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const text = (name: string): string => Buffer.from(contents.get(name)!).toString('latin1')
  if (!contents.has(main)) throw new CrsError('not-found', `${origin} is no file that can be read`)
  const others = [...contents.keys()].filter(name => name !== main).sort(compareNames)
  return [text(main), ...others.map(name => `${mark}${name}\n${text(name)}`)].join('\n')
}

/** The files that a setup consists of: `crs-setup.conf` itself and those it includes, named relative to it. */
export function setupFiles(setup: string): readonly [CrsFile, ...CrsFile[]] {
  const [main = '', ...others] = setup.split(`\n${mark}`)
  const included = others.map(part => {
    const end = part.indexOf('\n')
    return { name: part.slice(0, end), text: part.slice(end + 1) }
  })
  return [{ name: setupName, text: main }, ...included]
}
