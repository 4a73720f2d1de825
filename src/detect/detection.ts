import { detectLimits } from './limits.ts'

/** A search of one value at a time, which can pause at any byte. */
export interface Detection {
  /** @param value byte string (latin-1, one code unit a byte) */
  begin(value: string): void
  /**
   * Continues the search for about this many bytes.
   * @returns whether the value is an injection; undefined while the search is unfinished
   */
  goOn(bytes: number): boolean | undefined
}

/** Searches the whole value without a pause. */
export function finds(detection: Detection, value: string): boolean {
  detection.begin(value)
  return detection.goOn(Number.POSITIVE_INFINITY) === true
}

/** Searches a long value with pauses. @param bytes between two pauses */
export function* findsInSlices(
  detection: Detection,
  value: string,
  bytes: number = detectLimits.sliceBytes,
): Generator<void, boolean, void> {
  detection.begin(value)
  for (;;) {
    const found = detection.goOn(bytes)
    if (found !== undefined) return found
    yield
  }
}
