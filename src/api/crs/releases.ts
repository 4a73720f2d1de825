import { Type } from '@fastify/type-provider-typebox'
import { compareReleases, findRelease } from '../../crs/index.ts'
import type { CrsRelease } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { operationsOf } from '../openapi/operation.ts'
import { comparisonSchema, comparisonToWire, releaseSchema, releaseToWire } from './wire.ts'

const version = Type.String({ minLength: 1, maxLength: 64 })
const diffQuery = Type.Object({ from: version, to: version })

const operation = operationsOf('Rulesets')
const described = {
  list: operation(
    'listCrsReleases',
    'List the imported CRS releases, which are the versions of the managed rulesets',
    ['accountWaf', 'read'],
    { result: Type.Array(releaseSchema) },
  ),
  compare: operation('compareCrsReleases', 'Compare two CRS releases', ['accountWaf', 'read'], {
    result: comparisonSchema,
  }),
}

/** CRS releases, which are the versions of the managed rulesets, and their comparison. Sluice's own. */
export function crsReleaseRoutes(app: Api, { store }: Pick<ApiDeps, 'store'>): void {
  app.get('/waf/crs_releases', { config: described.list }, async () => {
    const [releases, active] = await Promise.all([store.crs.list(), store.crs.active()])
    return success(releases.map(release => releaseToWire(release, release.version === active?.version)))
  })

  const compare = { config: described.compare, schema: { querystring: diffQuery } }
  app.get('/waf/crs_releases/diff', compare, async ({ query }) => {
    const [releases, active] = await Promise.all([store.crs.list(), store.crs.active()])
    const named = (name: string): CrsRelease => {
      const release = findRelease(releases, name)
      if (release === undefined) throw refusal('crsReleaseNotFound', { version: name })
      return release
    }
    const [from, to] = [named(query.from), named(query.to)]
    const [before, after] = await Promise.all([store.crs.files(from.version), store.crs.files(to.version)])
    return success({
      from: releaseToWire(from, from.version === active?.version),
      to: releaseToWire(to, to.version === active?.version),
      ...comparisonToWire(compareReleases(before, after)),
    })
  })
}
