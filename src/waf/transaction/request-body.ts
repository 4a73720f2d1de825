import { stringOfBytes } from '../../kit/bytes.ts'
import {
  type BodyOptions,
  type BodyReader,
  holdsAscii,
  jsonReader,
  multipartReader,
  type ParsedArguments,
  type ParsedMultipart,
  unreadCharset,
  urlencodedReader,
  xmlReader,
} from '../bodies/index.ts'
import { lowercase } from '../transformations/case.ts'
import { type BodyFacts, emptyBody, type MultipartFacts } from '../variables/body-facts.ts'
import { Entry, entriesOf } from '../variables/entry.ts'
import { headerValue } from '../variables/headers.ts'
import type { TransactionState } from '../variables/state.ts'

/** The processor that the engine chooses; rules choose the others by `ctl:requestBodyProcessor`. */
export function processorOf(contentType: string): string {
  const type = lowercase(contentType)
  if (type.startsWith('application/x-www-form-urlencoded')) return 'URLENCODED'
  return type.startsWith('multipart/form-data') ? 'MULTIPART' : ''
}

/**
 * The request's charset for its whole body. The XML reader detects UTF-16 itself. Old devices name it in a header,
 * which ASP.NET obeys.
 */
function unreadCharsetOf({ request: { headers }, processor }: TransactionState): string | undefined {
  const ofType = unreadCharset(headerValue(headers, 'content-type'))
  if (ofType !== undefined && !(processor === 'XML' && utf16.includes(ofType))) return ofType
  return unreadCharset(`charset=${headerValue(headers, 'x-up-devcap-post-charset')}`)
}

const utf16: readonly string[] = ['utf-16', 'utf-16le', 'utf-16be']

type Reading = BodyReader<Partial<BodyFacts> & { readonly fieldsCut?: boolean }>

/** The body of one request, read by the transaction's processor as it arrives. */
export class RequestBody {
  readonly #reading: Reading
  readonly #bytesMax: number
  /** From the header, regardless of the rules' targets. */
  readonly #unreadCharset: string | undefined
  #fieldsCut = false
  #length = 0
  #inspected = 0
  /** Parts that are too short for a separate call of the reader. */
  #gathered = ''

  /** Bytes that may be read. Uploads do not count towards the lower of the two limits; fields beside them do. */
  static bytesMax({ settings, processor }: TransactionState): number {
    const { requestBodyLimit, requestBodyNoFilesLimit } = settings
    return processor === 'MULTIPART' ? requestBodyLimit : Math.min(requestBodyLimit, requestBodyNoFilesLimit)
  }

  constructor(state: TransactionState) {
    this.#bytesMax = RequestBody.bytesMax(state)
    this.#reading = readingOf(state)
    this.#unreadCharset = unreadCharsetOf(state)
  }

  add(part: Uint8Array): void {
    this.#length += part.length
    const inspected = Math.min(part.length, this.#bytesMax - this.#inspected)
    if (inspected === 0) return
    this.#inspected += inspected
    this.#gathered += stringOfBytes(part, inspected)
    if (this.#gathered.length >= partBytes) this.#read()
  }

  /** Known once the body has ended. */
  get isTooLong(): boolean {
    return this.#length > this.#bytesMax || this.#fieldsCut
  }

  /** @param complete false if the body has more bytes than were given */
  end(complete: boolean): BodyFacts {
    if (this.#length === 0) return complete ? emptyBody : { ...emptyBody, cut: true }
    const whole = complete && this.#length <= this.#bytesMax
    this.#read()
    const { fieldsCut = false, ...facts } = this.#reading.end(whole)
    this.#fieldsCut = fieldsCut
    const read = { ...emptyBody, length: this.#length, cut: !whole || fieldsCut, ...facts }
    if (this.#unreadCharset === undefined) return read
    const error = `the charset ${this.#unreadCharset} is not read`
    return { ...read, error, unreadCharset: this.#unreadCharset }
  }

  #read(): void {
    this.#reading.write(this.#gathered)
    this.#gathered = ''
  }
}

const partBytes = 4096

/** REQUEST_BODY is filled for forms, and for unknown types if it is forced. */
function readingOf(state: TransactionState): Reading {
  const { argumentsLimit, jsonDepthLimit, requestBodyNoFilesLimit } = state.settings
  const options: BodyOptions = {
    argumentsMax: Math.max(0, argumentsLimit - state.queryArguments.length),
    jsonDepthMax: jsonDepthLimit,
    fieldBytesMax: requestBodyNoFilesLimit,
  }
  switch (state.processor) {
    case 'URLENCODED':
      return readsForm(urlencodedReader(options))
    case 'MULTIPART': {
      const contentType = headerValue(state.request.headers, 'content-type')
      return reads(multipartReader(contentType, options), form => ({
        arguments: entriesOf(form.args),
        error: form.error,
        multipart: multipartFacts(form),
        fieldsCut: form.fieldsCut,
        unreadCharset: form.unreadCharset,
      }))
    }
    case 'JSON':
      return reads(jsonReader(options), ({ args, error }) => ({ jsonArguments: entriesOf(args), error }))
    case 'XML':
      return reads(xmlReader(), ({ text, attributes, error }) => ({
        xmlText: text,
        xmlAttributes: attributes.map(value => new Entry('', value)),
        error,
      }))
    default:
      return state.forceBodyVariable ? keepsText() : readsNothing
  }
}

function reads<Result>(
  reader: BodyReader<Result>,
  factsOf: (result: Result) => ReturnType<Reading['end']>,
): Reading {
  return { write: part => reader.write(part), end: complete => factsOf(reader.end(complete)) }
}

function readsForm(form: BodyReader<ParsedArguments>): Reading {
  const text = keepsText()
  return {
    write(part) {
      form.write(part)
      text.write(part)
    },
    end(complete) {
      const { args, error } = form.end(complete)
      const charset = args.find(({ name }) => name === '_charset_')?.value ?? ''
      const unreadCharset = holdsAscii(lowercase(charset)) ? undefined : lowercase(charset)
      return { ...text.end(complete), arguments: entriesOf(args), error, unreadCharset }
    },
  }
}

function keepsText(): Reading {
  const parts: string[] = []
  return {
    write(part) {
      parts.push(part)
    },
    end: () => ({ text: parts.join('') }),
  }
}

const readsNothing: Reading = { write: () => {}, end: () => ({}) }

function multipartFacts(form: ParsedMultipart): MultipartFacts {
  const { files, partHeaders, flags, strictError, unmatchedBoundary } = form
  let fileBytes = 0
  for (const file of files) fileBytes += file.size
  return {
    fileNames: files.flatMap(file => file.filenames.map(name => new Entry(file.field, name))),
    fileSizes: files.map(file => new Entry(file.field, String(file.size))),
    fileBytes,
    partHeaders: partHeaders.map(({ part, line }) => new Entry(part, line)),
    flags,
    strictError,
    unmatchedBoundary,
  }
}
