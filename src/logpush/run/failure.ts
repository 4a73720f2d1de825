import { SinkError } from '../sinks/sink.ts'

/** What a failed attempt comes to. */
export interface Failure {
  readonly message: string
  /** HTTP status, or what went wrong in a word; empty where there is neither. */
  readonly status: string
  /** Only a person can mend it. */
  readonly permanent: boolean
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof SinkError)) return { message, status: '', permanent: false }
  return {
    message,
    status: error.status === undefined ? error.code : String(error.status),
    permanent: error.retry === 'never',
  }
}
