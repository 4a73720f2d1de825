import type { Json } from '../../../model/resource.ts'

/**
 * Texts of the files that stand for others: `${VARIABLE}` for a variable of the environment anywhere in a text, and
 * `${kind:name}` for the id of an object as a whole text. `$${` stands for `${`.
 */
const marker = /\$\$\{|\$\{([^}]*)\}/g
const variableName = /^[A-Z][A-Z0-9_]*$/
const objectName = /^([a-z_0-9]+):(.+)$/

/** A value of the API as text of a file. */
export function escaped(value: Json): Json {
  return withTexts(value, escapedText)
}

/** @param names references by the ids for which they stand */
export function withNames(value: Json, names: ReadonlyMap<string, string>): Json {
  return withTexts(value, text => names.get(text) ?? escapedText(text))
}

export interface Lookup {
  /** Undefined: the text stays as it is. */
  variable(name: string): string | undefined
  /** Undefined: the text stays as it is. */
  object(kind: string, name: string): string | undefined
}

/** @throws Error for a reference that cannot be read */
export function resolved(value: Json, lookup: Lookup): Json {
  return withTexts(value, text =>
    text.replace(marker, (whole, inner: string | undefined) => {
      if (inner === undefined) return '${'
      if (variableName.test(inner)) return lookup.variable(inner) ?? whole
      const [, kind, name] = objectName.exec(inner) ?? []
      if (kind === undefined || whole !== text)
        throw new Error(
          `${whole} is neither \${VARIABLE} nor a whole text \${kind:name}; write $\${ for the characters \${`,
        )
      return lookup.object(kind, name!) ?? whole
    }),
  )
}

function escapedText(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** Changes all texts, and names of members. */
function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(item => withTexts(item, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), withTexts(member, change)]),
  )
}
