import type { Json, JsonObject } from '../resource.ts'

/** The values of a setting. */
export type ValueShape =
  | { readonly kind: 'choice'; readonly values: readonly (string | number)[] }
  /** Whole numbers. With `text`, their digits as text are accepted too, and returned as they were sent. */
  | { readonly kind: 'range'; readonly min: number; readonly max: number; readonly text?: true }
  | { readonly kind: 'flag' }
  | { readonly kind: 'text'; readonly charactersMax: number }
  /** Without duplicates. */
  | { readonly kind: 'list'; readonly of: ValueShape; readonly itemsMax: number }
  /** Members may be absent. */
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, ValueShape>> }

export const flag: ValueShape = { kind: 'flag' }

export function choice(...values: readonly (string | number)[]): ValueShape {
  return { kind: 'choice', values }
}

export function range(min: number, max: number): ValueShape {
  return { kind: 'range', min, max }
}

export function text(charactersMax: number): ValueShape {
  return { kind: 'text', charactersMax }
}

export function object(members: Readonly<Record<string, ValueShape>>): ValueShape {
  return { kind: 'object', members }
}

export function list(of: ValueShape, itemsMax: number): ValueShape {
  return { kind: 'list', of, itemsMax }
}

/** @returns JSON pointer of the first part that the shape does not allow; undefined when it allows the value */
export function faultIn(shape: ValueShape, value: unknown): string | undefined {
  switch (shape.kind) {
    case 'choice':
      return faultUnless(shape.values.some(allowed => allowed === value))
    case 'range': {
      const isDigits = shape.text && typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value)
      const number = isDigits ? Number(value) : value
      return faultUnless(
        Number.isSafeInteger(number) && Number(number) >= shape.min && Number(number) <= shape.max,
      )
    }
    case 'flag':
      return faultUnless(typeof value === 'boolean')
    case 'text':
      return faultUnless(typeof value === 'string' && value.length <= shape.charactersMax)
    case 'list':
      return faultInList(shape.of, shape.itemsMax, value)
    case 'object':
      return faultInObject(shape.members, value)
  }
}

function faultUnless(holds: boolean): string | undefined {
  return holds ? undefined : ''
}

function faultInList(of: ValueShape, itemsMax: number, value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > itemsMax) return ''
  if (new Set(value).size < value.length) return ''
  for (const [at, item] of value.entries()) {
    const fault = faultIn(of, item)
    if (fault !== undefined) return `/${at}${fault}`
  }
  return undefined
}

function faultInObject(members: Readonly<Record<string, ValueShape>>, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  for (const [name, member] of Object.entries(value)) {
    const fault = Object.hasOwn(members, name) ? faultIn(members[name]!, member) : ''
    if (fault === undefined) continue
    return `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}${fault}`
  }
  return undefined
}

/** The allowed values, for messages and docs: `"on" or "off"`. */
export function inWords(shape: ValueShape): string {
  switch (shape.kind) {
    case 'choice':
      return shape.values.map(one => JSON.stringify(one)).join(' or ')
    case 'range':
      return `a whole number from ${shape.min} to ${shape.max}`
    case 'flag':
      return 'true or false'
    case 'text':
      return `text of at most ${shape.charactersMax} characters`
    case 'list':
      return `a list without duplicates of at most ${shape.itemsMax} of: ${inWords(shape.of)}`
    case 'object': {
      const members = Object.entries(shape.members).map(([name, member]) => `${name}: ${inWords(member)}`)
      return `an object with any of these members: ${members.join('; ')}`
    }
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
