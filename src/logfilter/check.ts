import { nearest } from '../kit/nearest.ts'
import type { Dataset, DatasetField } from '../model/dataset.ts'
import { filterKindOf, isBarred } from './filterable.ts'
import { nanosecondsOf } from './nanoseconds.ts'
import { type FilterKind, operatorKinds, splitOperator } from './operators.ts'
import { filterTree } from './parse.ts'
import type {
  FilterCriterion,
  FilterNode,
  FilterOperator,
  FilterProblem,
  FilterValue,
  PositiveOperator,
} from './types.ts'

/** A tree whose fields and values fit a dataset. */
export type CheckedNode = CheckedCriterion | CheckedGroup

interface CheckedGroup {
  readonly kind: 'and' | 'or'
  readonly nodes: readonly CheckedNode[]
}

export interface CheckedCriterion {
  readonly kind: 'criterion'
  readonly field: DatasetField
  readonly compared: Exclude<FilterKind, 'none'>
  readonly operator: PositiveOperator
  readonly negated: boolean
  /** Values in the field's own type: one, or several for `in`. Times are bigints. */
  readonly operands: readonly Operand[]
}

export type Operand = string | number | bigint | boolean

export type CheckOutcome =
  | { readonly ok: true; readonly node: CheckedNode }
  | { readonly ok: false; readonly problem: FilterProblem }

/**
 * Parses and checks the filter of a Logpush job, for another way to run it.
 * @param filter JSON text `{"where": …}`
 */
export function checkFilter(filter: string, dataset: Dataset): CheckOutcome {
  const parsed = filterTree(filter)
  return parsed.ok ? checkTree(parsed.tree, dataset) : parsed
}

/** Checks whether fields, operators and values of the tree fit the dataset. Stops at the first that does not. */
export function checkTree(tree: FilterNode, dataset: Dataset): CheckOutcome {
  return checkNode(tree, '/where', dataset, fieldsOf(dataset))
}

type Fields = ReadonlyMap<string, DatasetField>

const fieldsByDataset = new WeakMap<Dataset, Fields>()

function fieldsOf(dataset: Dataset): Fields {
  const known = fieldsByDataset.get(dataset)
  if (known !== undefined) return known
  const fields = new Map(dataset.fields.map(field => [field.name, field]))
  fieldsByDataset.set(dataset, fields)
  return fields
}

function checkNode(node: FilterNode, pointer: string, dataset: Dataset, fields: Fields): CheckOutcome {
  if (node.kind === 'criterion') return checkCriterion(node, pointer, dataset, fields)
  const nodes: CheckedNode[] = []
  for (const [index, child] of node.nodes.entries()) {
    const checked = checkNode(child, `${pointer}/${node.kind}/${index}`, dataset, fields)
    if (!checked.ok) return checked
    nodes.push(checked.node)
  }
  return { ok: true, node: { kind: node.kind, nodes } }
}

function checkCriterion(
  criterion: FilterCriterion,
  pointer: string,
  dataset: Dataset,
  fields: Fields,
): CheckOutcome {
  const field = fields.get(criterion.key)
  if (field === undefined) return refused(`${pointer}/key`, noField(criterion.key, dataset, fields))
  const compared = filterKindOf(dataset, field)
  if (compared === 'none') return refused(`${pointer}/key`, notFilterable(dataset, field))
  const { operator } = criterion
  if (!operatorKinds.get(operator)!.includes(compared))
    return refused(`${pointer}/operator`, wrongOperator(operator, field, compared))
  const values = typeof criterion.value === 'object' ? criterion.value : [criterion.value]
  const operands: Operand[] = []
  for (const [index, value] of values.entries()) {
    const operand = operandOf(field, compared, value)
    const item = typeof criterion.value === 'object' ? `/${index}` : ''
    if (operand === undefined) return refused(`${pointer}/value${item}`, unfit(field, compared, value))
    operands.push(operand)
  }
  const { plain, negated } = splitOperator(operator)
  return { ok: true, node: { kind: 'criterion', field, compared, operator: plain, negated, operands } }
}

/** The filter's value in the field's type; undefined if it does not fit. Numbers and booleans may be text. */
function operandOf(field: DatasetField, kind: FilterKind, value: FilterValue): Operand | undefined {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : undefined
    case 'bool':
      return boolOf(value)
    case 'number':
      return field.type === 'float' ? floatOf(value) : intOf(value)
    case 'nanoseconds':
      return nanosecondsOf(value)
    default:
      return field.type === 'array[int]' ? intOf(value) : typeof value === 'string' ? value : undefined
  }
}

function boolOf(value: FilterValue): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

function intOf(value: FilterValue): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,16}$/.test(value))
  const number = isNumber ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number + 0 : undefined
}

function floatOf(value: FilterValue): number | undefined {
  if (typeof value === 'boolean') return undefined
  if (typeof value === 'string' && !/^-?\d{1,17}(?:\.\d{1,17})?$/.test(value)) return undefined
  return Number(value) + 0
}

function noField(key: string, dataset: Dataset, fields: Fields): string {
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key
  const close = nearest(key.slice(0, 64), fields.keys())
  const fix = close === undefined ? 'its fields are in the reference of datasets' : `did you mean ${close}?`
  return `${dataset.name} has no field "${shown}"; ${fix}`
}

function notFilterable(dataset: Dataset, field: DatasetField): string {
  return isBarred(dataset, field)
    ? `${field.name} of ${dataset.name} cannot be filtered on`
    : `fields of type ${field.type} such as ${field.name} cannot be filtered on`
}

function wrongOperator(operator: FilterOperator, field: DatasetField, kind: FilterKind): string {
  const possible = [...operatorKinds].filter(([, kinds]) => kinds.includes(kind)).map(([name]) => name)
  return `"${operator}" is not for ${field.name}, which is of type ${field.type}; possible are ${possible.join(', ')}`
}

function unfit(field: DatasetField, kind: FilterKind, value: FilterValue): string {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  switch (kind) {
    case 'string':
      return `${field.name} is a string, ${shown} is not`
    case 'bool':
      return `${field.name} is a boolean, ${shown} is neither true nor false`
    case 'number':
      return `${field.name} is a number${field.type === 'int' ? ' without decimals, of at most 2^53' : ''}, ${shown} is none`
    case 'nanoseconds':
      return `${field.name} is a time from 1970 to 2262, as nanoseconds since 1970 or as RFC 3339 text; ${shown} is neither`
    default:
      return `the elements of ${field.name} are of type ${field.type === 'array[int]' ? 'int' : 'string'}, ${shown} is not`
  }
}

function refused(pointer: string, message: string): CheckOutcome {
  return { ok: false, problem: { pointer, message } }
}
