import { createHash, randomBytes } from 'node:crypto'
import type { MitigatingAction } from '../../rulesets/plan/plan.ts'
import { type Holder, sameSignature, sign } from './signature.ts'

export type ChallengeAction = Exclude<MitigatingAction, 'block'>

/**
 * Asks for a number for which the SHA-256 hash of `TOKEN.NUMBER` begins with `bits` zero bits. The token is signed, so the
 * edge stores nothing until the solution arrives.
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

/** Checks the signature before the work. Each check costs one hash. */
export function checkSolution(
  key: string,
  holder: Holder,
  token: string,
  number: string,
  nowSec: number,
): Solution {
  const match = /^(([mjc])\.(\d{1,2})\.(\d{1,15})\.[\w-]{16})\.([\w-]{43})$/.exec(token)
  if (match === null || !/^\d{1,15}$/.test(number)) return { ok: false, reason: 'the solution is malformed' }
  if (!sameSignature(match[5]!, sign(key, 'challenge', holder, match[1]!)))
    return { ok: false, reason: 'the challenge was made for another client' }
  const expiresSec = Number(match[4])
  if (expiresSec <= nowSec) return { ok: false, reason: 'the challenge has expired' }
  const hash = createHash('sha256').update(`${token}.${number}`).digest()
  if (leadingZeroBits(hash) < Number(match[3])) return { ok: false, reason: 'the solution is wrong' }
  return { ok: true, action: actionOf(match[2]!), expiresSec }
}

function actionOf(letter: string): ChallengeAction {
  if (letter === 'j') return 'js_challenge'
  return letter === 'c' ? 'challenge' : 'managed_challenge'
}

/** Counts zeros in the first 32 bits; no puzzle asks for more. */
export function leadingZeroBits(hash: Buffer): number {
  return Math.clz32(hash.readUInt32BE(0))
}
