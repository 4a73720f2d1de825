import type { Settings } from '../../model/settings/index.ts'
import type { DataSources, HttpField } from './http-field.ts'
import { neutralValue, shown } from './neutral-values.ts'
import { httpFields } from './table.ts'

/** The data that the settings name. */
export function dataSourcesOf({
  geoDatabases,
  leakedPasswords,
}: Pick<Settings, 'geoDatabases' | 'leakedPasswords'>): DataSources {
  return { hasGeoDatabases: geoDatabases.length > 0, knowsLeakedPasswords: leakedPasswords !== undefined }
}

/** The reason why a field that needs the data has none. */
export const missingData: Readonly<Record<keyof DataSources, string>> = {
  hasGeoDatabases: 'no database in SLUICE_GEO_DATABASES gives cities and AS numbers of clients',
  knowsLeakedPasswords: 'SLUICE_LEAKED_PASSWORDS names no list of leaked passwords',
}

const fieldsByName: ReadonlyMap<string, HttpField> = new Map(httpFields.map(field => [field.name, field]))

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
export function withoutData(
  fields: ReadonlySet<string>,
  expression: string,
  sources: DataSources,
): readonly string[] {
  const reasons = [...fields].flatMap(name => reasonsOf(fieldsByName.get(name)!, sources))
  const named = expression.includes('"T1"') ? torFields.find(name => fields.has(name)) : undefined
  return named === undefined ? reasons : [...reasons, `${named} is never T1: exit nodes of Tor are not known`]
}

function reasonsOf({ name, type, description, hasNoData, needs }: HttpField, sources: DataSources): string[] {
  if (hasNoData === true) return [`${name} is ${lowerFirst(description).replace(/\.$/, '')}`]
  if (needs === undefined || sources[needs]) return []
  return [`${name} is always ${shown(neutralValue(type))}: ${missingData[needs]}`]
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
