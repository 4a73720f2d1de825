import type { HttpField } from './http-field.ts'
import { httpFields } from './table.ts'

/** Fields that have the same value for every request. */
const constants: ReadonlyMap<string, HttpField> = new Map(
  httpFields.filter(({ hasNoData }) => hasNoData === true).map(field => [field.name, field]),
)

const torFields: readonly string[] = [
  'ip.src.country',
  'ip.src.continent',
  'ip.geoip.country',
  'ip.geoip.continent',
]

/**
 * Why an expression tests less than at Cloudflare: one sentence, without a full stop, for each field that has no data
 * here.
 * @param fields the names in the expression
 */
export function withoutData(fields: ReadonlySet<string>, expression: string): readonly string[] {
  const reasons = [...fields].flatMap(name => {
    const field = constants.get(name)
    return field === undefined ? [] : [`${name} is ${lowerFirst(field.description).replace(/\.$/, '')}`]
  })
  const named = expression.includes('"T1"') ? torFields.find(name => fields.has(name)) : undefined
  return named === undefined ? reasons : [...reasons, `${named} is never T1: exit nodes of Tor are not known`]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
