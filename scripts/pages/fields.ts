import { availabilities } from '../../src/rulesets/fields/http-scheme.ts'
import { fieldFamilies } from '../../src/rulesets/fields/table.ts'
import { code, part, table } from './markdown.ts'

/** A table of the fields of each family. */
export function fieldsPart(): string {
  const sections = fieldFamilies.flatMap(({ title, fields }) => [
    `### ${title}`,
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
  return part('src/rulesets/fields/', sections)
}
