import type { Scheme } from '../../expressions/types.ts'
import type { Phase } from '../../model/resource.ts'
import type { ListLookup } from '../plan/plan.ts'
import {
  availableFunctions,
  functionAvailability,
  rewriteUses,
  transformPhases,
} from './available-functions.ts'
import type { ExpressionContext } from './expression-context.ts'
import type { FieldAvailability, HttpField } from './http-field.ts'
import type { RequestView } from './request-view.ts'
import { httpFields } from './table.ts'

/** Schemes by phase and use: created on first use, then shared. */
const schemes = new Map<string, Scheme<RequestView>>()

/**
 * The names that are available in a context. Without `lists` the same object each time; with them a small new one
 * around the same maps.
 */
export function httpScheme(context: ExpressionContext, lists?: ListLookup): Scheme<RequestView> {
  const key = `${context.phase} ${context.use}`
  let scheme = schemes.get(key)
  if (scheme === undefined) {
    scheme = createScheme(context)
    schemes.set(key, scheme)
  }
  return lists === undefined ? scheme : { ...scheme, lists }
}

const responsePhases: ReadonlySet<Phase> = new Set([
  'http_custom_errors',
  'http_response_headers_transform',
  'http_response_compression',
  'http_response_firewall_managed',
  'http_log_custom_fields',
])

const fieldsByName: ReadonlyMap<string, HttpField> = new Map(httpFields.map(field => [field.name, field]))

function createScheme(context: ExpressionContext): Scheme<RequestView> {
  const functions = availableFunctions(context.phase, context.use)
  const fields = new Map(
    [...fieldsByName].filter(([, { availability }]) => availabilities[availability].allows(context)),
  )
  return { fields, functions, unavailable: name => reason(name, fields, functions) }
}

function reason(
  name: string,
  fields: ReadonlyMap<string, HttpField>,
  functions: ReadonlySet<string>,
): string | undefined {
  if (fields.has(name) || functions.has(name)) return undefined
  const field = fieldsByName.get(name)
  if (field !== undefined) {
    return `field ${name} is not available here, only in ${availabilities[field.availability].where}`
  }
  const where = functionAvailability(name)
  return where === undefined ? undefined : `function ${name} is not available here, only in ${where}`
}

/** The meaning of each availability: in words, and as a test. */
export const availabilities: {
  readonly [A in FieldAvailability]: {
    readonly where: string
    readonly allows: (context: ExpressionContext) => boolean
  }
} = {
  everywhere: { where: 'every phase', allows: () => true },
  response: {
    where: 'response phases and counting expressions',
    allows: ({ phase, use }) => responsePhases.has(phase) || use === 'counting',
  },
  transform: { where: 'transform rules', allows: ({ phase }) => transformPhases.includes(phase) },
  'transform-rewrite': {
    where: 'rewrite expressions of transform rules',
    allows: ({ phase, use }) => transformPhases.includes(phase) && rewriteUses.includes(use),
  },
  characteristic: {
    where: 'characteristics of rate limiting rules',
    allows: ({ use }) => use === 'characteristic',
  },
}
