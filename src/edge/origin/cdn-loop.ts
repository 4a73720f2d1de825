import { createHash } from 'node:crypto'
import { type HeaderLines, joinedHeader } from '../message/headers.ts'

/* @source RFC 8586: CDN-Loop lists the CDNs that a request has passed. */

/** The name of an installation's edges in CDN-Loop. Other installations, with other names, may be behind this one. */
export function cdnId(installationKey: string): string {
  return `sluice-${createHash('sha256').update(`cdn-loop ${installationKey}`).digest('hex').slice(0, 16)}`
}

/** @returns whether the request has already passed this installation */
export function hasLooped(headers: HeaderLines, id: string): boolean {
  const hops = joinedHeader(headers, 'cdn-loop')
  return hops?.split(',').some(hop => hop.split(';', 1)[0]!.trim() === id) ?? false
}

/** The header for the next hop. @param received the client's own lines, because rules must not remove a hop */
export function nextCdnLoop(received: HeaderLines, id: string): string {
  const before = joinedHeader(received, 'cdn-loop')
  return before === undefined || before === '' ? id : `${before}, ${id}`
}
