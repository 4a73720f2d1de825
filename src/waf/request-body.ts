import { stringOfBytes } from '../kit/bytes.ts'
import {
  type BodyOptions,
  type BodyReader,
  jsonReader,
  multipartReader,
  type ParsedArguments,
  type ParsedMultipart,
  urlencodedReader,
  xmlReader,
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

type Reading = BodyReader<Partial<BodyFacts>>

/** The body of one request, read by the transaction's processor as it comes. */
export class RequestBody {
  readonly #reading: Reading
  readonly #bytesMax: number
  #length = 0
  #inspected = 0
  /** Parts that are too short to be worth a call of the reader. */
  #gathered = ''

  /** Bytes that may be inspected: those of uploads do not count towards the lower of the two limits. */
  static bytesMax({ settings, processor }: TransactionState): number {
    const { requestBodyLimit, requestBodyNoFilesLimit } = settings
    return processor === 'MULTIPART' ? requestBodyLimit : Math.min(requestBodyLimit, requestBodyNoFilesLimit)
  }

  constructor(state: TransactionState) {
    this.#bytesMax = RequestBody.bytesMax(state)
    this.#reading = readingOf(state)
  }

  add(part: Uint8Array): void {
    this.#length += part.length
    const inspected = Math.min(part.length, this.#bytesMax - this.#inspected)
    if (inspected === 0) return
    this.#inspected += inspected
    this.#gathered += stringOfBytes(part, inspected)
    if (this.#gathered.length >= partBytesMin) this.#read()
  }

  get isTooLong(): boolean {
    return this.#length > this.#bytesMax
  }

  /** @param complete false when there is more of the body than was given */
  end(complete: boolean): BodyFacts {
    if (this.#length === 0) return complete ? emptyBody : { ...emptyBody, cut: true }
    const whole = complete && !this.isTooLong
    this.#read()
    return { ...emptyBody, length: this.#length, cut: !whole, ...this.#reading.end(whole) }
  }

  #read(): void {
    this.#reading.write(this.#gathered)
    this.#gathered = ''
  }
}

const partBytesMin = 4096

/** REQUEST_BODY is filled for forms, and for unknown types when it is forced. */
function readingOf(state: TransactionState): Reading {
  const { argumentsLimit, jsonDepthLimit } = state.settings
  const options: BodyOptions = {
    argumentsMax: Math.max(0, argumentsLimit - state.queryArguments.length),
    jsonDepthMax: jsonDepthLimit,
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

function reads<Result>(reader: BodyReader<Result>, factsOf: (result: Result) => Partial<BodyFacts>): Reading {
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
      return { ...text.end(complete), arguments: entriesOf(args), error }
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
    fileNames: files.map(file => new Entry(file.field, file.filename)),
    fileSizes: files.map(file => new Entry(file.field, String(file.size))),
    fileBytes,
    partHeaders: partHeaders.map(({ part, line }) => new Entry(part, line)),
    flags,
    strictError,
    unmatchedBoundary,
  }
}
