/** Helpers of the spool's tests. The partition is always `w`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SpoolSync } from '../../model/settings/index.ts'
import { RecordLogError, type RecordLogFault } from '../faults.ts'
import { openLocalRecordLog } from '../local/spool/record-log.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import type { RecordLog, RecordReader, SequencedRecord } from '../port.ts'

export const plenty = { records: 100_000, bytes: 1 << 30 }

let scratch: string | undefined
let spools = 0

/** A separate directory, removed after the tests of the file. */
export function newSpool(): string {
  if (scratch === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'sluice-spool-'))
    after(() => rmSync(made, { recursive: true, force: true }))
    scratch = made
  }
  return join(scratch, `spool-${spools++}`)
}

export function failOnFault(fault: RecordLogFault): void {
  assert.fail(fault.message)
}

export function openSpool(
  directory: string,
  policy: Partial<LogPolicy> = {},
  onFault: (fault: RecordLogFault) => void = failOnFault,
): RecordLog {
  return openLocalRecordLog(directory, onFault, { ...defaultPolicy, ...policy })
}

export function isCode(code: RecordLogError['code']): (error: unknown) => boolean {
  return error => error instanceof RecordLogError && error.code === code
}

export function segmentsOf(directory: string, partition = 'w'): string[] {
  return readdirSync(join(directory, partition))
    .filter(name => name.endsWith('.log'))
    .sort()
    .map(name => join(directory, partition, name))
}

/** By the name of its file. */
export function firstOf(segment: string): number {
  return Number(segment.slice(-20, -4))
}

export async function writeRecords(directory: string, records: readonly string[]): Promise<void> {
  const log = openSpool(directory)
  const writer = await log.writer('w')
  for (const record of records) writer.append(record)
  await log.close()
}

/** Appends numbered records, one per group, until there are this many segments. @returns the number of records */
export async function fillSegments(
  log: RecordLog,
  directory: string,
  segments: number,
  recordBytes: number,
  partition = 'w',
): Promise<number> {
  const writer = await log.writer(partition)
  let count = 0
  while (segmentsOf(directory, partition).length < segments) {
    writer.append(numbered(++count, recordBytes))
    await writer.flush()
    // Waits for the end of the work that the roll began.
    await sleep(0)
  }
  return count
}

export function numbered(n: number, bytes: number): string {
  return `${n} `.padEnd(bytes, 'x')
}

/** All records from the first on, in the form that a job reads. */
export async function readFrom(reader: RecordReader, partition = 'w'): Promise<SequencedRecord[]> {
  const records: SequencedRecord[] = []
  for (;;) {
    const got = await reader.read(partition, records.at(-1)?.sequence ?? 0, plenty)
    if (got.length === 0) return records
    records.push(...got)
  }
}

/** All records; none may be missing. */
export async function readAll(directory: string): Promise<string[]> {
  const log = openSpool(directory)
  const reader = await log.reader()
  const records = await readFrom(reader)
  assert.equal(await reader.head('w'), records.length)
  await log.close()
  return records.map(({ record }) => record)
}

/** A process that writes until it is killed. @returns `ended` gives the last number that was acknowledged */
export function startWriter(
  directory: string,
  first: number,
  sync: SpoolSync,
  killAfter = Number.POSITIVE_INFINITY,
) {
  const script = join(import.meta.dirname, 'spool-writer.ts')
  const child = spawn(process.execPath, [script, directory, String(first), sync], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = -1
  let lineCount = 0
  const lines = createInterface({ input: child.stdout })
  lines.on('line', line => {
    acknowledged = Number(line)
    if (++lineCount === killAfter) child.kill('SIGKILL')
  })
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')]).then(() => acknowledged)
  return { process: child, ended }
}
