import { availabilities } from '../../src/rulesets/fields/http-scheme.ts'
import { fieldFamilies } from '../../src/rulesets/fields/table.ts'
import { code, page, table } from './markdown.ts'

export function fieldsPage(): string {
  const sections = fieldFamilies.flatMap(({ title, fields }) => [
    `## ${title}`,
    table(
      ['Field', 'Type', 'Where it may be named', 'What it is'],
      fields.map(({ name, type, availability, description }) => [
        code(name),
        code(type),
        availabilities[availability].where,
        description,
      ]),
    ),
  ])
  return page('Fields', 'src/rulesets/fields/', [
    'What expressions may ask about a request. Texts are bytes: nothing is decoded unless a line says so. A value stays the same while a phase runs; what rules rewrite shows in the phases after it, and never in fields that begin with `raw.`.',
    'Every field of Cloudflare is there, so that rules can be moved as they are. What Sluice cannot know has a neutral value: rules that name it are kept, and those that ask for a finding do not fire.',
    ...sections,
  ])
}
