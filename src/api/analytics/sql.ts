import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { AnalyticsAwayError, type SqlAnswer, type SqlQuery } from '../../analytics/index.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { optional, strict, text } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { sqlRequestLimits } from './limits.ts'
import { parquetAnswer, sendParquet } from './parquet-file.ts'
import { rangeOf, rangeQuery } from './query.ts'
import type { RunningExports } from './running-exports.ts'
import { rangeToWire } from './wire.ts'

const { charactersMax, rowsDefault, rowsMax, runningMax } = sqlRequestLimits

const bodyWith = (limit: string) =>
  Type.Object(
    {
      sql: Type.String({
        minLength: 1,
        maxLength: charactersMax,
        description: 'One SELECT of DuckDB over http_requests, firewall_events and what_if_samples',
        examples: ['select ClientCountry, count(*) as n from http_requests group by all order by n desc'],
      }),
      ...rangeQuery,
      limit: optional(Type.Integer({ minimum: 1, maximum: rowsMax, description: limit })),
    },
    strict,
  )

const sqlBody = bodyWith(`Rows of the answer; by default ${rowsDefault}`)
const exportBody = bodyWith(`Rows of the file; by default ${rowsMax}`)

export const sqlAnswerSchema = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Inclusive' }),
  until: Type.String({ format: 'date-time', description: 'Exclusive' }),
  columns: Type.Array(
    Type.Object({
      name: text,
      type: Type.String({ description: 'As DuckDB names it', examples: ['BIGINT'] }),
    }),
  ),
  rows: Type.Array(Type.Array(Type.Unknown()), {
    description: 'Values in the order of the columns. Times, and whole numbers beyond 2^53, are text',
  }),
  more: Type.Boolean({ description: 'The statement has more rows than `limit`' }),
})

const operation = operationsOf('Security analytics')
const need = ['accountLogs', 'read'] as const
const described = {
  ask: operation('queryLogs', 'Run a SELECT over the retained records of an account; Sluice’s own', need, {
    result: sqlAnswerSchema,
  }),
  export: operation(
    'exportQueriedLogs',
    'Export the rows of a SELECT over the records of an account as Parquet; Sluice’s own',
    need,
    { answers: parquetAnswer },
  ),
}

/** Sluice's own: SQL over the records of the account that analytics keep. */
export function sqlRoutes(app: Api, deps: ApiDeps, exports: RunningExports): void {
  const answer = statements(deps)

  app.post('/logs/sql', { config: described.ask, schema: { body: sqlBody } }, async request => {
    const query = queryOf(request, request.body, deps)
    const { range } = query
    const limit = request.body.limit ?? rowsDefault
    return success({
      ...rangeToWire(range),
      ...(await answer({ ...query, format: 'json', rowsMax: limit })),
    })
  })

  app.post(
    '/logs/sql/export',
    { config: described.export, schema: { body: exportBody } },
    async (request, reply) => {
      const query = queryOf(request, request.body, deps)
      exports.begin(reply)
      const limit = request.body.limit ?? rowsMax
      const answered = await answer({ ...query, format: 'parquet', rowsMax: limit })
      return sendParquet(reply, (answered as Extract<SqlAnswer, { readonly path: string }>).path, 'rows')
    },
  )
}

/** @throws ApiError 400 */
function queryOf(
  request: FastifyRequest,
  body: Static<typeof sqlBody>,
  { clock }: ApiDeps,
): Pick<SqlQuery, 'text' | 'account' | 'range'> {
  return { text: body.sql, account: accountOf(request).id, range: rangeOf(body, clock.nowMs()) }
}

/** Runs statements, some at the same time. */
function statements({ analytics }: ApiDeps): (query: SqlQuery) => Promise<SqlAnswer> {
  let running = 0
  return async query => {
    if (running >= runningMax) throw refusal('tooManyStatements', { limit: String(runningMax) })
    running++
    const outcome = await analytics.sql(query).finally(() => running--)
    if (outcome.ok) return outcome.answer
    if (outcome.code === 'failed') throw new AnalyticsAwayError(outcome.message)
    throw refusal('sqlRefused', { reason: outcome.message }, outcome.code === 'rows' ? '/since' : '/sql')
  }
}
