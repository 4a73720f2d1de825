import { Type } from '@fastify/type-provider-typebox'
import {
  type ChangedCrsRule,
  type CrsComparison,
  type CrsRule,
  type CrsRuleMember,
  compareReleases,
  findRelease,
} from '../crs/index.ts'
import type { CrsRelease } from '../model/resource.ts'
import type { Api } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'

const version = Type.String({ minLength: 1, maxLength: 64 })
const diffQuery = Type.Object({ from: version, to: version })

/** CRS releases: the versions of the managed rulesets, and what is different between them. Sluice's own. */
export function crsReleaseRoutes(app: Api, { store }: Pick<ApiDeps, 'store'>): void {
  app.get('/waf/crs_releases', async () => {
    const [releases, active] = await Promise.all([store.crs.list(), store.crs.active()])
    return success(releases.map(release => releaseToWire(release, release.version === active?.version)))
  })

  app.get('/waf/crs_releases/diff', { schema: { querystring: diffQuery } }, async ({ query }) => {
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

export function releaseToWire(release: CrsRelease, active: boolean): object {
  return {
    version: String(release.version),
    crs_version: release.crsVersion,
    imported_on: release.importedOn,
    origin: release.origin,
    active,
  }
}

function comparisonToWire({ added, changed, removed }: CrsComparison): object {
  return {
    added: added.map(ruleToWire),
    changed: changed.map(changedToWire),
    removed: removed.map(ruleToWire),
  }
}

function ruleToWire(rule: CrsRule): object {
  return {
    id: rule.id,
    file: rule.file,
    message: textOf(rule.message),
    severity: rule.severity,
    paranoia_level: rule.paranoiaLevel,
    tags: rule.tags,
  }
}

function changedToWire({ before, after, members }: ChangedCrsRule): object {
  return {
    id: after.id,
    file: after.file,
    message: textOf(after.message),
    members: members.map(member => memberNames[member]),
    changes: Object.fromEntries(
      members.map(member => [memberNames[member], { from: shown(before[member]), to: shown(after[member]) }]),
    ),
  }
}

function shown(value: CrsRule[CrsRuleMember]): unknown {
  return typeof value === 'string' ? textOf(value) : value
}

/** Rules are byte strings; files are in UTF-8. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const memberNames: Readonly<Record<CrsRuleMember, string>> = {
  message: 'message',
  severity: 'severity',
  paranoiaLevel: 'paranoia_level',
  tags: 'tags',
  text: 'text',
}
