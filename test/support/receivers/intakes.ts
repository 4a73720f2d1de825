import type { TestContext } from 'node:test'
import { postProblem, type Receiver, type Reply, startReceiver } from './receiver.ts'

/** The lines or entries that a log intake accepted, and the bytes of its largest request. */
export interface Intake extends Receiver {
  readonly taken: unknown[]
}

function intake(receiver: Receiver, taken: unknown[]): Intake {
  return Object.assign(receiver, { taken })
}

/**
 * Datadog, `POST /api/v2/logs` or `/v1/input`: API key in a header (or behind the older path), a JSON array or one entry, at most 5 MB and 1,000 entries; 202.
 * @source Datadog API reference, "Send logs"
 */
export async function startDatadog(t: TestContext, key: string): Promise<Intake> {
  const taken: unknown[] = []
  const receiver = await startReceiver(t, (request): Reply => {
    const problem = postProblem(request)
    if (problem !== undefined) return problem
    const [, path, inPath] = /^(\/api\/v2\/logs|\/v1\/input)(?:\/(.+))?$/.exec(request.url.pathname) ?? []
    if (path === undefined) return { status: 404 }
    if (request.headers['dd-api-key'] !== key && inPath !== key)
      return { status: 403, body: '{"errors":["Forbidden"]}' }
    if (request.headers['content-type'] !== 'application/json') return { status: 415 }
    if (Buffer.byteLength(request.text) > 5_000_000) return { status: 413 }
    const entries = JSON.parse(request.text) as unknown
    const list = Array.isArray(entries) ? entries : [entries]
    if (list.length > 1000) return { status: 400, body: '{"errors":["too many entries"]}' }
    taken.push(...list)
    return { status: 202, body: '{}' }
  })
  return intake(receiver, taken)
}

/**
 * New Relic, `POST /log/v1`: key in the address, at most 1 MB compressed and 5 MB uncompressed; 202.
 * @source New Relic, "Introduction to the Log API"
 */
export async function startNewRelic(t: TestContext, key: string): Promise<Intake> {
  const taken: unknown[] = []
  const receiver = await startReceiver(t, (request): Reply => {
    const problem = postProblem(request)
    if (problem !== undefined) return problem
    if (request.url.pathname !== '/log/v1' || request.url.searchParams.get('format') !== 'cloudflare')
      return { status: 404 }
    if (request.url.searchParams.get('Api-Key') !== key) return { status: 403, body: '{}' }
    if (request.raw.length > 1_000_000 || Buffer.byteLength(request.text) > 5_000_000) return { status: 413 }
    taken.push(...linesOf(request.text))
    return { status: 202, body: '{"requestId":"1"}' }
  })
  return intake(receiver, taken)
}

/**
 * An HTTP source of Sumo Logic: the token is the end of the path, about 1 MB uncompressed; 200 without a body.
 * @source Sumo Logic, "Upload data to an HTTP source"
 */
export async function startSumo(t: TestContext, token: string): Promise<Intake> {
  const taken: unknown[] = []
  const receiver = await startReceiver(t, (request): Reply => {
    const problem = postProblem(request)
    if (problem !== undefined) return problem
    if (request.url.pathname !== `/receiver/v1/http/${token}`) return { status: 401 }
    if (Buffer.byteLength(request.text) > 1_000_000) return { status: 413 }
    taken.push(...linesOf(request.text))
    return { status: 200 }
  })
  return intake(receiver, taken)
}

export function linesOf(text: string): unknown[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map(line => JSON.parse(line))
}
