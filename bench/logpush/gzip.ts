import { recordFields } from '../../src/bus/index.ts'
import { BatchMemory } from '../../src/logpush/batch/batch-memory.ts'
import { GzipPieces } from '../../src/logpush/batch/gzip-pieces.ts'
import { logpushLimits } from '../../src/logpush/limits.ts'
import { bestOf, once, type Rate, rateTable } from '../support/rate.ts'
import { sampleRecords } from './exchange.ts'
import { allFields, encoderOf, fortyFields, tenFields } from './lines.ts'

/** Compressing the lines of a batch, in the runtime's threads. */
const lineCount = 20_000
const runs = 4
const records = sampleRecords(2000).map(recordFields)

function piecesOf(fields: readonly string[]): readonly string[] {
  const encode = encoderOf({ field_names: fields })
  const pieces: string[] = []
  let piece = ''
  for (let i = 0; i < lineCount; i++) {
    piece += encode(records[i % records.length]!)
    if (piece.length < logpushLimits.gzipPieceCharacters && i < lineCount - 1) continue
    pieces.push(piece)
    piece = ''
  }
  return pieces
}

const rows: [string, Rate, string][] = []
for (const fields of [tenFields, fortyFields, allFields]) {
  const pieces = piecesOf(fields)
  let ratio = 0
  const compress = async () => {
    const gzip = new GzipPieces(new BatchMemory(Number.POSITIVE_INFINITY).account().hold())
    for (const piece of pieces) gzip.add(piece)
    ratio = gzip.bytes / (await gzip.finish()).length
    return lineCount
  }
  const rates: Rate[] = []
  for (let run = 0; run < runs; run++) rates.push(await once(compress))
  rows.push([`${fields.length} fields`, bestOf(rates), ratio.toFixed(1)])
}
console.log(rateTable('gzip', rows, ['ratio']))
