/** What came of reading a text: something, and what was taken otherwise than it was written; or why it cannot be read. */
export type Read<T> =
  | { readonly ok: true; readonly value: T; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string }

/** Thrown inside a reader, for its entry to catch. */
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

/** Characters of a pasted text. */
export const pastedMax = 2 * 1024 * 1024
