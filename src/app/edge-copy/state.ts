import type { ChangePosition } from '../../bus/index.ts'
import { CipherError } from '../../kit/cipher.ts'

/** Of a complete copy. */
export interface CopyState {
  /** The last change in it. */
  readonly position: ChangePosition
  /** Names the form of the documents: a copy of another program is not used. */
  readonly program: string
  readonly writtenMs: number
}

/** Undefined: there is no complete copy of this program and key. @throws the error of `read`, except another key */
export function stateOf(program: string, read: () => CopyState | undefined): CopyState | undefined {
  try {
    const state = read()
    return state?.program === program ? state : undefined
  } catch (error) {
    if (error instanceof CipherError) return undefined
    throw error
  }
}
