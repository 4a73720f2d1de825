import type { TSchema } from 'typebox'
import type { Problem } from '../../model/problem.ts'
import type { Json } from '../../model/resource.ts'
import { blank, hasNoMeaning, invalidValue, refusal, rulesetCodes, unknownField } from '../problems.ts'
import { pointerTo } from '../reading.ts'

export interface ShapeOptions {
  /** Code of refusals; by default the one that fits the mistake. */
  readonly code?: number
  /** Cloudflare's members that this edge does not support, and why. */
  readonly meaningless?: Readonly<Record<string, string>>
  /** Members that belong elsewhere, and where. */
  readonly misplaced?: Readonly<Record<string, string>>
}

/** One complaint of the schema validator. */
export interface Fault {
  readonly keyword: string
  /** Path in the schema: `#/properties/id`. */
  readonly schemaPath: string
  /** JSON pointer to the value. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The checked value. */
export interface Subject {
  readonly value: unknown
  readonly pointer: string
  readonly schema: TSchema
}

/** The complaint that the client sees: an unknown member takes precedence over all others. */
export function problemOfFaults(faults: readonly Fault[], subject: Subject, options: ShapeOptions): Problem {
  const fault = faults.find(isUnknownMember) ?? faults[0]!
  const pointer = subject.pointer + fault.instancePath
  if (isUnknownMember(fault)) return unknownMember(pointer, options)
  if (fault.keyword === 'required') {
    const name = names(fault.params['requiredProperties'])[0]!
    return blank(name, pointerTo(pointer, name))
  }
  const field = fieldAt(pointer)
  const value = valueAt(subject.value, fault.instancePath)
  if (fault.keyword === 'minLength' && value === '') return blank(field, pointer)
  const reason = reasonOf(fault, schemaAt(subject.schema, fault.schemaPath))
  if (pointer === '') return refusal(rulesetCodes.malformed, `invalid JSON: ${reason}`, pointer)
  return invalidValue(field, value, reason, pointer, options.code)
}

/** The validator lists only the first faults, and those of the members come before the one of the object. */
function isUnknownMember({ keyword, schemaPath }: Fault): boolean {
  return keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')
}

/** @param pointer JSON pointer to the member */
function unknownMember(pointer: string, { meaningless = {}, misplaced = {} }: ShapeOptions): Problem {
  const slash = pointer.lastIndexOf('/')
  const name = pointer
    .slice(slash + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  const field = fieldAt(pointer.slice(0, slash))
  if (Object.hasOwn(meaningless, name)) return hasNoMeaning(field, name, meaningless[name]!, pointer)
  if (Object.hasOwn(misplaced, name)) return invalidValue(field, name, misplaced[name]!, pointer)
  return unknownField(name, pointer)
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
}

function reasonOf({ keyword, params }: Fault, schema: Readonly<Record<string, unknown>>): string {
  switch (keyword) {
    case 'type':
      return `it must be ${typeNames[String(params['type'])]}`
    case 'enum':
      return `it must be one of ${names(schema['enum']).join(', ')}`
    case 'const':
      return `it must be ${schema['const']}`
    case 'minimum':
    case 'maximum':
      return `it must be ${rangeOf(schema['minimum'], schema['maximum'])}`
    case 'maxLength':
      return `it is longer than ${params['limit']} characters`
    case 'pattern':
      return `it must be ${schema['description']}`
    case 'minItems':
      return 'it must not be empty'
    case 'maxItems':
    case 'maxProperties':
      return schema['maxProperties'] === 1
        ? `it must have exactly one of ${membersOf(schema)}`
        : `it has more than ${params['limit']} entries`
    case 'minProperties':
      return minimumOfMembers(schema)
    case 'uniqueItems':
      return 'it has an entry twice'
    default:
      return 'it does not have the right form'
  }
}

function rangeOf(minimum: unknown, maximum: unknown): string {
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `at least ${minimum}`
    : `from ${minimum} to ${maximum}`
}

function minimumOfMembers(schema: Readonly<Record<string, unknown>>): string {
  if (schema['properties'] === undefined) return 'it must not be empty'
  return `it must have ${schema['maxProperties'] === 1 ? 'exactly' : 'at least'} one of ${membersOf(schema)}`
}

function membersOf(schema: Readonly<Record<string, unknown>>): string {
  return Object.keys(schema['properties'] as object).join(', ')
}

function names(value: unknown): readonly string[] {
  return (value as readonly unknown[]).map(String)
}

/** The last name of a pointer that is not an array index. */
function fieldAt(pointer: string): string {
  const name = pointer.split('/').findLast(part => part !== '' && !/^[0-9]+$/.test(part)) ?? ''
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function valueAt(value: unknown, pointer: string): Json | undefined {
  let at = value as Json | undefined
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = (at as Readonly<Record<string, Json>>)[name]
  }
  return at
}

function schemaAt(schema: TSchema, path: string): Readonly<Record<string, unknown>> {
  let at = schema as unknown as Readonly<Record<string, unknown>>
  for (const part of path.split('/').slice(1)) at = at[part] as Readonly<Record<string, unknown>>
  return at
}
