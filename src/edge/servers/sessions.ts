import { createHash } from 'node:crypto'
import type { OriginGroup, OriginPools, OriginServer, SessionAffinity } from '../../rulesets/plan/plan.ts'
import { macOf, sameSignature } from '../challenge/signature.ts'
import type { ClientRequest } from '../message/client-request.ts'
import { cookiesOf } from '../message/cookies.ts'
import { joinedHeader } from '../message/headers.ts'

/** Cloudflare's name for the cookie, which clients and their tools know. */
export const sessionCookie = '__cflb'

/** The session of a request with a load balancer. */
export interface Session {
  /** Named by the request's cookie. */
  readonly member?: SessionMember
  /** Requests with the same key go to the same server. */
  readonly key?: string
}

/** A server that sessions can name. */
export interface SessionMember {
  readonly server: OriginServer
  /** Its pool; undefined while the server takes no new sessions. */
  readonly pool: OriginGroup | undefined
  /** It takes no requests after that. */
  readonly untilMs: number
}

/** Names are those in cookies. */
interface Members {
  readonly byName: ReadonlyMap<string, SessionMember>
  readonly nameOf: ReadonlyMap<OriginServer, string>
}

/**
 * Finds the server of each session. A cookie names its server by a keyed hash and is signed: clients learn no addresses, and
 * can send only cookies that an edge has given. Nothing is stored, so a session continues on every edge.
 */
export class Sessions {
  readonly #key: string
  readonly #nowMs: () => number
  readonly #members = new WeakMap<OriginPools, Members>()

  /** @param key the same on every edge of the installation */
  constructor(key: string, nowMs: () => number) {
    this.#key = key
    this.#nowMs = nowMs
  }

  find(pools: OriginPools, request: ClientRequest): Session {
    const { sessions } = pools
    if (sessions === undefined) return {}
    if (sessions.by === 'header') {
      const key = headerKey(sessions, request)
      return key === undefined ? {} : { key }
    }
    const member = this.#memberOf(pools, sessions, request)
    return {
      ...(member === undefined ? {} : { member }),
      ...(sessions.by === 'ip_cookie' ? { key: request.clientIp } : {}),
    }
  }

  /** A Set-Cookie line that begins a session at a server; undefined when its pools do not name the server. */
  cookie(pools: OriginPools, server: OriginServer): string | undefined {
    const { sessions } = pools
    if (sessions === undefined || sessions.by === 'header') return undefined
    const name = this.#membersOf(pools, sessions).nameOf.get(server)
    if (name === undefined) return undefined
    const { seconds, sameSite, secure } = sessions
    const expires = Math.floor(this.#nowMs() / 1000) + seconds
    const value = `${expires}${name}${this.#signature(sessions, name, String(expires))}`
    return `${sessionCookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
  }

  /** The member that the first valid cookie names. */
  #memberOf(
    pools: OriginPools,
    sessions: SessionAffinity,
    { headers }: ClientRequest,
  ): SessionMember | undefined {
    const nowMs = this.#nowMs()
    for (const [cookie, value] of cookiesOf(headers)) {
      if (cookie !== sessionCookie) continue
      const [, expires = '', name = '', signature = ''] = cookieForm.exec(value) ?? []
      const member = this.#membersOf(pools, sessions).byName.get(name)
      if (member === undefined || Number(expires) * 1000 <= nowMs || member.untilMs <= nowMs) continue
      if (sameSignature(signature, this.#signature(sessions, name, expires))) return member
    }
    return undefined
  }

  #signature({ balancerId }: SessionAffinity, name: string, expires: string): string {
    return macOf(this.#key, 'session', balancerId, name, expires).toString('hex')
  }

  /** Computed once for each plan. */
  #membersOf(pools: OriginPools, { balancerId, draining }: SessionAffinity): Members {
    const known = this.#members.get(pools)
    if (known !== undefined) return known
    const byName = new Map<string, SessionMember>()
    const nameOf = new Map<OriginServer, string>()
    const add = (poolId: string, member: SessionMember) => {
      const mac = macOf(this.#key, 'session server', balancerId, poolId, member.server.url)
      const name = mac.toString('hex', 0, nameBytes)
      byName.set(name, member)
      nameOf.set(member.server, name)
    }
    for (const { poolId, server, untilMs } of draining) add(poolId, { server, pool: undefined, untilMs })
    for (const pool of [pools.fallback, ...pools.pools])
      for (const server of pool.servers) add(pool.id, { server, pool, untilMs: Number.POSITIVE_INFINITY })
    const members = { byName, nameOf }
    this.#members.set(pools, members)
    return members
  }
}

const nameBytes = 12

/** Expiry in seconds, name and signature. Letters and digits alone, so that no rule takes the cookie for an attack. */
const cookieForm = /^(\d{10})([0-9a-f]{24})([0-9a-f]{64})$/

/** Undefined when the request lacks the headers, and so belongs to no session. */
function headerKey(
  { headers, cookies, needsAll }: SessionAffinity,
  request: ClientRequest,
): string | undefined {
  const values = headers.map(name => joinedHeader(request.headers, name))
  if (cookies !== undefined) {
    const sent = new Map([...cookiesOf(request.headers)].toReversed())
    values.push(...cookies.map(name => sent.get(name)))
  }
  const isMissing = (value: string | undefined) => value === undefined
  if (needsAll ? values.some(isMissing) : values.every(isMissing)) return undefined
  return createHash('sha256').update(JSON.stringify(values)).digest('base64')
}
