import type { LogRecord } from '../model/dataset.ts'
import type { StoredRecord } from './port.ts'

/** The owner and the dataset of a record. */
export interface RecordHead {
  readonly zone: string
  readonly account: string
  readonly dataset: string
}

const zoneStart = '{"zone":"'.length
const idLength = 32
const accountStart = zoneStart + idLength + '","account":"'.length
const datasetStart = accountStart + idLength + '","dataset":"'.length

/** The head of the last record, and its text: records of a zone often follow one another. */
let last: { readonly text: string; readonly head: RecordHead } | undefined

/**
 * Reads owner and dataset of a record without parsing it; ids and names of datasets contain no characters that JSON
 * escapes.
 */
export function recordHead(record: string): RecordHead {
  if (last !== undefined && record.startsWith(last.text)) return last.head
  const datasetEnd = record.indexOf('"', datasetStart)
  if (
    record.startsWith('{"zone":"') &&
    record.startsWith('","account":"', zoneStart + idLength) &&
    record.startsWith('","dataset":"', accountStart + idLength) &&
    datasetEnd > 0
  )
    return remembered(record, datasetEnd)
  // A record of an earlier version.
  const { zone, account, dataset } = JSON.parse(record) as StoredRecord
  return { zone, account: account ?? '', dataset }
}

/** The texts are copied: parts of a text would keep all of it in memory. */
function remembered(record: string, datasetEnd: number): RecordHead {
  const text = Buffer.from(record.slice(0, datasetEnd + 1)).toString()
  const head = {
    zone: text.slice(zoneStart, zoneStart + idLength),
    account: text.slice(accountStart, accountStart + idLength),
    dataset: text.slice(datasetStart, datasetEnd),
  }
  last = { text, head }
  return head
}

export function recordFields(record: string): LogRecord {
  return (JSON.parse(record) as StoredRecord).fields
}

/** Where the object of the fields begins; negative in a record of an earlier version. */
export function fieldsStartOf(record: string): number {
  const start = record.indexOf(fieldsStart, datasetStart)
  return start < 0 ? -1 : start + fieldsStart.length - 1
}

const fieldsStart = '","fields":{'
