import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { columnsOf } from '../output/columns.ts'
import type { LineFormat } from '../output/format.ts'
import { parquetThread } from '../parquet/thread.ts'
import { SinkError } from '../sinks/sink.ts'

/** The form of a batch as an object. */
export interface FileForm {
  /** At the end of its name. */
  readonly extension: string
  readonly contentType: string
  /** Receivers cannot take it. */
  readonly onlyObjects: boolean
  /**
   * The same text gives the same bytes.
   * @param gzip the batch's text, compressed
   * @throws SinkError
   */
  make(gzip: Buffer, signal: AbortSignal): Promise<Buffer>
  /**
   * The text that an object was made of.
   * @throws when it has another form, or a longer text
   */
  text(object: Uint8Array, bytesMax: number, signal: AbortSignal): Promise<Buffer>
}

export function fileForm(format: LineFormat): FileForm {
  return format.type === 'parquet' ? parquetForm(format) : gzipForm
}

const gunzipped = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip)

const gzipForm: FileForm = {
  extension: '.log.gz',
  contentType: 'application/gzip',
  onlyObjects: false,
  make: async gzip => gzip,
  text: (object, bytesMax) => gunzipped(object, { maxOutputLength: bytesMax }),
}

/** @source Apache Parquet: its media type is registered at IANA */
function parquetForm(format: LineFormat): FileForm {
  const columns = columnsOf(format)
  return {
    extension: '.parquet',
    contentType: 'application/vnd.apache.parquet',
    onlyObjects: true,
    async make(gzip, signal) {
      try {
        return await parquetThread.run({ kind: 'write', bytes: gzip, columns }, signal)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new SinkError('parquet', 'later', `the Parquet file cannot be made: ${reason}`, {
          cause: error,
        })
      }
    },
    text: (object, bytesMax, signal) =>
      parquetThread.run({ kind: 'read', bytes: object, columns, bytesMax }, signal),
  }
}
