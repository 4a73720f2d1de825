/** Result of reading a text: a value with notes about deviations, or the reason for the failure. */
export type Read<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string }

/** Thrown inside a reader, caught by its entry point. */
export class CannotRead extends Error {}

export function reading<T>(read: (notes: string[]) => T): Read<T> {
  const notes: string[] = []
  try {
    return { ok: true, value: read(notes), notes: [...new Set(notes)] }
  } catch (error) {
    if (error instanceof CannotRead) return { ok: false, reason: error.message }
    throw error
  }
}

/** Maximum length of a pasted text, in characters. */
export const pastedMax = 2 * 1024 * 1024
