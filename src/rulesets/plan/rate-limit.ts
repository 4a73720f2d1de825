import type { Value } from '../../expressions/index.ts'
import { asciiLower } from '../../kit/ascii.ts'
import { clientNetwork } from '../../kit/cidr.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { RequestView } from '../fields/request-view.ts'
import { httpFields } from '../fields/table.ts'
import type { RateLimitParameters } from '../schemas/rate-limit.ts'
import type { PlanSource } from './expression-compiler.ts'
import type { CompiledFilter } from './expressions.ts'
import type { RateLimitRule } from './plan.ts'

/**
 * The `ratelimit` of a stored rule.
 * @param filter the rule's own expression, which counts if there is no other
 */
export function rateLimitOf(
  parameters: JsonObject,
  filter: CompiledFilter,
  source: PlanSource,
): RateLimitRule {
  const limit = parameters as unknown as RateLimitParameters
  const { counting_expression: counting = '', score_response_header_name: scoreHeader } = limit
  const counted =
    counting.trim() === '' ? filter : source.filter(counting, { phase: 'http_ratelimit', use: 'counting' })
  return {
    keyOf: keyOf(limit.characteristics, source),
    counts: counted.test,
    countedAt: countedAt(limit, counted),
    periodMs: limit.period * 1000,
    max: (scoreHeader === undefined ? limit.requests_per_period : limit.score_per_period) ?? 0,
    mitigationMs: (limit.mitigation_timeout ?? 0) * 1000,
    ...(scoreHeader === undefined ? {} : { scoreHeader: asciiLower(scoreHeader) }),
  }
}

const responseFields: ReadonlySet<string> = new Set(
  httpFields.filter(field => field.availability === 'response').map(field => field.name),
)

function countedAt(limit: RateLimitParameters, { fields }: CompiledFilter): RateLimitRule['countedAt'] {
  if (limit.score_response_header_name !== undefined) return 'response'
  for (const name of fields) if (responseFields.has(name)) return 'response'
  return limit.requests_to_origin === true ? 'origin' : 'request'
}

function keyOf(characteristics: readonly string[], source: PlanSource): (view: RequestView) => string {
  const context = { phase: 'http_ratelimit', use: 'characteristic' } as const
  const reads = characteristics.map(text => {
    const { type, read } = source.value(text, context)
    return type === 'IP' ? networkOf(read) : read
  })
  return view => {
    let key = ''
    for (let i = 0; i < reads.length; i++) key += encoded(reads[i]!(view))
    return key
  }
}

function networkOf(read: (view: RequestView) => Value): (view: RequestView) => Value {
  return view => {
    const address = read(view)
    return typeof address === 'string' ? clientNetwork(address) : address
  }
}

/** Injective and prefix-free: each value is preceded by its length. */
function encoded(value: Value): string {
  switch (typeof value) {
    case 'undefined':
      return '-'
    case 'string':
      return `${value.length}:${value}`
    case 'number':
      return `n${value};`
    case 'boolean':
      return value ? '+' : '!'
  }
  if (isList(value)) {
    let text = `a${value.length};`
    for (const item of value) text += encoded(item)
    return text
  }
  let text = `m${value.size};`
  for (const [name, item] of value) text += encoded(name) + encoded(item)
  return text
}

function isList(value: readonly Value[] | ReadonlyMap<string, Value>): value is readonly Value[] {
  return Array.isArray(value)
}
