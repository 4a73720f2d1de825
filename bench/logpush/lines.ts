import { compileFilter, type LogPredicate } from '../../src/logfilter/index.ts'
import { type LineEncoder, lineEncoder } from '../../src/logpush/output/encode.ts'
import { parseOutputOptions } from '../../src/logpush/output/format.ts'
import { httpRequests } from '../../src/model/datasets/http-requests.ts'
import type { JsonObject } from '../../src/model/resource.ts'
import { sampleRecords } from './exchange.ts'

/** Frequently requested fields. */
export const tenFields: readonly string[] = [
  'RayID',
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestURI',
  'ClientRequestUserAgent',
  'EdgeStartTimestamp',
  'EdgeResponseBytes',
  'EdgeResponseStatus',
  'ZoneName',
]

export const allFields: readonly string[] = httpRequests.fields.map(field => field.name)

/** Ten, and thirty more that a record has. */
export const fortyFields: readonly string[] = [
  ...tenFields,
  ...Object.keys((JSON.parse(sampleRecords(1)[0]!) as { fields: object }).fields)
    .filter(name => !tenFields.includes(name))
    .slice(0, 30),
]

export function encoderOf(options: JsonObject): LineEncoder {
  const format = parseOutputOptions(options, httpRequests)
  if (!format.ok) throw new Error(format.problem.message)
  return lineEncoder(format.value)
}

const criterion = (key: string, operator: string, value: unknown) => ({ key, operator, value })

/** Every record meets it, so all of it is evaluated. */
const criteria = [
  criterion('ClientRequestHost', 'eq', 'shop.example.com'),
  criterion('EdgeResponseStatus', 'lt', 500),
  criterion('ClientRequestPath', '!startsWith', '/health'),
  criterion('ClientRequestMethod', 'in', ['GET', 'HEAD']),
  criterion('EdgeStartTimestamp', 'geq', '2026-05-01T00:00:00Z'),
  criterion('BotScore', 'gt', 0),
  criterion('SecurityActions', '!contains', 'block'),
  criterion('ClientRequestURI', 'contains', 'colour'),
  criterion('ClientIP', '!eq', '192.0.2.1'),
]

const operatorsIn = { 1: criteria[0], 10: { and: criteria }, 30: deepest() }

/** Nested groups with 30 operators within the bytes of a filter; none holds. */
function deepest(): unknown {
  const tests = [...'abcdefghijklmnopqrstu'].map(letter => criterion('JA4', 'eq', letter))
  let where: unknown = { or: tests.slice(16) }
  for (let group = 7; group >= 0; group--) where = { or: [...tests.slice(2 * group, 2 * group + 2), where] }
  return where
}

export function filterOf(operators: keyof typeof operatorsIn): LogPredicate {
  const outcome = compileFilter(JSON.stringify({ where: operatorsIn[operators] }), httpRequests)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  if (outcome.operators !== operators) throw new Error(`${outcome.operators} operators`)
  return outcome.test
}
