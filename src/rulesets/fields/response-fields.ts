import { derived } from './derived.ts'
import { fieldsOf } from './http-field.ts'
import { neutralFields } from './neutral-values.ts'
import { firstHeader, headerMap, headerNames, headerValues, mediaType } from './parsing/header-values.ts'
import type { HeaderPairs, RequestView } from './request-view.ts'

const noHeaders: HeaderPairs = []
const headerLines = (view: RequestView) => view.response?.headers ?? noHeaders
const rawHeaderLines = (view: RequestView) => view.response?.rawHeaders ?? noHeaders

/** The response: missing or empty before there is one. */
export const responseFields = [
  ...fieldsOf([
    [
      'http.response.code',
      'Integer',
      'Status of the answer to the client.',
      view => view.response?.status,
      'response',
    ],
    [
      'http.response.headers',
      'Map<Array<String>>',
      'Headers of the answer after rewrites: name in lower case → values in order, never joined.',
      derived(headerLines, headerMap),
      'response',
    ],
    [
      'http.response.headers.names',
      'Array<String>',
      'Names of these headers as sent, one for each line.',
      derived(headerLines, headerNames),
      'response',
    ],
    [
      'http.response.headers.values',
      'Array<String>',
      'Values of these headers, in the order of their names.',
      derived(headerLines, headerValues),
      'response',
    ],
    [
      'http.response.content_type.media_type',
      'String',
      'The Content-Type up to the first `;`, in lower case; empty without one.',
      view => mediaType(firstHeader(headerLines(view), 'content-type')),
      'response',
    ],
    [
      'raw.http.response.headers',
      'Map<Array<String>>',
      'Headers as the origin sent them: name in lower case → values in order.',
      derived(rawHeaderLines, headerMap),
      'response',
    ],
    [
      'raw.http.response.headers.names',
      'Array<String>',
      'Names of the headers as the origin sent them.',
      derived(rawHeaderLines, headerNames),
      'response',
    ],
    [
      'raw.http.response.headers.values',
      'Array<String>',
      'Values of the headers as the origin sent them.',
      derived(rawHeaderLines, headerValues),
      'response',
    ],
    [
      'cf.response.error_type',
      'String',
      "Why the edge generated the answer, such as `waf` or `ratelimit`; empty for an origin's answer.",
      view => view.response?.errorType ?? '',
      'response',
    ],
    [
      'cf.response.1xxx_code',
      'Integer',
      'Number of the error: 1020 for a block by a rule, 1015 for a rate limit; for others see custom errors. Else 0.',
      view => view.response?.errorCode ?? 0,
      'response',
    ],
    [
      'cf.timings.edge_msec',
      'Integer',
      'Milliseconds of work at the edge, without the wait for the origin.',
      view => milliseconds(view.response?.edgeMs),
      'response',
    ],
    [
      'cf.timings.origin_ttfb_msec',
      'Integer',
      "Milliseconds until the origin's answer began; 0 when it was not asked.",
      view => milliseconds(view.response?.originFirstByteMs),
      'response',
    ],
  ]),
  ...neutralFields('there are no Workers', [['cf.timings.worker_msec', 'Integer']], 'response'),
]

/** Whole milliseconds: the clock has fractions. */
function milliseconds(value: number | undefined): number {
  return value === undefined ? 0 : Math.max(0, Math.round(value))
}
