import { nearest } from '../kit/nearest.ts'

/** Known names of one kind with an entry for each; found in any case. */
export interface NameTable<T> {
  /** The table's spelling of a name with its entry; undefined if unknown. */
  find(written: string): { readonly name: string; readonly entry: T } | undefined
  /** A hint for an unknown name; undefined if no name is close. */
  hint(written: string): string | undefined
  readonly names: readonly string[]
}

/** The nearest known name; all names if none is close. For tables that are short enough to list. */
export function hintOrList(table: NameTable<unknown>, written: string): string {
  return table.hint(written) ?? `it is one of ${table.names.join(', ')}`
}

/**
 * @param entries canonical name → entry
 * @param aliases other spelling → canonical name
 */
export function nameTable<T>(
  entries: Readonly<Record<string, T>>,
  aliases: Readonly<Record<string, string>> = {},
): NameTable<T> {
  const byLowerCase = new Map<string, { readonly name: string; readonly entry: T }>()
  for (const [name, entry] of Object.entries(entries)) byLowerCase.set(name.toLowerCase(), { name, entry })
  for (const [alias, name] of Object.entries(aliases)) {
    byLowerCase.set(alias.toLowerCase(), { name, entry: entries[name] as T })
  }
  const names = Object.keys(entries)
  return {
    find: written => byLowerCase.get(written.toLowerCase()),
    hint: written => {
      const name = nearest(written, names)
      return name === undefined ? undefined : `did you mean ${name}?`
    },
    names,
  }
}

/** The same entry for a list of names, separated by blanks and line breaks. */
export function same<T>(names: string, entry: T): Record<string, T> {
  const table: Record<string, T> = {}
  for (const name of names.split(/\s+/)) if (name !== '') table[name] = entry
  return table
}
