import { byAttribute, byFile } from './values.ts'

/** The objects that the configurations of one fixture change. */
export interface Scope {
  readonly account: string
  readonly zone: string
  /** Name of the zone. */
  readonly domain: string
  /** A name for resources. */
  readonly name: string
  /** A folder for log files. */
  readonly files: string
}

const placeholder = /%(?:\[(\d+)\])?[sdtfq]/g

/**
 * Fills `%s`, `%[1]s`, `%[2]d` … in, as the provider's tests do. The line of a placeholder shows its value: the label of
 * a resource is a name, `zone_id` is the zone. `values.ts` has what lines do not show.
 * @param file path of the configuration below the fixtures
 * @throws Error when nothing says what the value of a placeholder is
 */
export function filledIn(text: string, file: string, scope: Scope): string {
  const lines = text.split('\n')
  const found = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    for (const [mark, number] of line.matchAll(placeholder)) {
      const key = number ?? `${mark}${at}`
      const value = byFile[file]?.[Number(number)] ?? shownBy(line, lines[at - 1] ?? '', mark, file, scope)
      if (value !== undefined && !found.has(key)) found.set(key, value)
    }
  }
  return lines
    .map((line, at) =>
      line.replace(placeholder, (mark, number) => {
        const value = found.get(number ?? `${mark}${at}`)
        if (value === undefined) throw new Error(`values.ts has no value for ${mark} of ${file}`)
        return value.replace(/\$(account|domain|files|zone)/g, (_, word: keyof Scope) => scope[word])
      }),
    )
    .join('\n')
}

/** @returns undefined when the line does not show it */
function shownBy(line: string, above: string, mark: string, file: string, scope: Scope): string | undefined {
  if (/^\s*(resource|data) /.test(line)) return scope.name
  const [, attribute = '', text = ''] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
  if (text.includes(`.${mark}"`)) return scope.domain
  if (text.includes(`"${mark}.`) || text.includes(`.${mark}.`) || text.includes(`"${mark}-`))
    return scope.name
  if (!['"', ''].some(quote => text === `${quote}${mark}${quote}`)) return undefined
  if (attribute === 'account_id' || (attribute === 'id' && /account = \{/.test(above))) return scope.account
  if (attribute === 'zone_id') return scope.zone
  const value = byAttribute[file.split('/')[0]!]?.[attribute]
  if (value !== undefined) return mark.endsWith('q') ? JSON.stringify(value) : value
  return ['name', 'description', 'notes', 'comment'].includes(attribute) ? scope.name : undefined
}
