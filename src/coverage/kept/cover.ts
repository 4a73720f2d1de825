import type { JsonObject } from '../../model/resource.ts'
import { type Coverage, enforced, notEnforced } from '../enforcement.ts'
import type { KeptKind } from './kind.ts'

/** A document of a resource that nothing evaluates. It may ask for what happens anyway. */
export function coverKept(kind: KeptKind, document: JsonObject): Coverage {
  const parts = kind.withoutMeaning(document)
  return parts.length === 0
    ? enforced
    : notEnforced([...new Set(parts.map(({ what, why }) => `${what}: ${why}`))].join('; '))
}
