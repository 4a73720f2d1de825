import { invalidValue } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { CompressResponseParameters } from '../schemas/compress-response.ts'
import type { ActionContext } from './action-context.ts'

const lastOnly: ReadonlySet<string> = new Set(['none', 'auto', 'default'])

/** Nothing comes after an algorithm that always applies, and none is there twice. */
export function checkCompressResponse({ algorithms }: CompressResponseParameters, at: ActionContext): void {
  for (const [index, { name }] of algorithms.entries()) {
    const fail = (reason: string) =>
      refuse(invalidValue('name', name, reason, `${at.pointer}/algorithms/${index}/name`))
    if (lastOnly.has(name) && index < algorithms.length - 1) fail('it must be the last of the algorithms')
    if (algorithms.findIndex(other => other.name === name) < index) fail('it is there twice')
  }
}
