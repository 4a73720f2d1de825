import type { Checked, Problem } from '../model/problem.ts'
import type { Json, JsonObject } from '../model/resource.ts'
import { refusal, rulesetCodes } from './problems.ts'

/** Aborts the check of a document. Never leaves the module: `checked` turns it into a result. */
class Refused extends Error {
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

/** Notes a feature that the installation keeps without enforcing it. Without `note`, refuses it and names the setting. */
export function noteOrRefuse(problem: Problem, note: ((problem: Problem) => void) | undefined): void {
  if (note === undefined)
    refuse({ ...problem, message: `${problem.message}; SLUICE_NOT_ENFORCED=keep stores it without effect` })
  note(problem)
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

/** JSON pointer of a member. @param pointer of the object */
export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A value from a request. Members that are null count as absent: clients send null for unset members. */
export interface Body {
  readonly members: JsonObject
  /** Whether the member is present, even as null. */
  readonly mentions: (name: string) => boolean
}

/** @param body parsed JSON */
export function bodyOf(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse(refusal(rulesetCodes.malformed, 'invalid JSON: the body must be an object', ''))
  }
  const members = withoutNulls(body as JsonObject) as JsonObject
  return { members, mentions: name => Object.hasOwn(body, name) }
}

/** The value without null members, at any depth; the order of members is kept. */
function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) return value.map(withoutNulls)
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]))
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
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
