import { type CrsComparison, type CrsRule, compareReleases, findRelease } from '../../../crs/index.ts'
import type { CrsRelease } from '../../../model/resource.ts'
import type { Store } from '../../../store/index.ts'
import { UsageError } from '../../usage.ts'

/**
 * `sluice crs diff A B`: the changes from A to B.
 * @param from version number of the managed rulesets, or CRS version; the same holds for `to`
 */
export async function printComparison(store: Store, from: string, to: string, json: boolean): Promise<void> {
  const releases = await store.crs.list()
  const [before, after] = [importedRelease(releases, from), importedRelease(releases, to)]
  const comparison = compareReleases(
    await store.crs.files(before.version),
    await store.crs.files(after.version),
  )
  if (json) console.log(JSON.stringify({ from: before, to: after, ...comparison }, null, 2))
  else console.log(comparisonText(before, after, comparison))
}

/** @param name version number of the managed rulesets, or CRS version; @throws UsageError without such a release */
export function importedRelease(releases: readonly CrsRelease[], name: string): CrsRelease {
  const release = findRelease(releases, name)
  if (release !== undefined) return release
  throw new UsageError(`no CRS release ${name} is imported; \`sluice crs list\` shows the imported releases`)
}

/** One line per rule: `+` added, `~` changed, `-` removed. */
export function comparisonText(
  from: CrsRelease,
  to: CrsRelease,
  { added, changed, removed }: CrsComparison,
): string {
  const lines = [
    ...added.map(rule => ({ mark: '+', rule, what: '' })),
    ...changed.map(({ after, members }) => ({
      mark: '~',
      rule: after,
      what: members.map(member => (member === 'paranoiaLevel' ? 'paranoia level' : member)).join(', '),
    })),
    ...removed.map(rule => ({ mark: '-', rule, what: '' })),
  ]
  const widest = Math.max(0, ...lines.map(({ what }) => what.length))
  return [
    `OWASP CRS ${from.crsVersion} (version ${from.version}) → ${to.crsVersion} (version ${to.version}):`,
    `${added.length} rules added, ${changed.length} changed, ${removed.length} removed`,
    ...lines.map(({ mark, rule, what }) =>
      `${mark} ${rule.id}  ${levelText(rule)}  ${rule.severity.padEnd(8)}  ${what.padEnd(widest)}  ${printable(rule.message)}`.trimEnd(),
    ),
  ].join('\n')
}

function levelText({ paranoiaLevel }: CrsRule): string {
  return paranoiaLevel === 0 ? '   ' : `PL${paranoiaLevel}`
}

/** Messages come from a release, so control characters are replaced. */
function printable(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('utf8')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '·')
}
