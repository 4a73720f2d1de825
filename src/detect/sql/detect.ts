import { type Detection, finds, findsInSlices } from '../detection.ts'
import { fingerprintOf } from './fingerprint.ts'
import { Grammar } from './grammar.ts'
import { arePlainWords, isWord } from './plain.ts'
import type { Reading } from './reading.ts'

/**
 * Positions of a statement where the value may be inserted, each in the reading of two families of databases. MySQL's
 * is the second of a pair.
 */
const readings: readonly Reading[] = (['', "'", '"', '`'] as const).flatMap(quote => [
  { quote, mysql: false },
  { quote, mysql: true },
])

/**
 * Detects SQL injection: a part of the value continues as SQL after an operand of the surrounding statement. That
 * operand is a number, a name, or a string in any quotes.
 * @param value byte string (latin-1, one code unit a byte)
 * @returns the fingerprint of the injection (see fingerprint.ts), at most five letters; else null. Linear in the value;
 * allocates nothing per token.
 */
export function detectSqli(value: string): string | null {
  return isSqli(value) ? detection.fingerprint : null
}

/** The same for a long value, with pauses. @param bytes between two pauses */
export function* detectSqliInSlices(value: string, bytes?: number): Generator<void, string | null, void> {
  const own = new SqliDetection()
  return (yield* findsInSlices(own, value, bytes)) ? own.fingerprint : null
}

/** Whether `detectSqli` finds an injection, without its fingerprint: that is a second pass over the fragment. */
export function isSqli(value: string): boolean {
  return finds(detection, value)
}

/** The same for a long value, with pauses. */
export function isSqliInSlices(value: string): Generator<void, boolean, void> {
  return findsInSlices(new SqliDetection(), value)
}

class SqliDetection implements Detection {
  readonly #grammar = new Grammar()
  #value = ''
  /** The index of the reading, and the position in it; -1 before it begins. */
  #reading = 0
  #position = -1

  begin(value: string): void {
    this.#value = value
    this.#reading = isWord(value) || arePlainWords(value) ? readings.length : 0
    this.#position = -1
  }

  goOn(bytes: number): boolean | undefined {
    for (; this.#reading < readings.length; this.#reading++) {
      if (this.#position < 0) {
        if (!this.#begins(readings[this.#reading]!)) continue
        this.#position = 0
      }
      this.#position += bytes
      const found = this.#grammar.readTo(this.#position)
      if (found !== false) return found
      this.#position = -1
    }
    return false
  }

  /** Fingerprint of the detected injection: at most five letters (see fingerprint.ts). */
  get fingerprint(): string {
    return fingerprintOf(this.#value, readings[this.#reading]!, this.#grammar.foundAt)
  }

  #begins(reading: Reading): boolean {
    if (!this.#value.includes(reading.quote)) return false
    return (!reading.mysql || this.#grammar.ambiguous) && this.#grammar.begin(this.#value, reading)
  }
}

/** For searches without a pause. */
const detection = new SqliDetection()
