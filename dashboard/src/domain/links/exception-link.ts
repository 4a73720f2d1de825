/** Values that prefill an exception, for links from other screens. */
export interface ExceptionPrefill {
  readonly description?: string
  readonly expression?: string
  /** Ids of rules of the managed ruleset. */
  readonly rules?: readonly string[]
  /** The one value to exclude from a rule, in SecLang's names: `ARGS` and `q`. */
  readonly collection?: string
  readonly key?: string
}

/** Query of `/zones/{id}/exceptions` that opens the form with these values. */
export function exceptionSearch({ rules, ...texts }: ExceptionPrefill): Readonly<Record<string, string>> {
  const given = { ...texts, ...(rules === undefined ? {} : { rules: rules.join(',') }) }
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== '')
  return { new: '1', ...Object.fromEntries(set) }
}

export function readExceptionSearch(search: Readonly<Record<string, string | undefined>>): ExceptionPrefill {
  const { description, expression, rules, collection, key } = search
  const ids = (rules ?? '').split(',').filter(id => /^[0-9a-f]{32}$/.test(id))
  return {
    ...(description === undefined ? {} : { description }),
    ...(expression === undefined ? {} : { expression }),
    ...(ids.length === 0 ? {} : { rules: ids }),
    ...(collection === undefined ? {} : { collection }),
    ...(key === undefined ? {} : { key }),
  }
}
