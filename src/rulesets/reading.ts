import type { Checked, Problem } from '../model/problem.ts'
import type { Json, JsonObject } from '../model/resource.ts'
import { invalidValue, refusal, rulesetCodes, unknownField } from './problems.ts'

/** Stops the check of a document. Never leaves the room: `checked` turns it into a result. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'Refused'
    this.problem = problem
  }
}

export function refuse(problem: Problem): never {
  throw new Refused(problem)
}

/** Runs a check that refuses by throwing. */
export function checked<T>(check: () => T): Checked<T> {
  try {
    return { ok: true, value: check() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: false, problem: error.problem }
  }
}

/** A JSON object of the body and its place. A member that is null counts as absent (clients send null for unset). */
export class Fields {
  readonly #object: JsonObject
  readonly pointer: string

  constructor(object: JsonObject, pointer: string) {
    this.#object = object
    this.pointer = pointer
  }

  /** Names of the members that are present. */
  get names(): readonly string[] {
    return Object.keys(this.#object).filter(name => this.#object[name] !== null)
  }

  pointerTo(name: string): string {
    return `${this.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  }

  /** Refuses members that are not among `known`, also when they are null. */
  allowOnly(known: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#object)) {
      if (!known.has(name)) refuse(unknownField(name, this.pointerTo(name)))
    }
  }

  get(name: string): Json | undefined {
    return Object.hasOwn(this.#object, name) ? (this.#object[name] ?? undefined) : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Is the member there, be it null? */
  mentions(name: string): boolean {
    return Object.hasOwn(this.#object, name)
  }

  string(name: string): string | undefined {
    const value = this.get(name)
    if (value === undefined || typeof value === 'string') return value
    return this.invalid(name, 'it must be a string')
  }

  /** A string of at least one character. */
  required(name: string): string {
    const value = this.string(name)
    if (value !== undefined && value !== '') return value
    const reason = `the ${name.replaceAll('_', ' ')} cannot be blank`
    return refuse(invalidValue(name, '', reason, this.pointerTo(name), rulesetCodes.required))
  }

  boolean(name: string): boolean | undefined {
    const value = this.get(name)
    if (value === undefined || typeof value === 'boolean') return value
    return this.invalid(name, 'it must be true or false')
  }

  integer(name: string): number | undefined {
    const value = this.get(name)
    if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value))) return value
    return this.invalid(name, 'it must be an integer')
  }

  object(name: string): Fields | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : fieldsOf(value, name, this.pointerTo(name))
  }

  /** The objects of an array. */
  objects(name: string): readonly Fields[] | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    if (!isArray(value)) return this.invalid(name, 'it must be an array')
    return value.map((item, index) => fieldsOf(item, name, `${this.pointerTo(name)}/${index}`))
  }

  invalid(name: string, reason: string): never {
    return refuse(invalidValue(name, this.get(name), reason, this.pointerTo(name)))
  }

  /** The object without the members that are null, at any depth. */
  plain(): JsonObject {
    return withoutNulls(this.#object) as JsonObject
  }
}

/** The whole body. */
export function bodyOf(body: unknown): Fields {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return new Fields(body as JsonObject, '')
  return refuse(refusal(rulesetCodes.malformed, 'invalid JSON: the body must be an object', ''))
}

function fieldsOf(value: Json, name: string, pointer: string): Fields {
  if (typeof value === 'object' && value !== null && !isArray(value)) return new Fields(value, pointer)
  return refuse(invalidValue(name, value, 'it must be an object', pointer))
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) return value.map(withoutNulls)
  const present = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]))
}

/** Equal as JSON: the order of members does not matter. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isArray(a) || isArray(b)) {
    return isArray(a) && isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]))
  }
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  )
}
