import { type Static, Type } from '@fastify/type-provider-typebox'
import { expressionCondition, type SearchExport, searchedDatasets } from '../../analytics/index.ts'
import { analyticsLimits, searchLimits } from '../../analytics/limits.ts'
import { expressionLimits } from '../../expressions/limits.ts'
import { type CheckedNode, checkFilter } from '../../logfilter/index.ts'
import { findFields, refuseFilter } from '../../logpush/index.ts'
import type { Dataset } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import { expressionInvalid } from '../../rulesets/index.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { cursorPage } from '../http/envelope.ts'
import { accepted, refusal } from '../http/errors.ts'
import { optional, strict } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { analyticsRequestLimits } from './limits.ts'
import { parquetAnswer, sendParquet } from './parquet-file.ts'
import { eventCursor, rangeOf, rangeQuery, readEventCursor } from './query.ts'
import { QueryQueue } from './query-queue.ts'
import type { RunningExports } from './running-exports.ts'

const wantedQuery = {
  ...rangeQuery,
  dataset: optional(Type.Enum([...searchedDatasets], { description: 'By default http_requests' })),
  filter: optional(
    Type.String({
      maxLength: analyticsRequestLimits.filterCharactersMax,
      description: 'JSON text as in Logpush jobs: {"where": …}; empty passes every record',
      examples: ['{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}'],
    }),
  ),
  expression: optional(
    Type.String({
      maxLength: expressionLimits.expressionCharactersMax,
      description:
        'An expression of the rules language; records pass it and the filter. Empty passes every record',
      examples: ['http.request.uri.path contains "/login" and ip.src in {10.0.0.0/8}'],
    }),
  ),
  fields: optional(
    Type.String({
      maxLength: analyticsRequestLimits.fieldsCharactersMax,
      description: 'Comma-separated names of fields; by default those of Logpush',
      examples: ['RayID,ClientIP,EdgeResponseStatus'],
    }),
  ),
}

const exportQuery = Type.Object(wantedQuery, strict)

const searchQuery = Type.Object(
  {
    ...wantedQuery,
    order: optional(
      Type.Enum(['asc', 'desc'], { description: 'By time: oldest or newest first; by default desc' }),
    ),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: analyticsLimits.pageMax,
        description: `By default ${analyticsLimits.pageDefault}. A page of large records holds fewer, and still has a next page`,
      }),
    ),
    cursor: optional(Type.String({ maxLength: 64, description: 'Cursor of the previous page' })),
  },
  strict,
)

const foundRecordSchema = Type.Object(
  {},
  { additionalProperties: true, description: 'The fields of a record; times are nanoseconds as text' },
)

const operation = operationsOf('Security analytics')
const described = {
  search: operation(
    'searchLogs',
    'Search the retained records of a zone; Sluice’s own',
    ['zoneLogs', 'read'],
    {
      result: Type.Array(foundRecordSchema),
    },
  ),
  export: operation(
    'exportLogs',
    'Export the retained records of a zone that pass as Parquet; Sluice’s own',
    ['zoneLogs', 'read'],
    { answers: parquetAnswer },
  ),
}

/** Sluice's own: every record that analytics keep. As in Instant Logs, no retention flag is needed. */
export function logSearchRoutes(
  app: Api,
  { analytics, clock }: ApiDeps,
  queue: QueryQueue,
  running: RunningExports,
): void {
  // The store writes one at a time, so that it has time for queries.
  const exports = new QueryQueue(1)
  const search = { config: described.search, schema: { querystring: searchQuery } }
  app.get('/logs/search', search, async (request, reply) => {
    const { order = 'desc', limit = analyticsLimits.pageDefault, cursor } = request.query
    const after = cursor === undefined ? {} : { after: readEventCursor(cursor) }
    const query = { ...wantedOf(request.query, clock.nowMs()), order, limit, ...after }
    const { id } = zoneOf(request)
    const { records, next } = await queue.run(reply, () => analytics.search(id, query))
    return cursorPage(records, next === undefined ? undefined : eventCursor(next))
  })

  app.get(
    '/logs/search/export',
    { config: described.export, schema: { querystring: exportQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const wanted = wantedOf(request.query, clock.nowMs())
      running.begin(reply)
      const { id } = zoneOf(request)
      const exported = await exports.run(reply, () => analytics.exportSearch(id, wanted))
      if ('path' in exported) return sendParquet(reply, exported.path, wanted.dataset)
      const [count, limit] = [String(exported.tooMany), String(searchLimits.exportRowsMax)]
      throw refusal('tooManyExported', { count, limit })
    },
  )
}

/** @throws ApiError 400 */
function wantedOf(query: Static<typeof exportQuery>, nowMs: number): SearchExport {
  const { dataset = 'http_requests' } = query
  const searched = datasets.get(dataset)!
  const filter = filterOf(query.filter, searched)
  const names = query.fields === undefined || query.fields === '' ? [] : query.fields.split(',')
  return {
    dataset,
    range: rangeOf(query, nowMs),
    ...(filter === undefined ? {} : { filter }),
    ...expressionOf(query.expression, dataset),
    fields: accepted(findFields(names, searched, () => '/fields')),
  }
}

function expressionOf(
  expression: string | undefined,
  dataset: SearchExport['dataset'],
): Pick<SearchExport, 'expression'> {
  if (expression === undefined || expression === '') return {}
  const passes = expressionCondition(expression, dataset)
  if (!passes.ok) accepted({ ok: false, problem: expressionInvalid(expression, passes.text, '/expression') })
  return { expression }
}

function filterOf(text: string | undefined, dataset: Dataset): CheckedNode | undefined {
  if (text === undefined || text === '') return undefined
  const checked = checkFilter(text, dataset)
  return checked.ok ? checked.node : accepted(refuseFilter(checked.problem))
}
