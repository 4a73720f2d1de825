import {
  type Apply,
  type Complaint,
  type FunctionSpec,
  field,
  type Given,
  giving,
  literal,
  optionLetters,
  text,
} from './spec.ts'
import { urlDecode } from './url-decode.ts'

export const urlFunctions: readonly FunctionSpec[] = [
  {
    name: 'url_decode',
    parameters: [field(text), literal(text)],
    optional: 1,
    result: giving('Bytes'),
    bind: bindUrlDecode,
  },
  {
    name: 'remove_query_args',
    parameters: [field(text), literal(text)],
    argumentsMax: Number.POSITIVE_INFINITY,
    result: giving('Bytes'),
    bind: bindRemoveQueryArgs,
  },
]

function bindUrlDecode([, options]: readonly Given[]): Apply | Complaint {
  const letters = optionLetters(options?.literal, 'ru')
  if (letters === undefined) return { index: 1, reason: 'the options are "r", "u" and both' }
  const repeat = letters.includes('r')
  const unicode = letters.includes('u')
  return value => urlDecode(value as string, repeat, unicode)
}

const queryFields: ReadonlySet<string | undefined> = new Set([
  'http.request.uri.query',
  'raw.http.request.uri.query',
])

function bindRemoveQueryArgs([source, ...names]: readonly Given[]): Apply | Complaint {
  if (!queryFields.has(source!.field)) {
    return { index: 0, reason: `the source must be ${[...queryFields].join(' or ')}` }
  }
  const removed = new Set(names.map(name => name.literal as string))
  return query => {
    const kept = (query as string).split('&').filter(pair => !removed.has(nameOf(pair)))
    return kept.join('&')
  }
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=')
  return equals < 0 ? pair : pair.slice(0, equals)
}
