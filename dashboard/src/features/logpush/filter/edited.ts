import type {
  FilterKind,
  FilterNode,
  FilterOperator,
  FilterSize,
  FilterValue,
  LogPredicate,
} from '../../../../../src/logfilter/index.ts'
import {
  compileFilter,
  explainFilter,
  filterKindOf,
  filterTree,
  measureFilter,
  operatorKinds,
  printFilter,
} from '../../../../../src/logfilter/index.ts'
import type { Dataset, DatasetField } from '../../../../../src/model/dataset.ts'

/** A filter in the editor; may be incomplete. */
export interface EditedGroup {
  readonly id: string
  readonly kind: 'and' | 'or'
  readonly nodes: readonly EditedNode[]
}

export interface EditedCriterion {
  readonly id: string
  readonly kind: 'criterion'
  readonly key: string
  readonly operator: FilterOperator
  /** As typed; exactly one, except for `in` and `!in`. */
  readonly values: readonly string[]
}

export type EditedNode = EditedGroup | EditedCriterion

/** The meaning or the fault of a filter. */
export interface FilterState {
  /** In the API's form; empty for no filter. */
  readonly text: string
  readonly size: FilterSize
  /** In words; undefined when invalid. */
  readonly explanation: string | undefined
  readonly test: LogPredicate | undefined
  readonly fault: FilterFault | undefined
}

export interface FilterFault {
  readonly message: string
  /** JSON pointer into the text. */
  readonly pointer: string
  /** Id of the faulty node; undefined for the whole filter. */
  readonly node: string | undefined
  readonly part: 'key' | 'operator' | 'value' | undefined
}

export function newGroup(kind: 'and' | 'or' = 'and', nodes: readonly EditedNode[] = []): EditedGroup {
  return { id: crypto.randomUUID(), kind, nodes }
}

export function newCriterion(): EditedCriterion {
  return { id: crypto.randomUUID(), kind: 'criterion', key: '', operator: 'eq', values: [''] }
}

/** The tree with a node replaced, or removed when `change` returns undefined. */
export function changed(
  group: EditedGroup,
  id: string,
  change: (node: EditedNode) => EditedNode | undefined,
): EditedGroup {
  if (group.id === id) return (change(group) as EditedGroup | undefined) ?? { ...group, nodes: [] }
  const nodes = group.nodes.flatMap(node => {
    if (node.id === id) return change(node) ?? []
    return node.kind === 'criterion' ? [node] : [changed(node, id, change)]
  })
  return { ...group, nodes }
}

/** @returns undefined when the builder cannot represent the text */
export function editedFrom(text: string): EditedGroup | undefined {
  if (text.trim() === '') return newGroup()
  const read = filterTree(text)
  if (!read.ok) return undefined
  const node = editedNode(read.tree)
  return node.kind === 'criterion' ? newGroup('and', [node]) : node
}

function editedNode(node: FilterNode): EditedNode {
  const id = crypto.randomUUID()
  if (node.kind !== 'criterion') return { id, kind: node.kind, nodes: node.nodes.map(editedNode) }
  const { key, operator, value } = node
  const values = typeof value === 'object' ? value : [value]
  return { id, kind: 'criterion', key, operator, values: values.map(String) }
}

/** The filter of a tree: its text, its meaning, and its faulty node. */
export function stateOfTree(root: EditedGroup, dataset: Dataset): FilterState {
  const pointers = new Map<string, string>()
  const tree = printable(root, '/where', true, dataset, pointers)
  if (tree === undefined) return stateOfText('', dataset)
  const state = stateOfText(printFilter(tree), dataset)
  return state.fault === undefined ? state : { ...state, fault: located(state.fault, pointers, root) }
}

