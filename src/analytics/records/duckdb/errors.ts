import { RecordStoreError } from '../port.ts'

/** Texts in the engine's messages, which have no codes. The first that a message contains decides. */
const texts: readonly (readonly [RegExp, RecordStoreError['code']])[] = [
  [/Could not set lock/, 'busy'],
  [
    /not a valid DuckDB database file|[Cc]orrupt|checksum|Failure while replaying WAL|Could not read enough bytes/,
    'damaged',
  ],
  [/with version number \d+, but we can only read/, 'newer'],
  [/has been invalidated|^FATAL/, 'ended'],
]

/** @param context what failed */
export function storeError(error: unknown, context?: string): RecordStoreError {
  if (error instanceof RecordStoreError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = texts.find(([pattern]) => pattern.test(message))?.[1] ?? 'failed'
  const text = code === 'busy' ? `another process has the file open: ${message}` : message
  return new RecordStoreError(code, context === undefined ? text : `${context}: ${text}`, { cause: error })
}
