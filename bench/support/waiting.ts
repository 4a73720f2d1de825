import { openSync, readSync } from 'node:fs'

/**
 * Milliseconds in which this thread was ready and others had its processor, since it began. Subtracted from a time,
 * they give the time on a quiet machine. 0 if the system does not report them. Takes some microseconds.
 */
export function waitedMs(): number {
  if (schedstat === undefined) return 0
  const length = readSync(schedstat, buffer, 0, buffer.length, 0)
  const [, waitedNs] = buffer.toString('latin1', 0, length).split(' ')
  return Number(waitedNs) / 1e6
}

const buffer = Buffer.alloc(100)
const schedstat = openOrNone('/proc/thread-self/schedstat')

function openOrNone(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