/** @param text in the API's form, also when edited by hand */
export function stateOfText(text: string, dataset: Dataset): FilterState {
  const size = measureFilter(text)
  if (text === '')
    return {
      text,
      size: { ...size, operators: 0 },
      explanation: 'All records',
      test: () => true,
      fault: undefined,
    }
  const compiled = compileFilter(text, dataset)
  if (!compiled.ok) {
    const { pointer, message } = compiled.problem
    const fault = { message: sentence(message), pointer, node: undefined, part: undefined }
    return { text, size, explanation: undefined, test: undefined, fault }
  }
  const explained = explainFilter(text, dataset)
  return {
    text,
    size,
    explanation: explained.ok ? explained.text : undefined,
    test: compiled.test,
    fault: undefined,
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Leaves out empty groups. An outermost group with one condition becomes that condition.
 * @param pointers receives the JSON pointer of each node, by id
 */
function printable(
  node: EditedNode,
  pointer: string,
  outermost: boolean,
  dataset: Dataset,
  pointers: Map<string, string>,
): FilterNode | undefined {
  if (node.kind === 'criterion') {
    pointers.set(node.id, pointer)
    return { kind: 'criterion', key: node.key, operator: node.operator, value: filterValueOf(node, dataset) }
  }
  const whole = node.nodes.filter(child => child.kind === 'criterion' || hasCriterion(child))
  if (whole.length === 0) return undefined
  if (outermost && whole.length === 1) return printable(whole[0]!, pointer, false, dataset, pointers)
  pointers.set(node.id, pointer)
  const nodes = whole.flatMap(
    (child, index) => printable(child, `${pointer}/${node.kind}/${index}`, false, dataset, pointers) ?? [],
  )
  return { kind: node.kind, nodes }
}

function hasCriterion(node: EditedNode): boolean {
  return node.kind === 'criterion' || node.nodes.some(hasCriterion)
}

function filterValueOf(
  { key, operator, values }: EditedCriterion,
  dataset: Dataset,
): FilterValue | readonly FilterValue[] {
  const field = dataset.fields.find(({ name }) => name === key)
  const typed = values.map(value => typedValue(value, field, dataset))
  return isSet(operator) ? typed.filter(value => value !== '') : (typed[0] ?? '')
}

/** Converts numbers and booleans where the text is one; the check refuses other texts. */
function typedValue(text: string, field: DatasetField | undefined, dataset: Dataset): FilterValue {
  const kind = field === undefined ? 'none' : filterKindOf(dataset, field)
  const trimmed = text.trim()
  if (kind === 'bool') return trimmed === 'true' ? true : trimmed === 'false' ? false : text
  const isNumber = kind === 'number' || field?.type === 'array[int]'
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(trimmed)) return Number(trimmed)
  return kind === 'nanoseconds' || isNumber ? trimmed : text
}

/** The fault with the node that contains its pointer. */
function located(fault: FilterFault, pointers: ReadonlyMap<string, string>, root: EditedGroup): FilterFault {
  const { pointer } = fault
  const inside = [...pointers].filter(([, parent]) => pointer === parent || pointer.startsWith(`${parent}/`))
  const [id, parent] = inside.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  const part = parent === undefined ? undefined : pointer.slice(parent.length + 1).split('/')[0]
  const node = id === undefined ? undefined : nodeById(root, id)
  const message = node?.kind === 'criterion' && node.key === '' ? 'Select a field' : fault.message
  const isPart = part === 'key' || part === 'operator' || part === 'value'
  return { message, pointer, node: id, part: isPart ? part : undefined }
}

function nodeById(node: EditedNode, id: string): EditedNode | undefined {
  if (node.id === id) return node
  if (node.kind === 'criterion') return undefined
  for (const child of node.nodes) {
    const found = nodeById(child, id)
    if (found !== undefined) return found
  }
  return undefined
}

export function isSet(operator: FilterOperator): boolean {
  return operator === 'in' || operator === '!in'
}

/** Operators for the type of a field. */
export function operatorsFor(dataset: Dataset, key: string): readonly FilterOperator[] {
  const kind = kindOfField(dataset, key)
  return [...operatorKinds].filter(([, kinds]) => kinds.includes(kind)).map(([operator]) => operator)
}

export function kindOfField(dataset: Dataset, key: string): FilterKind {
  const field = dataset.fields.find(({ name }) => name === key)
  return field === undefined ? 'none' : filterKindOf(dataset, field)
}

/** Changes the field, and keeps the operator and values that stay valid. */
export function withField(criterion: EditedCriterion, key: string, dataset: Dataset): EditedCriterion {
  const operators = operatorsFor(dataset, key)
  if (operators.includes(criterion.operator)) return { ...criterion, key }
  return withOperator({ ...criterion, key }, operators[0] ?? 'eq')
}

export function withOperator(criterion: EditedCriterion, operator: FilterOperator): EditedCriterion {
  const filled = criterion.values.filter(value => value !== '')
  const values = isSet(operator) ? filled : [filled[0] ?? '']
  return { ...criterion, operator, values }
}
