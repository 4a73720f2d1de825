import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The requests of one run of h2load (nghttp2). */
export interface Load {
  readonly scheme: 'http' | 'https'
  /** The host of all requests, which the server has at that port of this machine. */
  readonly host: string
  readonly port: number
  /** Its options for the version of HTTP, connections and streams. */
  readonly words: readonly string[]
}

export interface LoadFigures {
  readonly requestsPerSecond: number
  /** Answered with 200. */
  readonly requests: number
  /** Answered with another status. */
  readonly failed: number
}

/** @throws Error when h2load cannot run */
export async function h2load({ scheme, host, port, words }: Load): Promise<LoadFigures> {
  const options = [
    ...words,
    `--connect-to=127.0.0.1:${port}`,
    `${scheme}://${host}/products?colour=blue&page=2`,
  ]
  const { stdout } = await promisify(execFile)('h2load', options)
  const [, perSecond] = /finished in [^,]+, ([\d.]+) req\/s/.exec(stdout) ?? []
  const codes = /status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/.exec(stdout) ?? []
  const [requests = 0, ...others] = codes.slice(1).map(Number)
  if (perSecond === undefined || requests === 0) throw new Error(`h2load ${options.join(' ')}: ${stdout}`)
  const failed = others.reduce((sum, count) => sum + count, 0)
  return { requestsPerSecond: (Number(perSecond) * requests) / (requests + failed), requests, failed }
}
