import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { objectPath } from '../output/object-name.ts'
import { leaveText } from '../sinks/destination.ts'
import { parseDestination } from '../sinks/table.ts'
import type { DestinationPolicy, OwnershipIssue, OwnershipOwner } from '../types.ts'

const challengeName = 'ownership-challenge.txt'
const validSeconds = 7 * 24 * 3600

interface Claims {
  readonly scope: string
  readonly id: string
  /** SHA-256 of `destination_conf`, hex: the text may hold credentials. */
  readonly destination: string
  /** Seconds since the epoch. */
  readonly exp: number
}

/**
 * Writes the challenge file to a destination; a person who can read it there owns the destination. Its content is a
 * token (JWT, HS256) for this zone or account and exactly this `destination_conf`, valid for 7 days.
 * @source Cloudflare, "Manage Logpush: destination ownership"
 */
export async function issueOwnership(
  destinationConf: string,
  owner: OwnershipOwner,
  policy: DestinationPolicy,
): Promise<OwnershipIssue> {
  const target = parseDestination(destinationConf)
  if (!target.ok) return { filename: '', valid: false, message: target.problem.message }
  const nowMs = owner.clock.nowMs()
  const token = sign(
    {
      scope: owner.scope,
      id: owner.id,
      destination: fingerprint(destinationConf),
      exp: Math.floor(nowMs / 1000) + validSeconds,
    },
    owner.key,
  )
  const filename = objectPath(target.value.folder, challengeName, nowMs)
  const failure = await leaveText(target.value, filename, token, policy)
  return { filename, valid: failure === undefined, message: failure ?? '' }
}

/**
 * Checks that the token was issued for this owner and exactly this destination, and is still valid.
 * @returns the reason why it proves nothing; undefined when it proves the ownership
 */
export function ownershipFault(
  token: string,
  destinationConf: string,
  owner: OwnershipOwner,
): string | undefined {
  if (token.trim() === '') return 'it is missing'
  const claims = verified(token.trim(), owner.key)
  if (claims === undefined) return 'it is not the text of a challenge file of this installation'
  if (claims.scope !== owner.scope || claims.id !== owner.id)
    return 'it was issued for another account or zone'
  if (claims.destination !== fingerprint(destinationConf)) return 'it was issued for another destination_conf'
  if (claims.exp * 1000 <= owner.clock.nowMs()) return 'it has expired; a challenge is valid for 7 days'
  return undefined
}

function sign(claims: Claims, key: string): string {
  const header = encode({ alg: 'HS256', typ: 'JWT' })
  const body = encode(claims)
  return `${header}.${body}.${mac(`${header}.${body}`, key)}`
}

function verified(token: string, key: string): Claims | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  const expected = Buffer.from(mac(`${parts[0]}.${parts[1]}`, key))
  const given = Buffer.from(parts[2]!)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  return JSON.parse(Buffer.from(parts[1]!, 'base64url').toString('utf8')) as Claims
}

function mac(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function fingerprint(destinationConf: string): string {
  return createHash('sha256').update(destinationConf).digest('hex')
}
