import { functions } from '../../expressions/functions/table.ts'
import type { Field, Scheme } from '../../expressions/index.ts'
import { httpFields } from '../../rulesets/index.ts'
import { type Sql, sql, trusted } from '../records/sql.ts'
import type { Table, TableName } from '../records/tables.ts'

/** A field of the rules language, read from the columns of a record. */
interface KeptField {
  /** The column; records without it do not keep the field. */
  readonly column: string
  /** The field's value, where it is not the column's. */
  readonly value?: Sql
}

export const upperLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const lowerLetters = upperLetters.toLowerCase()

const country: KeptField = {
  column: 'ClientCountry',
  value: trusted(
    `case when "ClientCountry" = 'xx' then '' else translate("ClientCountry", '${lowerLetters}', '${upperLetters}') end`,
  ),
}

/**
 * Records have the URL as it was received, before normalization and rewrites, so both families of its fields are the
 * same here.
 */
const kept: ReadonlyMap<string, KeptField> = new Map<string, KeptField>([
  ['http.host', { column: 'ClientRequestHost', value: trusted('hostName("ClientRequestHost")') }],
  ['http.request.method', { column: 'ClientRequestMethod' }],
  ['http.request.version', { column: 'ClientRequestProtocol' }],
  ['http.request.uri', { column: 'ClientRequestURI' }],
  ['raw.http.request.uri', { column: 'ClientRequestURI' }],
  ['http.request.uri.path', { column: 'ClientRequestPath' }],
  ['raw.http.request.uri.path', { column: 'ClientRequestPath' }],
  ['http.user_agent', { column: 'ClientRequestUserAgent' }],
  ['http.referer', { column: 'ClientRequestReferer' }],
  ['http.response.code', { column: 'EdgeResponseStatus' }],
  ['ip.src', { column: 'ClientIP' }],
  ['ip.src.country', country],
  ['ip.geoip.country', country],
  ['cf.ray_id', { column: 'RayID' }],
  ['cf.zone.name', { column: 'ZoneName' }],
  ['cf.edge.client_port', { column: 'ClientSrcPort' }],
  ['ssl', { column: 'ClientRequestScheme', value: sql`"ClientRequestScheme" = ${'https'}` }],
])

/** The value of a field in the rows of a table; undefined when its records do not keep it. */
export function keptValue(name: string, { columns }: Table): Sql | undefined {
  const field = kept.get(name)
  if (field === undefined || !columns.some(column => column.name === field.column)) return undefined
  return field.value ?? trusted(`"${field.column}"`)
}

/** Functions that a search has. */
const searched: ReadonlySet<string> = new Set(['lower', 'upper', 'starts_with', 'ends_with'])

/** The fields that the records of a table keep. */
export function searchScheme(table: Table): Scheme<never> {
  const fields = new Map<string, Field<never>>()
  const others = new Set<string>()
  for (const { name, type } of httpFields)
    if (keptValue(name, table) === undefined) others.add(name)
    else fields.set(name, { name, type, read: () => undefined })
  const reason = `records of ${table.name satisfies TableName} do not keep it`
  return {
    fields,
    functions: searched,
    unavailable: name => {
      if (others.has(name)) return reason
      return functions.has(name) ? `searches have ${[...searched].join(', ')}` : undefined
    },
  }
}
