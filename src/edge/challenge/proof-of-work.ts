import { createHash, randomBytes } from 'node:crypto'
import type { ChallengeAction } from '../verdict.ts'
import { type Holder, sameSignature, sign } from './signature.ts'

/**
 * The puzzle: find a number whose SHA-256 of `TOKEN.NUMBER` begins with so many zero bits. The token is signed, so
 * that nothing has to be remembered until a solution comes back.
 */
export interface Puzzle {
  /** `ACTION.BITS.EXPIRES.RANDOM.SIGNATURE` */
  readonly token: string
  readonly bits: number
}

const letters: { readonly [A in ChallengeAction]: string } = {
  managed_challenge: 'm',
  js_challenge: 'j',
  challenge: 'c',
}

export function makePuzzle(
  key: string,
  holder: Holder,
  puzzle: { readonly action: ChallengeAction; readonly bits: number; readonly expiresSec: number },
): Puzzle {
  const text = `${letters[puzzle.action]}.${puzzle.bits}.${puzzle.expiresSec}.${randomBytes(12).toString('base64url')}`
  return { token: `${text}.${sign(key, 'challenge', holder, text)}`, bits: puzzle.bits }
}

export type Solution =
  | { readonly ok: true; readonly action: ChallengeAction; readonly expiresSec: number }
  | { readonly ok: false; readonly reason: string }

/** Checks the signature before the work; one hash each. */
export function checkSolution(
  key: string,
  holder: Holder,
  token: string,
  number: string,
  nowSec: number,
): Solution {
  const match = /^(([mjc])\.(\d{1,2})\.(\d{1,15})\.[\w-]{16})\.([\w-]{43})$/.exec(token)
  if (match === null || !/^\d{1,15}$/.test(number))
    return { ok: false, reason: 'the solution cannot be read' }
  if (!sameSignature(match[5]!, sign(key, 'challenge', holder, match[1]!)))
    return { ok: false, reason: 'the challenge was made for another client' }
  const expiresSec = Number(match[4])
  if (expiresSec <= nowSec) return { ok: false, reason: 'the challenge is too old' }
  const hash = createHash('sha256').update(`${token}.${number}`).digest()
  if (leadingZeroBits(hash) < Number(match[3])) return { ok: false, reason: 'the solution is wrong' }
  return { ok: true, action: actionOf(match[2]!), expiresSec }
}

function actionOf(letter: string): ChallengeAction {
  if (letter === 'j') return 'js_challenge'
  return letter === 'c' ? 'challenge' : 'managed_challenge'
}

/** Of the first 32 bits; no puzzle asks for more. */
export function leadingZeroBits(hash: Buffer): number {
  return Math.clz32(hash.readUInt32BE(0))
}
