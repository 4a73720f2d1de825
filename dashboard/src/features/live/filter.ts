/** One comparison of the filter; the value as typed. */
export interface Condition {
  readonly key: string
  readonly operator: Operator
  readonly value: string
}

export type Operator =
  | 'eq'
  | '!eq'
  | 'contains'
  | '!contains'
  | 'startsWith'
  | 'endsWith'
  | 'lt'
  | 'leq'
  | 'gt'
  | 'geq'

interface Field {
  readonly label: string
  readonly type: 'string' | 'int'
}

/** Fields that the filter offers. */
export const filterFields: Readonly<Record<string, Field>> = {
  ClientRequestPath: { label: 'Path', type: 'string' },
  EdgeResponseStatus: { label: 'Status', type: 'int' },
  SecurityAction: { label: 'Action', type: 'string' },
  ClientIP: { label: 'Client', type: 'string' },
  ClientCountry: { label: 'Country', type: 'string' },
  ClientRequestMethod: { label: 'Method', type: 'string' },
  ClientRequestHost: { label: 'Host', type: 'string' },
  ClientRequestUserAgent: { label: 'User agent', type: 'string' },
  OriginResponseStatus: { label: 'Origin status', type: 'int' },
  RayID: { label: 'Ray ID', type: 'string' },
}

export const operatorWords: Readonly<Record<Operator, string>> = {
  eq: 'is',
  '!eq': 'is not',
  contains: 'contains',
  '!contains': 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  lt: 'is less than',
  leq: 'is at most',
  gt: 'is greater than',
  geq: 'is at least',
}

/** Operators that the type of the field allows. */
export function operatorsOf(key: string): readonly Operator[] {
  return filterFields[key]?.type === 'int'
    ? ['eq', '!eq', 'geq', 'leq', 'gt', 'lt']
    : ['eq', '!eq', 'contains', '!contains', 'startsWith', 'endsWith']
}

/** In the API's form; empty without conditions. */
export function filterText(conditions: readonly Condition[]): string {
  if (conditions.length === 0) return ''
  const criteria = conditions.map(({ key, operator, value }) => ({
    key,
    operator,
    value: filterFields[key]?.type === 'int' ? Number(value) : value,
  }))
  return JSON.stringify({ where: criteria.length === 1 ? criteria[0] : { and: criteria } })
}

/** @returns undefined for a filter that is not a list of conditions joined by “and” */
export function readFilter(text: string): readonly Condition[] | undefined {
  if (text === '') return []
  try {
    const { where } = JSON.parse(text) as { readonly where: unknown }
    const { and } = where as { readonly and?: unknown }
    const criteria: readonly unknown[] = Array.isArray(and) ? and : [where]
    const read = criteria.map(readCondition)
    return read.some(one => one === undefined) ? undefined : (read as readonly Condition[])
  } catch {
    return undefined
  }
}

function readCondition(criterion: unknown): Condition | undefined {
  const { key, operator, value } = criterion as { readonly [name: string]: unknown }
  if (typeof key !== 'string' || typeof operator !== 'string' || !Object.hasOwn(operatorWords, operator))
    return undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return { key, operator: operator as Operator, value: String(value) }
}

/** Why the condition is invalid; undefined when valid. */
export function conditionFault({ key, value }: Condition): string | undefined {
  if (value === '') return 'Enter a value'
  if (filterFields[key]?.type === 'int' && !/^\d{1,9}$/.test(value)) return 'Enter a whole number'
  return undefined
}
