import { nearest } from '../../kit/nearest.ts'
import type { Dataset, DatasetField } from '../../model/dataset.ts'
import type { Checked } from '../../model/problem.ts'
import { accept, refuse } from '../problems.ts'

/**
 * The fields that a job names, in their order, each once; without names the dataset's default fields.
 * @param pointerOf JSON pointer of the name at an index
 */
export function findFields(
  names: readonly string[],
  dataset: Dataset,
  pointerOf: (index: number) => string,
): Checked<readonly DatasetField[]> {
  const known = new Map(dataset.fields.map(field => [field.name, field]))
  const fields = new Set<DatasetField>()
  for (const [index, name] of (names.length === 0 ? dataset.defaultFields : names).entries()) {
    const field = known.get(name)
    if (field === undefined) {
      const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name
      const close = nearest(name.slice(0, 64), known.keys())
      const hint = close === undefined ? '' : `; did you mean ${close}?`
      return refuse(
        'invalidField',
        `'${shown}' is not a valid value for fields because ${dataset.name} has no such field${hint}`,
        pointerOf(index),
      )
    }
    fields.add(field)
  }
  return accept([...fields])
}
