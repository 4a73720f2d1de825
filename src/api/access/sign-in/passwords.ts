import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { refusal } from '../../http/errors.ts'
import { passwordLimits } from '../limits.ts'

const derive = promisify(argon2)

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** @source OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane */
const current: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/** @returns `$argon2id$v=19$m=19456,t=2,p=1$SALT$TAG`, the PHC string format with base64 without padding */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const { memory, passes, parallelism } = current
  const tag = await tagOf(password, salt, tagBytes, current)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Compares in constant time. A user without a password takes as long as one with a wrong password.
 * @param hash undefined: no password matches
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = phc.exec(hash ?? (await unknown())) ?? []
  if (salt === undefined || tag === undefined) throw new Error('a stored password has an unknown form')
  const wanted = Buffer.from(tag, 'base64')
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const got = await tagOf(password, Buffer.from(salt, 'base64'), wanted.length, parameters)
  return timingSafeEqual(got, wanted) && hash !== undefined
}

let made: Promise<string> | undefined

/** The hash of a password that no user has. */
function unknown(): Promise<string> {
  made ??= hashPassword(base64(randomBytes(32)))
  return made
}

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * One at a time: each takes 19 MiB and a thread of the pool, which other work shares.
 * @throws ApiError 429 while many wait
 */
async function tagOf(
  password: string,
  nonce: Buffer,
  tagLength: number,
  parameters: Parameters,
): Promise<Buffer> {
  if (waiting >= passwordLimits.waitingMax) throw refusal('tooManySignIns')
  waiting++
  // Keyboards write the same letter in several forms (RFC 8265).
  const message = Buffer.from(password.normalize('NFC'))
  const mine = last.then(() => derive('argon2id', { message, nonce, tagLength, ...parameters }))
  last = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    waiting--
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
