import type { RequestView } from '../request-view.ts'
import { type Arguments, mapOf, readArguments } from './arguments.ts'
import { derived } from './derived.ts'
import { firstHeader, mediaType } from './header-values.ts'
import { fieldsOf } from './http-field.ts'
import { multipartMap, readMultipart } from './multipart.ts'
import { sniffedType } from './sniffed-type.ts'

const noArguments: Arguments = { names: [], values: [] }
const bodyOf = (view: RequestView) => view.body

const form = derived(bodyOf, (body, view) =>
  mediaType(contentType(view)) === 'application/x-www-form-urlencoded'
    ? readArguments(body.raw)
    : noArguments,
)
const formMap = derived(form, mapOf)
const multipart = derived(bodyOf, (body, view) => readMultipart(contentType(view), body.raw))
const multipartByName = derived(multipart, multipartMap)
const mime = derived(bodyOf, body => sniffedType(body.raw))

/** A body belongs to the headers that it came with, whatever rules make of them. */
function contentType(view: RequestView): string {
  return firstHeader(view.rawHeaders, 'content-type')
}

/** The body of the request: read before the phase when an expression in it asks. */
export const bodyFields = fieldsOf([
  [
    'http.request.body.raw',
    'String',
    'The bytes of the body, as far as they are inspected.',
    view => view.body.raw,
  ],
  [
    'http.request.body.truncated',
    'Boolean',
    'Is the body longer than what is inspected?',
    view => view.body.truncated,
  ],
  [
    'http.request.body.size',
    'Integer',
    'Bytes of the whole body: as announced, or as many as have come.',
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
    'Names of these arguments, one for each time that one is there.',
    view => form(view).names,
  ],
  [
    'http.request.body.form.values',
    'Array<String>',
    'Values of these arguments in the places of their names.',
    view => form(view).values,
  ],
  [
    'http.request.body.mime',
    'String',
    'The media type that the first bytes of the body tell; empty when they tell none, as with forms and JSON.',
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
