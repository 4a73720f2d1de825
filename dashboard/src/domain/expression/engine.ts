import { check, compileValue, format } from '../../../../src/expressions/index.ts'
import type { ListTest } from '../../../../src/expressions/types.ts'
import { httpScheme } from '../../../../src/rulesets/fields/http-scheme.ts'
import { fieldFamilies } from '../../../../src/rulesets/fields/table.ts'
import { rangeOf } from './fault-range.ts'
import type { FieldInfo, Language, LanguageContext, ListInfo } from './types.ts'

/**
 * The edge's own expression engine, with its tables of fields and functions: it accepts the same text as the API.
 * About 50 KB gzipped, so it is only imported on demand (`use-language.ts`).
 */
export function createLanguage(context: LanguageContext, lists: readonly ListInfo[] | undefined): Language {
  const scheme = httpScheme(
    context,
    lists === undefined ? undefined : (name, type) => listTest(lists, name, type, context.phase),
  )
  return {
    fields: fieldsAt(scheme.fields),
    functions: scheme.functions ?? new Set(),
    lists,
    check(text) {
      const outcome = context.use === 'characteristic' ? compileValue(text, scheme) : check(text, scheme)
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

const kinds: Readonly<Record<ListInfo['kind'], 'Ip' | 'Bytes' | 'Int'>> = {
  ip: 'Ip',
  hostname: 'Bytes',
  asn: 'Int',
  redirect: 'Bytes',
}

/** The dashboard evaluates no expressions, so a list only has to exist. */
function listTest(
  lists: readonly ListInfo[],
  name: string,
  type: 'Ip' | 'Bytes' | 'Int',
  phase: LanguageContext['phase'],
): ListTest | undefined {
  const usable = lists.filter(({ kind }) => kind !== 'redirect' || phase === 'http_request_redirect')
  return usable.some(list => list.name === name && kinds[list.kind] === type) ? () => false : undefined
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
