import { stringOfBytes } from '../kit/bytes.ts'
import {
  type BodyOptions,
  type ParsedMultipart,
  parseJson,
  parseMultipart,
  parseUrlencoded,
  parseXml,
} from './bodies/index.ts'
import { lowercase } from './transformations/case.ts'
import { type BodyFacts, emptyBody, type MultipartFacts } from './variables/body-facts.ts'
import { Entry, entriesOf } from './variables/entry.ts'
import { headerValue } from './variables/headers.ts'
import type { TransactionState } from './variables/state.ts'

/** The processor that the engine chooses by itself; rules choose the others by `ctl:requestBodyProcessor`. */
export function processorOf(contentType: string): string {
  const type = lowercase(contentType)
  if (type.startsWith('application/x-www-form-urlencoded')) return 'URLENCODED'
  return type.startsWith('multipart/form-data') ? 'MULTIPART' : ''
}

/** Bytes that may be inspected: those of uploads do not count towards the lower of the two limits. */
export function inspectedBytesMax(state: TransactionState): number {
  const { requestBodyLimit, requestBodyNoFilesLimit } = state.settings
  return state.processor === 'MULTIPART'
    ? requestBodyLimit
    : Math.min(requestBodyLimit, requestBodyNoFilesLimit)
}

/**
 * Reads a body by the transaction's processor.
 * @param complete false when there is more of the body than is given
 */
export function readRequestBody(body: Uint8Array, complete: boolean, state: TransactionState): BodyFacts {
  if (body.length === 0) return complete ? emptyBody : { ...emptyBody, cut: true }
  const inspected = Math.min(body.length, inspectedBytesMax(state))
  const whole = complete && inspected === body.length
  const text = stringOfBytes(body, inspected)
  const { argumentsLimit, jsonDepthLimit } = state.settings
  const options: BodyOptions = {
    complete: whole,
    argumentsMax: Math.max(0, argumentsLimit - state.queryArguments.length),
    jsonDepthMax: jsonDepthLimit,
  }
  return { ...emptyBody, length: body.length, cut: !whole, ...processed(text, options, state) }
}

/** What the processor finds. REQUEST_BODY is filled for forms, and for unknown types when it is forced. */
function processed(text: string, options: BodyOptions, state: TransactionState): Partial<BodyFacts> {
  switch (state.processor) {
    case 'URLENCODED': {
      const form = parseUrlencoded(text, options)
      return { text, arguments: entriesOf(form.args), error: form.error }
    }
    case 'MULTIPART': {
      const form = parseMultipart(text, headerValue(state.request.headers, 'content-type'), options)
      return { arguments: entriesOf(form.args), error: form.error, multipart: multipartFacts(form) }
    }
    case 'JSON': {
      const json = parseJson(text, options)
      return { jsonArguments: entriesOf(json.args), error: json.error }
    }
    case 'XML': {
      const xml = parseXml(text, options)
      const xmlAttributes = xml.attributes.map(value => new Entry('', value))
      return { xmlText: xml.text, xmlAttributes, error: xml.error }
    }
    default:
      return state.forceBodyVariable ? { text } : {}
  }
}

function multipartFacts(form: ParsedMultipart): MultipartFacts {
  const { files, partHeaders, flags, strictError, unmatchedBoundary } = form
  let fileBytes = 0
  for (const file of files) fileBytes += file.size
  return {
    fileNames: files.map(file => new Entry(file.field, file.filename)),
    fileSizes: files.map(file => new Entry(file.field, String(file.size))),
    fileBytes,
    partHeaders: partHeaders.map(({ part, line }) => new Entry(part, line)),
    flags,
    strictError,
    unmatchedBoundary,
  }
}
