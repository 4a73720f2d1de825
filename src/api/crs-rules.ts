import { findRelease, type WrittenRule, writtenRules } from '../crs/index.ts'
import type { CrsRelease } from '../model/resource.ts'
import type { Api } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'

type Rules = ReadonlyMap<number, WrittenRule>
export type CrsRuleReader = (release: CrsRelease) => Promise<Rules>

interface RulePath {
  Params: { readonly release: string; readonly number: string }
}

/** Releases whose rules are kept read: the one in use and the one somebody compares it with. */
const keptMax = 2

/** Reads the rules of a release once, and keeps those that were asked for last: a release never changes. */
export function crsRuleReader({ store }: Pick<ApiDeps, 'store'>): CrsRuleReader {
  const kept = new Map<number, Promise<Rules>>()
  return ({ version }) => {
    const rules = kept.get(version) ?? store.crs.files(version).then(writtenRules)
    kept.delete(version)
    kept.set(version, rules)
    rules.catch(() => kept.delete(version))
    const [oldest] = kept.keys()
    if (kept.size > keptMax) kept.delete(oldest!)
    return rules
  }
}

/** What a rule of a CRS release says in its own language. Sluice's own; the same below accounts and zones. */
export function crsRuleRoutes(app: Api, { store }: Pick<ApiDeps, 'store'>, read: CrsRuleReader): void {
  app.get<RulePath>('/waf/crs_releases/:release/rules/:number', async ({ params }) => {
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

function ruleToWire(rule: WrittenRule, release: CrsRelease): object {
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

/** Rules of plugins and of releases that upstream did not make have none. */
function upstreamUrl({ file, line }: WrittenRule, { crsVersion }: CrsRelease): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(crsVersion) || !file.startsWith('rules/')) return null
  return `https://github.com/coreruleset/coreruleset/blob/v${crsVersion}/${encodeURI(file)}#L${line}`
}

/** Rules are byte strings; files are in UTF-8. */
function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
