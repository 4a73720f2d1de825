import { type HeaderLines, joinedHeader } from '../message/headers.ts'

/**
 * A test of content codings: does the client accept this one? Without Accept-Encoding, it accepts none.
 * @source RFC 9110 12.5.3; 8.4.1.3: `x-gzip` is `gzip`
 */
export function acceptedCodings(headers: HeaderLines): (coding: string) => boolean {
  const accepted = new Map<string, boolean>()
  for (const part of (joinedHeader(headers, 'accept-encoding') ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim())
    const coding = name === 'x-gzip' ? 'gzip' : name
    accepted.set(coding, !parameters.some(parameter => /^q\s*=\s*0(?:\.0{0,3})?$/.test(parameter)))
  }
  return coding => accepted.get(coding) ?? accepted.get('*') ?? false
}
