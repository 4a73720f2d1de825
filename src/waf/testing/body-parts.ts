import assert from 'node:assert/strict'
import type { BodyReader } from '../bodies/body.ts'

let state = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
console.log(`seed ${state}`)

/** 0 up to, not including, `below`; reproducible by SEED. */
export function random(below: number): number {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return (state >> 8) % below
}

/** Bodies up to this length are split at every byte; longer ones take too long. */
const SHORT_BYTES = 300
const RANDOM_SPLITS = 3

/** The result of a reader for the body in one part, after a check that any other parts give the same. */
export function readInAnyParts<Result>(
  make: () => BodyReader<Result>,
  body: string,
  complete = true,
): Result {
  const whole = readParts(make(), [body], complete)
  for (const parts of splits(body)) {
    const result = readParts(make(), parts, complete)
    assert.deepEqual(result, whole, `in parts: ${JSON.stringify(parts).slice(0, 2000)}`)
  }
  return whole
}

export function readParts<Result>(
  reader: BodyReader<Result>,
  parts: readonly string[],
  complete: boolean,
): Result {
  for (const part of parts) reader.write(part)
  return reader.end(complete)
}

function splits(body: string): string[][] {
  const all = Array.from({ length: RANDOM_SPLITS }, () => randomParts(body))
  if (body.length > SHORT_BYTES) return all
  for (let at = 0; at <= body.length; at++) all.push([body.slice(0, at), body.slice(at)])
  return [...all, [...body]]
}

/** Parts of 1 up to a random number of bytes. */
export function randomParts(body: string): string[] {
  const bytesMax = 2 << random(Math.max(3, Math.log2(body.length + 1)))
  const parts: string[] = []
  for (let at = 0; at < body.length; ) {
    const bytes = 1 + random(bytesMax)
    parts.push(body.slice(at, at + bytes))
    at += bytes
  }
  return parts
}
