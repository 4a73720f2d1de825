import { availabilities } from '../../src/rulesets/fields/http-scheme.ts'
import { fieldFamilies } from '../../src/rulesets/fields/table.ts'
import { code, page, table } from './markdown.ts'

export function fieldsPage(): string {
  const sections = fieldFamilies.flatMap(({ title, fields }) => [
    `## ${title}`,
    table(
      ['Field', 'Type', 'Available in', 'Meaning'],
      fields.map(({ name, type, availability, description }) => [
        code(name),
        code(type),
        availabilities[availability].where,
        description,
      ]),
    ),
  ])
  return page('Fields', 'src/rulesets/fields/', [
    'Fields describe a request to [expressions](expressions.md). Strings are bytes and not decoded, unless stated. A value does not change within a phase. Rewrites are visible in later phases, and never in fields that begin with `raw.`.',
    'Sluice accepts every Cloudflare field, so that you can move rules unchanged. Fields without a source in Sluice have a neutral value: rules may name them, and rules that look for a detection do not match.',
    ...sections,
  ])
}
