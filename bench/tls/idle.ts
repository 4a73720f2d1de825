import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  endStream,
  type Fields,
  fieldBlock,
  frame,
  frameTypes,
  headers,
} from '../../src/edge/testing/http2-frames.ts'

/** A kind of connection that stays open after one request. */
export interface IdleKind {
  readonly name: string
  readonly tls: boolean
  readonly request: (host: string) => Buffer
  readonly protocol?: 'h2'
}

const get = (host: string) => Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)

function get2(host: string): Buffer {
  const fields: Fields = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/'],
    [':authority', host],
  ]
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  return Buffer.concat([preface, frame(frameTypes.settings, 0, 0), headers(1, fieldBlock(fields), endStream)])
}

export const idleKinds: readonly IdleKind[] = [
  { name: 'HTTP/1.1', tls: false, request: get },
  { name: 'TLS 1.3, HTTP/1.1', tls: true, request: get },
  { name: 'TLS 1.3, HTTP/2', tls: true, request: get2, protocol: 'h2' },
]

/** Opens so many connections, each with one answered request. @returns the connections that are still open then */
export async function openIdle(
  { tls, request, protocol }: IdleKind,
  { host, port, count }: { readonly host: string; readonly port: number; readonly count: number },
): Promise<ReadonlySet<Socket>> {
  const open = new Set<Socket>()
  const bytes = request(host)
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const address = { host: '127.0.0.1', port }
      const names = { servername: host, rejectUnauthorized: false, ALPNProtocols: [protocol ?? 'http/1.1'] }
      const socket = tls ? connectTls({ ...address, ...names }) : connect(address)
      socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(bytes))
      // A response has more than the first frames of HTTP/2, which are short.
      socket.on('data', (part: Buffer) => {
        if (part.length > 200) resolve()
      })
      socket.once('error', reject).once('close', () => open.delete(socket))
      open.add(socket)
    })
  for (let at = 0; at < count; at += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - at) }, one))
  await new Promise(resolve => setTimeout(resolve, 2000))
  return open
}

const atOnce = 50

/** Resident memory of a process. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}
