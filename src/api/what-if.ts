import type { Cell, Matrix, SampleExample, TimeRange } from '../analytics/index.ts'
import { timestampOf } from '../kit/clock.ts'
import { samplingLimits } from '../kit/limits.ts'
import type { Rule } from '../model/resource.ts'
import { owaspRequestRulesetId } from '../rulesets/index.ts'
import { auditEntry } from './audit.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import type { ManagedCatalog } from './managed.ts'
import type { Questions } from './questions.ts'
import { rangeOf } from './security-query.ts'
import { Turns } from './turns.ts'
import { cellQuery, matrixQuery, samplingBody, thresholdsOf } from './what-if-query.ts'

type Deps = Pick<ApiDeps, 'store' | 'clock' | 'analytics'>

/** Sluice's own: what other paranoia levels and thresholds would have done to the requests of a zone. */
export function whatIfRoutes(
  app: Api,
  { store, clock, analytics }: Deps,
  managed: () => Promise<ManagedCatalog>,
  questions: Questions,
): void {
  const turns = new Turns()
  const rateOf = async (zoneId: string) => (await store.sampling.get(zoneId)) ?? samplingLimits.defaultRate

  app.get('/security/what_if', { schema: { querystring: matrixQuery } }, async (request, reply) => {
    const { id } = zoneOf(request)
    const range = rangeOf(request.query, clock.nowMs())
    const thresholds = thresholdsOf(request.query.thresholds)
    const matrix = await questions.ask(reply, () => analytics.whatIf(id, { range, thresholds }))
    const rate = await rateOf(id)
    return success(matrixToWire(matrix, rate))
  })

  app.get('/security/what_if/cell', { schema: { querystring: cellQuery } }, async (request, reply) => {
    const { paranoia_level: level, threshold, limit = samplingLimits.topDefault } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const question = { range, level, threshold, limit, examples: samplingLimits.examples }
    const { id } = zoneOf(request)
    const cell = await questions.ask(reply, () => analytics.whatIfCell(id, question))
    return success(cellToWire(cell, level, threshold, descriptionsIn(await managed())))
  })

  app.get('/security/what_if/sampling', async request =>
    success({ sample_rate: await rateOf(zoneOf(request).id) }),
  )

  app.put('/security/what_if/sampling', { schema: { body: samplingBody } }, async request => {
    const { id } = zoneOf(request)
    const after = { sample_rate: request.body.sample_rate }
    return turns.run(id, async () => {
      const before = { sample_rate: await rateOf(id) }
      const change = { action: 'update', resource: { kind: 'what_if_sampling', id }, before, after } as const
      await store.sampling.put(id, after.sample_rate, auditEntry(request, change))
      return success({ sample_rate: await rateOf(id) })
    })
  })
}

/** What the rules of the managed ruleset are about, by their ids. */
type Descriptions = ReadonlyMap<string, string>

function descriptionsIn(catalog: ManagedCatalog): Descriptions {
  const rules: readonly Rule[] = catalog.find(owaspRequestRulesetId)?.rules ?? []
  return new Map(rules.map(({ id, description = '' }) => [id, description]))
}

function rangeToWire({ sinceMs, untilMs }: TimeRange): object {
  return { since: timestampOf(sinceMs), until: timestampOf(untilMs) }
}

function matrixToWire(matrix: Matrix, rate: number): object {
  const { samples, requests, evaluated, cpuMs } = matrix
  return {
    ...rangeToWire(matrix.range),
    sample_rate: rate,
    samples,
    requests,
    sample_share: requests === 0 ? 0 : rounded(samples / requests, 6),
    held_up: matrix.heldUp,
    left_out: matrix.leftOut,
    incomplete: matrix.incomplete,
    cost: {
      evaluated,
      cpu_ms: rounded(cpuMs, 3),
      cpu_ms_per_sample: evaluated === 0 ? 0 : rounded(cpuMs / evaluated, 3),
    },
    thresholds: matrix.thresholds,
    levels: matrix.levels.map((counts, at) => ({
      paranoia_level: at + 1,
      cells: counts.map((acted, index) => ({
        threshold: matrix.thresholds[index],
        acted_on: acted,
        share: samples === 0 ? 0 : rounded(acted / samples, 6),
      })),
    })),
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function cellToWire(cell: Cell, level: number, threshold: number, descriptions: Descriptions): object {
  const { samples, acted } = cell
  return {
    ...rangeToWire(cell.range),
    paranoia_level: level,
    threshold,
    samples,
    acted_on: acted,
    share: samples === 0 ? 0 : rounded(acted / samples, 6),
    acted_on_anew: cell.actedAnew,
    let_through: cell.letThrough,
    paths: cell.paths,
    clients: cell.clients,
    rules: cell.rules.map(({ value, samples: count }) => {
      const [id = '', ref = ''] = value.split(' ', 2)
      return { id, ref, description: descriptions.get(id) ?? '', samples: count }
    }),
    examples: cell.examples.map(example => exampleToWire(example, level, descriptions)),
  }
}

function exampleToWire(example: SampleExample, level: number, descriptions: Descriptions): object {
  return {
    datetime: timestampOf(example.time),
    ray_id: example.ray,
    client_ip: example.client,
    client_country: example.country,
    host: example.host,
    method: example.method,
    path: example.path,
    action: example.action,
    score: example.scores[level - 1],
    scores: example.scores,
    stopped_by_rule: example.stops > 0 && example.stops <= level,
    rules: example.rules.map(([id, ref, ruleLevel, score]) => ({
      id,
      ref,
      description: descriptions.get(id) ?? '',
      paranoia_level: ruleLevel,
      score,
      counts: ruleLevel <= level,
    })),
  }
}
