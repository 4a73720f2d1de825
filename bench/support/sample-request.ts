import type { WafRequest } from '../../src/waf/index.ts'

/** A request as the edge hands it to the engine. */
export interface SampleRequest {
  readonly request: WafRequest
  readonly body: Uint8Array
}

export type Headers = readonly (readonly [name: string, value: string])[]

/** @param body byte string */
export function sample(method: string, target: string, headers: Headers, body: string): SampleRequest {
  const request = {
    clientIp: '192.0.2.1',
    clientPort: 40_000,
    serverPort: 443,
    method: fresh(method),
    target: fresh(target),
    protocol: fresh('HTTP/1.1'),
    headers: headers.map(([name, value]) => [fresh(name), fresh(value)] as const),
    uniqueId: '0123456789abcdef',
    startedMs: 1_700_000_000_000,
  }
  return { request, body: Buffer.from(body, 'latin1') }
}

/** The same request with new strings, as when a client sends it again. */
export function sentAgain({ request, body }: SampleRequest): SampleRequest {
  const { method, target, headers } = request
  return { ...sample(method, target, headers, ''), body: body.slice() }
}

/** A new string, as from a parser: flat, its hash unknown. */
function fresh(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

export function wireBytes({ request, body }: SampleRequest): Buffer {
  const { method, target, protocol, headers } = request
  const lines = [`${method} ${target} ${protocol}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

/** Arguments in query and body; of a JSON body, the values at its ends. */
export function argumentsOf({ request, body }: SampleRequest): number {
  const query = request.target.split('?')[1] ?? ''
  const text = Buffer.from(body).toString('latin1')
  return pairsOf(query) + (text.startsWith('{') ? leavesOf(JSON.parse(text)) : pairsOf(text))
}

function pairsOf(text: string): number {
  return text === '' ? 0 : text.split('&').length
}

function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, item) => sum + leavesOf(item), 0)
}
