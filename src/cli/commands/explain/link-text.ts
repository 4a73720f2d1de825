import type { ExcludedValue, ExplainedLink, ExplainedValue, ShownValue } from '../../../waf/index.ts'
import type { Paint } from './paint.ts'

/** The condition of a link, and each value with its result; `detailed` adds values that did not match. */
export function linkLines(
  link: ExplainedLink,
  isChain: boolean,
  detailed: boolean,
  paint: Paint,
): readonly string[] {
  const title = `  ${isChain ? `link ${link.link + 1}: ` : ''}${askedOf(link, detailed)}`
  const values = [
    ...link.values.flatMap(value => valueLines(value, detailed, paint)),
    ...moreLines(link.valuesMore, 'values'),
  ]
  if (!detailed) return [title, ...values]
  return [
    '',
    title,
    ...resultLines(link, paint),
    ...notes(link).map(note => `    ${paint('dim', note)}`),
    ...values,
    ...link.excluded.map(excludedLine),
    ...moreLines(link.excludedMore, 'values are excluded'),
  ]
}

/** In a list of matches, the beginning of a pattern suffices to recognise it. */
const briefLength = 72

function askedOf({ operator, parameter }: ExplainedLink, detailed: boolean): string {
  if (operator === '') return 'SecAction (matches always)'
  if (parameter.bytes === 0) return operator
  const isBrief = detailed || parameter.text.length <= briefLength
  const text = parameter.text.slice(0, briefLength)
  return `${operator} ${textOf(isBrief ? parameter : { ...parameter, text, cut: true })}`
}

function resultLines({ matched, values, operator }: ExplainedLink, paint: Paint): string[] {
  if (operator === '' || matched) return []
  if (values.length === 0) return [`    ${paint('red', 'nothing to test')}`]
  const negation = operator.startsWith('!') ? ' (negated: the operator holds for every value)' : ''
  return [`    ${paint('red', 'no match')}${negation}`]
}

function notes({ targets, multiMatch, transformations }: ExplainedLink): string[] {
  return [
    ...(targets.length === 0 ? [] : [`tests ${targets.join(' | ')}`]),
    ...(multiMatch ? [`multiMatch: as it is and after each change by ${transformations.join(', ')}`] : []),
  ]
}

/** The value, each step that changed it, and the part that matched. */
function valueLines(value: ExplainedValue, detailed: boolean, paint: Paint): string[] {
  if (value.target === '') return []
  const rows: [label: string, text: string][] = [['value', textOf(value.original)]]
  for (const { transformation, changed, value: result } of value.steps) {
    const last = rows.at(-1)!
    if (changed) rows.push([transformation, textOf(result)])
    else if (detailed && last[0] === unchangedBy) last[1] += `, ${transformation}`
    else if (detailed) rows.push([unchangedBy, transformation])
  }
  for (const [group, part] of value.found.entries()) {
    if (part === undefined || (group > 0 && !detailed)) continue
    rows.push([group === 0 ? 'found' : `group ${group}`, textOf(part)])
  }
  const width = Math.max(...rows.map(([label]) => label.length))
  return [
    `    ${value.target}`,
    ...rows.map(([label, text]) => `      ${paint('dim', label.padEnd(width))}  ${text}`),
  ]
}

const unchangedBy = 'unchanged by'

function excludedLine({ target, by }: ExcludedValue): string {
  return `    ${target} is excluded by rule ${by.id} (${by.source}:${by.line})`
}

function moreLines(count: number, what: string): string[] {
  return count === 0 ? [] : [`    and ${count} more ${what}`]
}

/** With the full length, if it is cut. */
export function textOf({ text, bytes, cut }: ShownValue): string {
  if (bytes === 0) return '(empty)'
  return cut ? `${text}… (${bytes} bytes)` : text
}
