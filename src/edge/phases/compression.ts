import type { CompressEffect, CompressionAlgorithm } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { RequestParts } from '../exchange/exchange.ts'

import { firstHeader, type HeaderLines, joinedHeader } from '../message/headers.ts'
import { acceptedCodings } from './accepted-codings.ts'
import { notEvaluated } from './not-evaluated.ts'

/** Content codings that the edge removes and applies; `identity` is none. */
export type Coding = 'identity' | 'gzip' | 'br' | 'zstd'

/** How the body of a response is sent. */
export interface Recoding {
  /** The coding of the origin. */
  readonly from: Coding
  /** The coding for the client; equal to `from` when the body stays as it is. */
  readonly to: Coding
  /** Headers for the client. */
  readonly headers: HeaderLines
}

/**
 * Runs the rules of `http_response_compression`; the last one that matches decides.
 * @param headers after the rules for the response head, which `transformedHeaders` has run
 * @returns undefined when the response is sent as the origin encoded it
 * @throws errors of expressions, which are internal errors
 */
export function recodingFor(
  core: EdgeCore,
  request: RequestParts,
  status: number,
  headers: HeaderLines,
): Recoding | undefined {
  const effect = lastMatching(core, request)
  if (effect === undefined || !isCompressible(request, status, headers)) return undefined
  const from = codingOf(headers)
  if (from === undefined) return undefined
  const accepts = acceptedCodings(request.facts.request.headers)
  const to = chosenCoding(effect.algorithms, accepts, mediaTypeOf(headers))
  if (to === undefined || (from === 'identity' && isTooShort(headers, to))) return undefined
  // Without a choice, the response is the same for every client.
  const varies = effect.algorithms[0] !== 'none'
  return { from, to, headers: recodedHeaders(headers, from, to, varies) }
}

function lastMatching(core: EdgeCore, { facts, state, decisions }: RequestParts): CompressEffect | undefined {
  let last: CompressEffect | undefined
  for (const { rules } of facts.plan?.compression?.rulesets ?? []) {
    for (const rule of rules) {
      try {
        if (rule.matches(state) && rule.effect.kind === 'compress') last = rule.effect
      } catch (error) {
        notEvaluated({ core, facts, decisions }, rule, error)
      }
    }
  }
  return last
}

/** @source Cloudflare docs, Content compression: the statuses that it compresses */
const compressibleStatuses: ReadonlySet<number> = new Set([200, 403, 404])

function isCompressible({ facts }: RequestParts, status: number, headers: HeaderLines): boolean {
  if (!compressibleStatuses.has(status) || facts.isGrpc) return false
  if (firstHeader(headers, 'content-length') === '0') return false
  const directives = joinedHeader(headers, 'cache-control')
  // RFC 9111 5.2.2.6
  return directives === undefined || !/(?:^|[,\s])no-transform(?:[,\s]|$)/i.test(directives)
}

const codings: ReadonlyMap<string, Coding> = new Map([
  ['identity', 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['zstd', 'zstd'],
])

/** Undefined for a coding that the edge does not remove, and for several. */
function codingOf(headers: HeaderLines): Coding | undefined {
  return codings.get((joinedHeader(headers, 'content-encoding') ?? '').trim().toLowerCase())
}

/** The order of `auto` and `default`. */
const preferred = ['br', 'gzip', 'zstd'] as const

/** @returns undefined when the algorithm `default` leaves the response alone */
function chosenCoding(
  algorithms: readonly CompressionAlgorithm[],
  accepts: (coding: string) => boolean,
  mediaType: string,
): Coding | undefined {
  for (const algorithm of algorithms) {
    if (algorithm === 'none') return 'identity'
    if (algorithm === 'default' && !compressedByDefault.has(mediaType)) return undefined
    if (algorithm === 'auto' || algorithm === 'default') return preferred.find(accepts) ?? 'identity'
    const coding = algorithm === 'brotli' ? 'br' : algorithm
    if (accepts(coding)) return coding
  }
  return 'identity'
}

function mediaTypeOf(headers: HeaderLines): string {
  return (firstHeader(headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

/** @source Cloudflare docs, Content compression: minimum sizes, in bytes */
function isTooShort(headers: HeaderLines, to: Coding): boolean {
  const length = firstHeader(headers, 'content-length')
  return length !== undefined && Number(length) < (to === 'gzip' ? 48 : 50)
}

/** They describe the bytes of the origin's representation. */
const dropped: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'accept-ranges',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
])

function recodedHeaders(headers: HeaderLines, from: Coding, to: Coding, varies: boolean): HeaderLines {
  const kept: (readonly [string, string])[] = []
  for (const line of headers) {
    const [name, value] = line
    const lower = name.toLowerCase()
    if (from !== to && dropped.has(lower)) continue
    // The representation is another one, byte by byte (RFC 9110 8.8.1).
    const isStrong = from !== to && lower === 'etag' && !value.startsWith('W/')
    kept.push(isStrong ? [name, `W/${value}`] : line)
  }
  if (from !== to && to !== 'identity') kept.push(['Content-Encoding', to])
  const vary = joinedHeader(headers, 'vary')
  if (varies && !/(?:^|[,\s])(?:accept-encoding|\*)(?:[,\s]|$)/i.test(vary ?? ''))
    kept.push(['Vary', 'Accept-Encoding'])
  return kept
}

/** @source Cloudflare docs, Content compression: the content types that it compresses */
const compressedByDefault: ReadonlySet<string> = new Set(
  `text/html text/richtext text/plain text/css text/x-script text/x-component text/x-java-source text/x-markdown
  text/javascript text/js text/xml application/javascript application/x-javascript application/javascript-binast
  application/xml application/rss+xml application/xhtml+xml application/json application/vnd.api+json
  application/manifest+json application/ld+json application/graphql+json application/geo+json application/x-perl
  application/x-httpd-cgi application/x-protobuf application/wasm multipart/bag multipart/mixed image/x-icon
  image/vnd.microsoft.icon image/svg+xml font/ttf font/otf font/x-woff application/vnd.ms-fontobject application/ttf
  application/x-ttf application/otf application/x-otf application/truetype application/opentype
  application/x-opentype application/font-woff application/eot application/font application/font-sfnt`.split(
    /\s+/,
  ),
)
