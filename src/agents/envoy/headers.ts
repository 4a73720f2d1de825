import type { HeaderEdits, HeaderLines } from '../../edge/index.ts'
import { encode, type Message, type Part } from './protobuf.ts'

/** A list of headers (`envoy.config.core.v3.HeaderMap`), with the pseudo-header fields of HTTP/2. */
export function headersOf(map: Message): HeaderLines {
  return map.messages(1).map(header => {
    const raw = header.text(3)
    return [header.text(1), raw === '' ? header.text(2) : raw] as const
  })
}

/** The lines of a request without pseudo-header fields; `:authority` becomes Host. */
export function requestLines(headers: HeaderLines): HeaderLines {
  const host = headerOf(headers, ':authority')
  return [['host', host], ...headers.filter(([name]) => !name.startsWith(':') && name !== 'host')]
}

/** Empty when it is absent. */
export function headerOf(headers: HeaderLines, name: string): string {
  return headers.find(([other]) => other === name)?.[1] ?? ''
}

/** `envoy.config.core.v3.HeaderValueOption.append_action` */
const appends = 0
const overwrites = 2

/** @param field of the value in `HeaderValue`: 3 for bytes, 2 for services that take texts only */
export function setOptions(set: HeaderEdits['set'], field: 2 | 3): Buffer[] {
  return set.flatMap(([name, values]) =>
    values.map((value, at) =>
      encode([
        [
          1,
          encode([
            [1, name === 'Host' ? ':authority' : name.toLowerCase()],
            [field, value],
          ]),
        ],
        [3, at === 0 ? overwrites : appends],
      ]),
    ),
  )
}

/** `envoy.service.ext_proc.v3.HeaderMutation` */
export function mutation({ set, remove }: HeaderEdits): Buffer {
  return encode([
    ...setOptions(set, 3).map((option): Part => [1, option]),
    ...remove.map((name): Part => [2, name]),
  ])
}

/** The headers of a page. Envoy adds the length itself. */
export function pageEdits(headers: HeaderLines): HeaderEdits {
  const set = new Map<string, string[]>()
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (lower === 'content-length') continue
    const known = set.get(lower)
    if (known === undefined) set.set(lower, [value])
    else known.push(value)
  }
  return { set: [...set], remove: [] }
}

/** `192.0.2.1:80` or `[2001:db8::1]:80` */
export function addressOf(text: string): { readonly ip: string; readonly port: number } | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text)
  return match === null ? undefined : { ip: (match[1] ?? match[2])!, port: Number(match[3]) }
}
