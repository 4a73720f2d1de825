import { check, compileValue, format } from '../../../src/expressions/index.ts'
import type { ListTest } from '../../../src/expressions/types.ts'
import { httpScheme } from '../../../src/rulesets/fields/http-scheme.ts'
import { fieldFamilies } from '../../../src/rulesets/fields/table.ts'
import { rangeOf } from './fault-range.ts'
import type { FieldInfo, Language, ListInfo, Place } from './types.ts'

/**
 * The engine of the edge itself, with its own tables of fields and functions: what it takes here, the API takes. Some
 * 50 KB gzipped, so that it is only ever imported on demand (`language.ts`).
 */
export function createLanguage(place: Place, lists: readonly ListInfo[] | undefined): Language {
  const scheme = httpScheme(
    place,
    lists === undefined ? undefined : (name, type) => listTest(lists, name, type),
  )
  return {
    fields: fieldsAt(scheme.fields),
    functions: scheme.functions ?? new Set(),
    lists,
    check(text) {
      const outcome = place.use === 'characteristic' ? compileValue(text, scheme) : check(text, scheme)
      if (outcome.ok) return undefined
      const { diagnostic } = outcome
      const { message, hint } = diagnostic
      return { ...rangeOf(text, diagnostic), message: hint === undefined ? message : `${message} (${hint})` }
    },
    canonical(text) {
      const outcome = format(text, scheme)
      return outcome.ok ? outcome.text : undefined
    },
  }
}

const kinds: Readonly<Record<ListInfo['kind'], 'Ip' | 'Bytes' | 'Int' | undefined>> = {
  ip: 'Ip',
  hostname: 'Bytes',
  asn: 'Int',
  redirect: undefined,
}

/** Nothing is evaluated here: that there is such a list is all that is asked. */
function listTest(
  lists: readonly ListInfo[],
  name: string,
  type: 'Ip' | 'Bytes' | 'Int',
): ListTest | undefined {
  return lists.some(list => list.name === name && kinds[list.kind] === type) ? () => false : undefined
}

function fieldsAt(available: ReadonlyMap<string, unknown>): ReadonlyMap<string, FieldInfo> {
  const found = new Map<string, FieldInfo>()
  for (const { title, fields } of fieldFamilies) {
    for (const { name, type, description } of fields) {
      if (available.has(name)) found.set(name, { name, type, description, family: title })
    }
  }
  return found
}
