import type { ErrorEntry } from './envelope.ts'
import { entry } from './errors.ts'
import { apiLimits } from './limits.ts'

/** One fault of the schema validator, as TypeBox and Fastify report it. */
export interface SchemaFault {
  readonly keyword: string
  /** JSON pointer to the value. */
  readonly instancePath: string
  /** JSON pointer to the part of the schema. */
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * KeyedQueue the faults of a schema into error messages.
 * @param part which part of the request it looked at: only pointers into the body are given to clients
 */
export function schemaEntries(
  faults: readonly SchemaFault[],
  value: unknown,
  part: 'body' | 'querystring',
): ErrorEntry[] {
  const entries: ErrorEntry[] = []
  const seen = new Set<string>()
  for (const fault of faults) {
    // One message per value: `anyOf` repeats the faults of its branches.
    const kind = fault.keyword === 'required' || fault.keyword === 'additionalProperties' ? fault.keyword : ''
    const key = `${fault.instancePath} ${kind}`
    if (fault.keyword === 'boolean' || fault.keyword === 'anyOf' || seen.has(key)) continue
    // `propertyNames` repeats the faults of names, whose pointers would be as long as the names.
    if (fault.schemaPath.endsWith('/propertyNames')) continue
    if (isOfOtherBranch(fault, faults)) continue
    seen.add(key)
    entries.push(...sentences(fault, faults, value))
  }
  const shown = entries.slice(0, apiLimits.errorsMax)
  return part === 'body' ? shown : shown.map(({ source, ...rest }) => rest)
}

/** Another branch of `anyOf` takes the type of this value: the faults inside it say what is wrong. */
function isOfOtherBranch({ keyword, instancePath }: SchemaFault, all: readonly SchemaFault[]): boolean {
  return keyword === 'type' && all.some(other => other.instancePath.startsWith(`${instancePath}/`))
}

function sentences(fault: SchemaFault, all: readonly SchemaFault[], value: unknown): ErrorEntry[] {
  const { keyword, instancePath: path, params } = fault
  switch (keyword) {
    case 'required':
      return names(params['requiredProperties']).map(name => {
        const pointer = `${path}/${escapePointer(name)}`
        return entry('missingField', { field: fieldName(pointer) }, pointer)
      })
    case 'additionalProperties':
      return names(params['additionalProperties']).map(name =>
        entry('unknownField', { field: name.slice(0, 100) }, `${path}/${escapePointer(name)}`),
      )
    case 'propertyNames':
      return names(params['propertyNames']).map(name =>
        entry(
          'badValue',
          { value: name.slice(0, 100), field: fieldName(path), reason: 'the name is too long' },
          path,
        ),
      )
    case 'type':
      return [entry('wrongType', { field: fieldName(path), type: wantedTypes(path, all) }, path)]
    default:
      return [
        entry(
          'badValue',
          { value: shownAt(path, value), field: fieldName(path), reason: reasonOf(fault, all) },
          path,
        ),
      ]
  }
}

function reasonOf(fault: SchemaFault, all: readonly SchemaFault[]): string {
  const limit = String(fault.params['limit'])
  switch (fault.keyword) {
    case 'minLength':
      return limit === '1' ? 'it is empty' : `it has fewer than ${limit} characters`
    case 'maxLength':
      return `it has more than ${limit} characters`
    case 'minItems':
      return limit === '1' ? 'it is empty' : `it has fewer than ${limit} entries`
    case 'maxItems':
      return `it has more than ${limit} entries`
    case 'pattern':
      return `it does not match ${String(fault.params['pattern'])}`
    case 'minimum':
      return `it is less than ${limit}`
    case 'maximum':
      return `it is more than ${limit}`
    case 'multipleOf':
      return `it is not a multiple of ${String(fault.params['multipleOf'])}`
    case 'enum':
      return `it is not one of ${names(fault.params['allowedValues']).join(', ')}`
    case 'const':
      return `only ${all
        .filter(other => other.keyword === 'const' && other.instancePath === fault.instancePath)
        .map(other => String(other.params['allowedValue']))
        .join(', ')} can be here`
    default:
      return 'it has the wrong form'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  array: 'an array',
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'null',
}

function wantedTypes(path: string, all: readonly SchemaFault[]): string {
  const types = all
    .filter(fault => fault.keyword === 'type' && fault.instancePath === path)
    .map(fault => typeNames[String(fault.params['type'])] ?? String(fault.params['type']))
  return [...new Set(types)].join(' or ')
}

function names(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

/** `/account/id` → `account.id`; the body itself is `the request body`. */
function fieldName(pointer: string): string {
  return pointer === '' ? 'the request body' : segments(pointer).join('.').slice(0, 200)
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A name as a part of a JSON pointer (RFC 6901), at most 100 characters of it. */
export function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}

function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const part of segments(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string, unknown>)[part]
  }
  return at
}

/** Members that may hold credentials: refused values may end up in logs. */
const secretMembers: ReadonlySet<string> = new Set(['destination_conf', 'ownership_challenge', 'header'])

function shownAt(path: string, value: unknown): string {
  const isSecret = segments(path).some(member => secretMembers.has(member))
  return isSecret ? '***' : shown(valueAt(value, path))
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
