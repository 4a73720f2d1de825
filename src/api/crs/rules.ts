import { Type } from '@fastify/type-provider-typebox'
import { findRelease, type WrittenRule, writtenRules } from '../../crs/index.ts'
import type { CrsRelease, Scope } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { describedText, nullable, text, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { textOf } from './wire.ts'

export const crsRuleSchema = Type.Object({
  id: Type.Integer({ description: 'its number' }),
  version: describedText('of the managed rulesets'),
  crs_version: text,
  file: text,
  line: Type.Integer({ description: 'first line in the file, from 1' }),
  message: text,
  severity: describedText('in upper case; empty for rules without severity'),
  paranoia_level: Type.Integer({ description: '0 for none' }),
  tags: Type.Array(text),
  text: describedText('SecLang source, with its chain'),
  upstream_url: nullable(text),
})

/** The route is the same below accounts and zones. */
function describedAt(scope: Scope['kind']) {
  const [id, area] =
    scope === 'zone'
      ? (['getCrsRuleZone', 'zoneWaf'] as const)
      : (['getCrsRuleAccount', 'accountWaf'] as const)
  return operationsOf('Rulesets')(id, 'Get a rule of a CRS release by its number', [area, 'read'], {
    result: crsRuleSchema,
  })
}

type Rules = ReadonlyMap<number, WrittenRule>
export type CrsRuleReader = (release: CrsRelease) => Promise<Rules>

interface RulePath {
  Params: { readonly release: string; readonly number: string }
}

/** Releases whose rules stay in memory: the active one, and one to compare it with. */
const releasesKept = 2

/** Reads the rules of a release once and keeps the most recently used releases: a release never changes. */
export function crsRuleReader({ store }: Pick<ApiDeps, 'store'>): CrsRuleReader {
  const kept = new Map<string, Promise<Rules>>()
  return ({ version, digest }) => {
    const rules = kept.get(digest) ?? store.crs.files(version).then(writtenRules)
    kept.delete(digest)
    kept.set(digest, rules)
    rules.catch(() => kept.delete(digest))
    const [oldest] = kept.keys()
    if (kept.size > releasesKept) kept.delete(oldest!)
    return rules
  }
}

/** The SecLang source of a rule of a CRS release. Sluice's own; accounts and zones have the same route. */
export function crsRuleRoutes(
  app: Api,
  { store }: Pick<ApiDeps, 'store'>,
  read: CrsRuleReader,
  scope: Scope['kind'],
): void {
  const config = describedAt(scope)
  app.get<RulePath>('/waf/crs_releases/:release/rules/:number', { config }, async ({ params }) => {
    const release = findRelease(await store.crs.list(), params.release)
    if (release === undefined) throw refusal('crsReleaseNotFound', { version: params.release.slice(0, 64) })
    const rule = /^[0-9]{1,15}$/.test(params.number)
      ? (await read(release)).get(Number(params.number))
      : undefined
    if (rule === undefined)
      throw refusal('crsRuleNotFound', { number: params.number.slice(0, 64), version: release.crsVersion })
    return success(ruleToWire(rule, release))
  })
}

function ruleToWire(rule: WrittenRule, release: CrsRelease): Wire<typeof crsRuleSchema> {
  return {
    id: rule.id,
    version: String(release.version),
    crs_version: release.crsVersion,
    file: rule.file,
    line: rule.line,
    message: textOf(rule.message),
    severity: rule.severity,
    paranoia_level: rule.paranoiaLevel,
    tags: rule.tags,
    text: textOf(rule.text),
    upstream_url: upstreamUrl(rule, release),
  }
}

/** Rules of plugins and of other releases than upstream's have no URL. */
function upstreamUrl({ file, line }: WrittenRule, { crsVersion }: CrsRelease): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(crsVersion) || !file.startsWith('rules/')) return null
  return `https://github.com/coreruleset/coreruleset/blob/v${crsVersion}/${encodeURI(file)}#L${line}`
}
