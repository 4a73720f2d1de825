import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CrsError } from '../crs-error.ts'
import { fits, isPattern } from '../glob.ts'
import { crsLimits } from '../limits.ts'
import type { FileTree } from './collect.ts'

/**
 * The files in and below a directory.
 * @param prefix what its paths begin with in the tree, such as `rules/`
 */
export function directoryTree(directory: string, prefix = ''): FileTree {
  return {
    find: async pattern => {
      if (pattern.startsWith('/')) return expand('/', '/', pattern.slice(1).split('/'))
      if (!pattern.startsWith(prefix)) return []
      return expand(directory, prefix, pattern.slice(prefix.length).split('/'))
    },
    read: async path =>
      readLimited(resolve(directory, path.startsWith('/') ? path : path.slice(prefix.length))),
  }
}

/** The same without what paths such as `/etc/x` and `../x` name. */
export function inside(tree: FileTree): FileTree {
  const leadsOut = (pattern: string): boolean => pattern.startsWith('/') || pattern.split('/').includes('..')
  return { ...tree, find: async pattern => (leadsOut(pattern) ? [] : tree.find(pattern)) }
}

/** Of a path that is in several trees the first one's file counts. */
export function overlay(trees: readonly FileTree[]): FileTree {
  return {
    find: async pattern => {
      const found = await Promise.all(trees.map(tree => tree.find(pattern)))
      return [...new Set(found.flat())]
    },
    read: async path => {
      for (const tree of trees) if ((await tree.find(path)).length > 0) return tree.read(path)
      throw new CrsError('not-found', `${path} is gone`)
    },
  }
}

/** @param parts what is left of the pattern, cut at its slashes */
async function expand(directory: string, path: string, parts: readonly string[]): Promise<string[]> {
  const [part = '', ...rest] = parts
  const names = isPattern(part) ? (await namesIn(directory)).filter(name => fits(part, name)) : [part]
  const found: string[] = []
  for (const name of names.sort()) {
    if (found.length > crsLimits.filesMax) break
    const inner = join(directory, name)
    if (rest.length > 0) found.push(...(await expand(inner, `${path}${name}/`, rest)))
    else if (await isFile(inner)) found.push(path + name)
  }
  return found
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch {
    return []
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

async function readLimited(path: string): Promise<Uint8Array> {
  const { size } = await stat(path)
  if (size > crsLimits.fileBytesMax) {
    throw new CrsError('too-large', `${path} is larger than ${crsLimits.fileBytesMax} bytes`)
  }
  return readFile(path)
}
