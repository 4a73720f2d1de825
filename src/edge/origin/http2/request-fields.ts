import { connectionFields } from '../../message/connection-fields.ts'
import type { OriginRequest } from '../origin-client.ts'

/** The header of a request as HTTP/2 has it: a flat list, with the Host header as `:authority`. */
export function requestFields({ method, path, headers }: OriginRequest, scheme: string): string[] {
  const flat = headers as readonly string[]
  const fields = [':method', method, ':scheme', scheme, ':path', path]
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at]!.toLowerCase()
    if (name === 'host') fields.splice(2, 0, ':authority', flat[at + 1]!)
    else if (!connectionFields.has(name)) fields.push(name, flat[at + 1]!)
  }
  return fields
}
