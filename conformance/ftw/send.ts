import { connect } from 'node:net'

export interface Answer {
  /** 0 without a well-formed response. */
  readonly status: number
  readonly raw: string
}

const readTimeoutMs = 10_000

/** Sends bytes on a new connection and reads until the response is complete or the peer closes. */
export function send(port: number, bytes: Buffer): Promise<Answer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      const raw = Buffer.concat(chunks).toString('latin1')
      resolve({ status: statusOf(raw), raw })
    }
    const timer = setTimeout(finish, readTimeoutMs)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (isComplete(Buffer.concat(chunks).toString('latin1'), bytes)) finish()
    })
    socket.on('close', finish)
    socket.on('error', () => {})
  })
}

function statusOf(raw: string): number {
  const final = raw.replace(/^HTTP\/1\.1 100[^\r\n]*\r\n\r\n/, '')
  return Number(/^HTTP\/\d\.\d (\d{3})/.exec(final)?.[1] ?? 0)
}

function isComplete(raw: string, request: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n')
  if (end < 0) return false
  if (request.subarray(0, 5).toString() === 'HEAD ') return true
  const head = raw.slice(0, end)
  if (/^transfer-encoding:.*chunked/im.test(head)) return raw.endsWith('0\r\n\r\n')
  const length = /^content-length:\s*(\d+)/im.exec(head)?.[1]
  return length !== undefined && raw.length >= end + 4 + Number(length)
}
