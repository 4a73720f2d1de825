import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { Compile, type Validator } from 'typebox/compile'
import type { Api } from '../http/context.ts'
import { ApiError, refusal } from '../http/errors.ts'
import { schemaEntries } from '../http/schema-errors.ts'
import type { RecordChanges } from './changes.ts'
import { dnsRecordBody, type RecordContext, type RecordInput } from './input.ts'
import { dnsLimits } from './limits.ts'
import { ZoneFileError } from './zone-file/lines.ts'
import { readZoneFile } from './zone-file/read.ts'

/** A form with a zone file. */
export class UploadedFile {
  readonly file: string
  /** For records that do not say it themselves. */
  readonly proxied: boolean
  constructor(file: string, proxied: boolean) {
    this.file = file
    this.proxied = proxied
  }
}

/** @throws ApiError 400 for the body of another content type */
export function uploadedFile(body: unknown): UploadedFile {
  if (body instanceof UploadedFile) return body
  throw refusal('badForm', { reason: 'send multipart/form-data with the part `file`' })
}

/** Reads the forms of this route; other routes take JSON only. */
export function readForms(app: Api): void {
  const options = { parseAs: 'buffer' } as const
  app.addContentTypeParser('multipart/form-data', options, async (request: FastifyRequest, body: Buffer) => {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    })
      .formData()
      .catch(() => {
        throw refusal('badForm', { reason: 'it breaks the rules of multipart/form-data' })
      })
    const file = form.get('file')
    if (file === null) throw refusal('missingField', { field: 'file' }, '/file')
    const bytes = typeof file === 'string' ? Buffer.from(file) : Buffer.from(await file.arrayBuffer())
    const { zoneFileBytesMax } = dnsLimits
    if (bytes.length > zoneFileBytesMax) throw refusal('bodyTooLarge', { limit: String(zoneFileBytesMax) })
    if (!isUtf8(bytes)) throw refusal('notUtf8')
    return new UploadedFile(bytes.toString(), form.get('proxied') === 'true')
  })
}

/**
 * Adds the records of a zone file that the zone does not have yet.
 * @returns the numbers of records in the file and of added records
 * @throws ApiError 400 with the line of the first fault
 */
export function importRecords(
  { file, proxied }: UploadedFile,
  changes: RecordChanges,
  context: RecordContext,
): { readonly parsed: number; readonly added: number } {
  let parsed = 0
  let added = 0
  let line = 1
  try {
    for (const record of readZoneFile(file, context.zone.name, proxied)) {
      ;({ line } = record)
      parsed++
      requireBody(record.input)
      if (changes.addNew({ ...record.input, name: `${record.input.name}.` }, context)) added++
    }
  } catch (error) {
    if (error instanceof ZoneFileError) line = error.line
    else if (!(error instanceof Error) || error.name !== 'ApiError') throw error
    throw refusal('badZoneFile', { line: String(line), reason: error.message }, '/file')
  }
  return { parsed, added }
}

let body: Validator | undefined

/** A record of a file has the limits of a record in JSON. @throws ApiError 400 */
function requireBody(input: RecordInput): void {
  // Compiled on first use, because few processes import zone files.
  body ??= Compile(dnsRecordBody)
  if (!body.Check(input)) throw new ApiError(400, schemaEntries(body.Errors(input), input, 'body'))
}
