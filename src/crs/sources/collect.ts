import { referencesOf } from '../../seclang/index.ts'
import { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'
import { resolveReference } from '../resolve.ts'

/** Where rule files lie: a directory or an archive. Paths have slashes and are relative to its root. */
export interface FileTree {
  /** Paths of the files that a pattern of `fits` names, in any order. */
  find(pattern: string): Promise<readonly string[]>
  /**
   * Only paths that `find` gave.
   * @throws CrsError `too-large`
   */
  read(path: string): Promise<Uint8Array>
}

/**
 * Takes files out of a tree, with all files that they include or read lists from, at any depth. The compiler reports
 * files that are named but absent.
 * @param wanted patterns of rule files and of lists (`.data`)
 * @param origin for people
 * @returns path → content
 * @throws CrsError `too-large`
 */
export async function collectFiles(
  tree: FileTree,
  wanted: readonly string[],
  origin: string,
): Promise<Map<string, Uint8Array>> {
  const collection = new Collection(tree, origin)
  let sources = await collection.take(wanted)
  while (sources.length > 0) {
    const includes: string[] = []
    for (const path of sources) {
      if (path.endsWith('.data')) continue
      const references = collection.referencesIn(path)
      includes.push(...references.includes)
      await collection.take(references.data)
    }
    sources = await collection.take(includes)
  }
  return collection.contents
}

class Collection {
  readonly contents = new Map<string, Uint8Array>()
  readonly #tree: FileTree
  readonly #origin: string

  constructor(tree: FileTree, origin: string) {
    this.#tree = tree
    this.#origin = origin
  }

  /** @returns the paths that were not there yet */
  async take(patterns: readonly string[]): Promise<string[]> {
    const added: string[] = []
    for (const pattern of patterns) {
      for (const path of await this.#tree.find(pattern)) {
        if (this.contents.has(path)) continue
        if (this.contents.size >= crsLimits.filesMax) {
          throw new CrsError('too-large', `${this.#origin} has more than ${crsLimits.filesMax} files`)
        }
        this.contents.set(path, await this.#tree.read(path))
        added.push(path)
      }
    }
    return added
  }

  referencesIn(path: string): { readonly includes: readonly string[]; readonly data: readonly string[] } {
    const text = Buffer.from(this.contents.get(path)!).toString('latin1')
    const { includes, data } = referencesOf({ name: path, text })
    const resolved = (name: string): string => resolveReference(name, path)
    return { includes: includes.map(resolved), data: data.map(resolved) }
  }
}
