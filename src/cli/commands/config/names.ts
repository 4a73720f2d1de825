import type { JsonObject } from '../../../model/resource.ts'
import { referenceNames } from './entries.ts'
import type { ScopeFile } from './files.ts'
import { type Kind, labelOf, type Owner } from './kind.ts'
import { resolved } from './references.ts'

/** Values of the references in the files. */
export class Names {
  readonly #environment: NodeJS.ProcessEnv
  /** Objects that the files have. */
  readonly #known = new Set<string>()
  readonly #ids = new Map<string, string>()
  readonly #unset = new Set<string>()

  constructor(files: readonly ScopeFile[], environment: NodeJS.ProcessEnv) {
    this.#environment = environment
    for (const { name, documents, path } of files) {
      for (const [kind, sources] of documents) {
        const labels = sources.map(source => {
          try {
            return labelOf(kind, this.#read(source, () => undefined, []) as JsonObject)
          } catch (error) {
            throw new Error(`${path}: ${kind.name}: ${(error as Error).message}`, { cause: error })
          }
        })
        for (const reference of referenceNames(labels)) this.#known.add(keyOf(name, kind.name, reference))
      }
    }
  }

  /** Variables that some text names and the environment does not have. */
  unset(): readonly string[] {
    return [...this.#unset]
  }

  set(owner: Owner, kind: Kind, reference: string, id: string): void {
    this.#ids.set(keyOf(owner.name, kind.name, reference), id)
  }

  /**
   * A document of a file with values in place of references. A reference to an object that does not exist yet stays.
   * @param present has the members whose variables are not set
   * @returns the document, and variables that are not set and that `present` cannot replace
   * @throws Error for a reference to an object that no file has
   */
  resolve(
    owner: Owner,
    source: JsonObject,
    present?: JsonObject,
  ): { readonly document: JsonObject; readonly unset: readonly string[] } {
    const unset: string[] = []
    const object = (kind: string, name: string) => {
      for (const scope of [owner.name, 'account']) {
        const key = keyOf(scope, kind, name)
        if (this.#known.has(key)) return this.#ids.get(key)
      }
      throw new Error(`\${${kind}:${name}} of ${owner.name} is in no file: add it, or correct the name`)
    }
    const members = Object.entries(source).map(([name, value]) => {
      const missing: string[] = []
      const member = this.#read({ [name]: value }, object, missing)
      if (missing.length === 0) return member
      if (present === undefined) {
        unset.push(...missing)
        return member
      }
      return present[name] === undefined ? {} : { [name]: present[name] }
    })
    return { document: Object.assign({}, ...members), unset }
  }

  #read(
    source: JsonObject,
    object: (kind: string, name: string) => string | undefined,
    missing: string[],
  ): JsonObject {
    const variable = (name: string) => {
      const value = this.#environment[name]
      if (value === undefined) {
        this.#unset.add(name)
        missing.push(name)
      }
      return value
    }
    return resolved(source, { variable, object }) as JsonObject
  }
}

function keyOf(owner: string, kind: string, reference: string): string {
  return `${owner}\0${kind}\0${reference}`
}
