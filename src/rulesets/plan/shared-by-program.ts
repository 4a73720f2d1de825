import type { Json } from '../../model/resource.ts'
import type { Program } from '../../waf/types.ts'
import { planLimits } from '../limits.ts'

/**
 * Values derived from a program and a description, shared by all zones with the same description. A value lives as
 * long as some plan uses it. O(length of the description) for a known value.
 */
export class SharedByProgram<T extends object> {
  readonly #made = new WeakMap<Program, Map<string, WeakRef<T>>>()

  of(program: Program, description: Json, make: () => T): T {
    let known = this.#made.get(program)
    if (known === undefined) {
      known = new Map()
      this.#made.set(program, known)
    }
    const key = canonicalText(description)
    const shared = known.get(key)?.deref()
    if (shared !== undefined) return shared
    const made = make()
    // Moved to the end, even if it was there before.
    known.delete(key)
    if (known.size >= planLimits.sharedPerProgramMax) {
      const [oldest] = known.keys()
      known.delete(oldest!)
    }
    known.set(key, new WeakRef(made))
    return made
  }
}

/** Canonical text of a JSON value: members are ordered by name. */
export function canonicalText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const names = Object.keys(value).sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${canonicalText(value[name]!)}`).join(',')}}`
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
