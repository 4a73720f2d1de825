import { createHash, randomFillSync, randomUUID } from 'node:crypto'

/** A new identifier in the API's form: 32 lower-case hex digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '')
}

/** The same 32 hex digits for the same name, on every installation. */
export function idFromName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}

/**
 * 16 lower-case hex digits, the form of a Ray ID. Random bytes are drawn for many ids at a time, because every
 * request needs one.
 */
export function newRayId(): string {
  if (randomUsed === random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  randomUsed += 8
  return random.toString('hex', randomUsed - 8, randomUsed)
}

const random = Buffer.alloc(4096)
let randomUsed = random.length

export function isId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}
