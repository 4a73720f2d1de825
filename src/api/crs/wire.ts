import { Type } from '@fastify/type-provider-typebox'
import type { ChangedCrsRule, CrsComparison, CrsRule, CrsRuleMember } from '../../crs/index.ts'
import type { CrsRelease } from '../../model/resource.ts'
import { describedText, text, time, type Wire } from '../http/schemas.ts'

export const releaseSchema = Type.Object({
  version: describedText('of the managed rulesets'),
  crs_version: text,
  imported_on: time,
  origin: text,
  released_year: Type.Union([Type.Integer(), Type.Null()], {
    description: 'the newest year in the copyright lines of its files',
  }),
  active: Type.Boolean({ description: 'whether `latest` refers to this release' }),
})

const comparedRule = Type.Object({
  id: Type.Integer({ description: 'its number in the CRS' }),
  file: text,
  message: text,
  severity: text,
  paranoia_level: Type.Integer({ description: '0 for rules without a level' }),
  tags: Type.Array(text),
})

const changedRule = Type.Object({
  id: Type.Integer(),
  file: text,
  message: text,
  members: Type.Array(text, {
    description: 'changed properties: message, severity, paranoia_level, tags, text',
  }),
  changes: Type.Object({}, { description: '`from` and `to` of each changed property' }),
})

const differences = {
  added: Type.Array(comparedRule),
  changed: Type.Array(changedRule),
  removed: Type.Array(comparedRule),
}

export const comparisonSchema = Type.Object({ from: releaseSchema, to: releaseSchema, ...differences })

export function releaseToWire(release: CrsRelease, active: boolean): Wire<typeof releaseSchema> {
  return {
    version: String(release.version),
    crs_version: release.crsVersion,
    imported_on: release.importedOn,
    origin: release.origin,
    released_year: release.releasedYear ?? null,
    active,
  }
}

export function comparisonToWire({
  added,
  changed,
  removed,
}: CrsComparison): Pick<Wire<typeof comparisonSchema>, keyof typeof differences> {
  return {
    added: added.map(ruleToWire),
    changed: changed.map(changedToWire),
    removed: removed.map(ruleToWire),
  }
}

function ruleToWire(rule: CrsRule): Wire<typeof comparedRule> {
  return {
    id: rule.id,
    file: rule.file,
    message: textOf(rule.message),
    severity: rule.severity,
    paranoia_level: rule.paranoiaLevel,
    tags: rule.tags,
  }
}

function changedToWire({ before, after, members }: ChangedCrsRule): Wire<typeof changedRule> {
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
export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const memberNames: Readonly<Record<CrsRuleMember, string>> = {
  message: 'message',
  severity: 'severity',
  paranoiaLevel: 'paranoia_level',
  tags: 'tags',
  text: 'text',
}
