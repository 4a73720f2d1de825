import { samplingLimits } from '../../../model/limits.ts'
import type { Rule } from '../../../model/resource.ts'
import { owaspRequestRulesetId } from '../../../rulesets/index.ts'
import { auditEntry } from '../../access/audit/entry.ts'
import type { ApiDeps } from '../../deps.ts'
import { type Api, zoneOf } from '../../http/context.ts'
import { success } from '../../http/envelope.ts'
import { KeyedQueue } from '../../http/keyed-queue.ts'
import { operationsOf } from '../../openapi/operation.ts'
import type { ManagedCatalog } from '../../rulesets/managed.ts'
import { whatIfLimits } from '../limits.ts'
import { rangeOf } from '../query.ts'
import type { QueryQueue } from '../query-queue.ts'
import { cellQuery, matrixQuery, samplingBody, thresholdsOf } from './query.ts'
import { cellSchema, cellToWire, type Descriptions, matrixSchema, matrixToWire } from './wire.ts'

const operation = operationsOf('Security analytics')
const described = {
  matrix: operation(
    'getWhatIf',
    'Count the sampled requests that each paranoia level and threshold would act on',
    ['zoneLogs', 'read'],
    { result: matrixSchema },
  ),
  cell: operation(
    'getWhatIfCell',
    'Get the sampled requests that one paranoia level and threshold would act on',
    ['zoneLogs', 'read'],
    { result: cellSchema },
  ),
  sampling: operation('getWhatIfSampling', 'Get the sample rate', ['zoneWaf', 'read'], {
    result: samplingBody,
  }),
  updateSampling: operation(
    'updateWhatIfSampling',
    'Set the sample rate; 0 turns sampling off',
    ['zoneWaf', 'write'],
    { result: samplingBody, example: { sample_rate: 0.05 } },
  ),
}

type Deps = Pick<ApiDeps, 'store' | 'clock' | 'analytics'>

/** Sluice's own: the effect of other paranoia levels and thresholds on the requests of a zone. */
export function whatIfRoutes(
  app: Api,
  { store, clock, analytics }: Deps,
  managed: () => Promise<ManagedCatalog>,
  queue: QueryQueue,
): void {
  const writes = new KeyedQueue()
  const rateOf = async (zoneId: string) => (await store.sampling.get(zoneId)) ?? samplingLimits.defaultRate

  const getMatrix = { config: described.matrix, schema: { querystring: matrixQuery } }
  app.get('/security/what_if', getMatrix, async (request, reply) => {
    const { id } = zoneOf(request)
    const range = rangeOf(request.query, clock.nowMs())
    const thresholds = thresholdsOf(request.query.thresholds)
    const matrix = await queue.run(reply, () => analytics.whatIf(id, { range, thresholds }))
    const rate = await rateOf(id)
    return success(matrixToWire(matrix, rate))
  })

  const getCell = { config: described.cell, schema: { querystring: cellQuery } }
  app.get('/security/what_if/cell', getCell, async (request, reply) => {
    const { paranoia_level: level, threshold, limit = whatIfLimits.topDefault } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const query = { range, level, threshold, limit, examples: whatIfLimits.examples }
    const { id } = zoneOf(request)
    const cell = await queue.run(reply, () => analytics.whatIfCell(id, query))
    return success(cellToWire(cell, level, threshold, descriptionsIn(await managed())))
  })

  app.get('/security/what_if/sampling', { config: described.sampling }, async request =>
    success({ sample_rate: await rateOf(zoneOf(request).id) }),
  )

  const updateSampling = { config: described.updateSampling, schema: { body: samplingBody } }
  app.put('/security/what_if/sampling', updateSampling, async request => {
    const { id } = zoneOf(request)
    const after = { sample_rate: request.body.sample_rate }
    return writes.write(id, async () => {
      const stored = await store.sampling.get(id)
      const before = { sample_rate: stored ?? samplingLimits.defaultRate }
      const change = { action: 'update', resource: { kind: 'what_if_sampling', id }, before, after } as const
      await store.sampling.put(id, after.sample_rate, auditEntry(request, change), { before: stored })
      return success({ sample_rate: await rateOf(id) })
    })
  })
}

function descriptionsIn(catalog: ManagedCatalog): Descriptions {
  const rules: readonly Rule[] = catalog.find(owaspRequestRulesetId)?.rules ?? []
  return new Map(rules.map(({ id, description = '' }) => [id, description]))
}
