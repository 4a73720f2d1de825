import { derived } from './derived.ts'
import { fieldsOf } from './http-field.ts'
import { type Arguments, mapOf, readArguments } from './parsing/arguments.ts'
import { firstHeader, mediaType } from './parsing/header-values.ts'
import { multipartMap, readMultipart } from './parsing/multipart.ts'
import { sniffedType } from './parsing/sniffed-type.ts'
import type { RequestView } from './request-view.ts'

const noArguments: Arguments = { names: [], values: [] }
export const bodyOf = (view: RequestView) => view.body

/** Arguments of an `application/x-www-form-urlencoded` body; nothing is decoded. */
export const form = derived(bodyOf, (body, view) =>
  mediaType(contentType(view)) === 'application/x-www-form-urlencoded'
    ? readArguments(body.raw)
    : noArguments,
)
const formMap = derived(form, mapOf)
const multipart = derived(bodyOf, (body, view) => readMultipart(contentType(view), body.raw))
const multipartByName = derived(multipart, multipartMap)
const mime = derived(bodyOf, body => sniffedType(body.raw))

/** The body is parsed by the headers as received, regardless of rewrites. */
export function contentType(view: RequestView): string {
  return firstHeader(view.rawHeaders, 'content-type')
}

/** The body of the request: read before the phase when an expression in it uses the body. */
export const bodyFields = fieldsOf([
  [
    'http.request.body.raw',
    'String',
    'The bytes of the body, as far as they are inspected, without its `Content-Encoding`.',
    view => view.body.raw,
  ],
  [
    'http.request.body.truncated',
    'Boolean',
    'Whether the body is longer than the inspected part.',
    view => view.body.truncated,
  ],
  [
    'http.request.body.size',
    'Integer',
    'Bytes of the whole body: as announced, or as many as have arrived. For a compressed body, the bytes as sent.',
    view => view.body.size,
  ],
  [
    'http.request.body.form',
    'Map<Array<String>>',
    'Arguments of an `application/x-www-form-urlencoded` body: name → values in order. Nothing is decoded.',
    formMap,
  ],
  [
    'http.request.body.form.names',
    'Array<String>',
    'Names of these arguments, one for each occurrence.',
    view => form(view).names,
  ],
  [
    'http.request.body.form.values',
    'Array<String>',
    'Values of these arguments, in the order of their names.',
    view => form(view).values,
  ],
  [
    'http.request.body.mime',
    'String',
    'The media type according to the first bytes of the body; empty when they do not show one, as with forms and JSON.',
    mime,
  ],
  [
    'http.request.body.multipart',
    'Map<Array<String>>',
    'Parts of a multipart body: name → contents in order.',
    multipartByName,
  ],
  [
    'http.request.body.multipart.names',
    'Array<Array<String>>',
    'For each part its names.',
    view => multipart(view).names,
  ],
  [
    'http.request.body.multipart.values',
    'Array<String>',
    'The content of each part.',
    view => multipart(view).values,
  ],
  [
    'http.request.body.multipart.content_types',
    'Array<Array<String>>',
    'For each part its Content-Type headers.',
    view => multipart(view).contentTypes,
  ],
  [
    'http.request.body.multipart.content_dispositions',
    'Array<Array<String>>',
    'For each part its Content-Disposition headers.',
    view => multipart(view).contentDispositions,
  ],
  [
    'http.request.body.multipart.content_transfer_encodings',
    'Array<Array<String>>',
    'For each part its Content-Transfer-Encoding headers.',
    view => multipart(view).contentTransferEncodings,
  ],
  [
    'http.request.body.multipart.filenames',
    'Array<Array<String>>',
    'For each part its file names.',
    view => multipart(view).filenames,
  ],
])

/** Whether one of the fields needs the request's body. */
export function namesBody(fields: ReadonlySet<string>): boolean {
  for (const name of fields) if (name.startsWith('http.request.body.')) return true
  return false
}
