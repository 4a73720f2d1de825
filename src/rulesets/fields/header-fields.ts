import { derived } from './derived.ts'
import { fieldsOf } from './http-field.ts'
import { readCookies } from './parsing/cookies.ts'
import { headerMap, headerNames, headerText, headerValues } from './parsing/header-values.ts'
import { acceptedLanguages } from './parsing/languages.ts'

const headers = derived(view => view.headers, headerMap)
const names = derived(view => view.headers, headerNames)
const values = derived(view => view.headers, headerValues)
const rawHeaders = derived(view => view.rawHeaders, headerMap)
const rawNames = derived(view => view.rawHeaders, headerNames)
const rawValues = derived(view => view.rawHeaders, headerValues)
const cookies = derived(
  view => view.headers,
  lines => readCookies(headerText(lines, 'cookie', '; ')),
)
const languages = derived(
  view => view.headers,
  lines => acceptedLanguages(headerText(lines, 'accept-language')),
)

/** Headers of the request. */
export const headerFields = fieldsOf([
  [
    'http.cookie',
    'String',
    'The Cookie header; several are joined by `; `. Empty without one.',
    view => headerText(view.headers, 'cookie', '; '),
  ],
  [
    'http.referer',
    'String',
    'The Referer header; empty without one.',
    view => headerText(view.headers, 'referer'),
  ],
  [
    'http.user_agent',
    'String',
    'The User-Agent header; empty without one.',
    view => headerText(view.headers, 'user-agent'),
  ],
  [
    'http.x_forwarded_for',
    'String',
    'The X-Forwarded-For header as the client or a proxy sent it; several are joined by `, `. Empty without one.',
    view => headerText(view.headers, 'x-forwarded-for'),
  ],
  [
    'http.request.cookies',
    'Map<Array<String>>',
    'Cookies: URL-decoded name → values as sent. Names that are equal after decoding are merged.',
    cookies,
  ],
  [
    'http.request.headers',
    'Map<Array<String>>',
    'Headers after rewrites: name in lower case → values in order, never joined.',
    headers,
  ],
  ['http.request.headers.names', 'Array<String>', 'Names of the headers as sent, one for each line.', names],
  [
    'http.request.headers.values',
    'Array<String>',
    'Values of the headers, in the order of their names.',
    values,
  ],
  [
    'http.request.headers.truncated',
    'Boolean',
    'Always false: a request with more headers than the edge accepts is refused with 431.',
    () => false,
  ],
  [
    'http.request.accepted_languages',
    'Array<String>',
    'Languages of Accept-Language by descending weight, without `*` and languages of weight 0.',
    languages,
    'transform',
  ],
  [
    'raw.http.request.headers',
    'Map<Array<String>>',
    'Headers as received: name in lower case → values in order.',
    rawHeaders,
  ],
  ['raw.http.request.headers.names', 'Array<String>', 'Names of the headers as received.', rawNames],
  ['raw.http.request.headers.values', 'Array<String>', 'Values of the headers as received.', rawValues],
])
