import { validateHeaderName, validateHeaderValue } from 'node:http'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { HeaderLines } from '../../edge/index.ts'

/** A complete response. */
export interface Page {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Buffer
}

/** Only the answer itself decides about these. */
const framing: ReadonlySet<string> = new Set(['connection', 'content-length', 'trailer', 'transfer-encoding'])

/** A page as the value of a header. nginx reads no body of an answer, but can send a header back. */
export function pageAsHeader({ status, headers, body }: Page): string {
  const text = JSON.stringify([status, headers, body.toString('latin1')])
  return deflateRawSync(Buffer.from(text, 'latin1')).toString('base64url')
}

/** @returns undefined for any other value: a proxy may pass on a header of its client, so this one can be hostile */
export function pageFromHeader(value: string, bytesMax: number): Page | undefined {
  try {
    const text = inflateRawSync(Buffer.from(value, 'base64url'), { maxOutputLength: bytesMax }).toString(
      'latin1',
    )
    const [status, headers, body] = JSON.parse(text) as [number, HeaderLines, string]
    if (!Number.isInteger(status) || status < 200 || status > 599) return undefined
    for (const [name, line] of headers) {
      validateHeaderName(name)
      if (framing.has(name.toLowerCase())) return undefined
      validateHeaderValue(name, line)
    }
    return { status, headers, body: Buffer.from(body, 'latin1') }
  } catch {
    return undefined
  }
}
