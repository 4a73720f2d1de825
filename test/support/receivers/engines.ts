import type { TestContext } from 'node:test'
import { linesOf } from './intakes.ts'
import { postProblem, type Received, type Receiver, type Reply, startReceiver } from './receiver.ts'

export interface Splunk extends Receiver {
  readonly events: unknown[]
}

/**
 * Splunk's HTTP Event Collector: token, a channel for raw data, at most 1 MB.
 * @source Splunk, "HTTP Event Collector REST API endpoints"
 */
export async function startSplunk(t: TestContext, token: string, trusted = true): Promise<Splunk> {
  const events: unknown[] = []
  const said = (status: number, text: string, code: number): Reply => ({
    status,
    body: JSON.stringify({ text, code }),
  })
  const answer = (request: Received): Reply => {
    const problem = postProblem(request)
    if (problem !== undefined) return problem
    if (request.headers.authorization !== `Splunk ${token}`) return said(403, 'Invalid token', 4)
    if (Buffer.byteLength(request.text) > 1_000_000) return { status: 413 }
    const { pathname, searchParams } = request.url
    if (pathname === '/services/collector/raw') {
      if (!/^[0-9a-f-]{36}$/.test(searchParams.get('channel') ?? ''))
        return said(400, 'Data channel is missing', 10)
      events.push(...linesOf(request.text))
    } else if (pathname === '/services/collector/event') {
      for (const text of request.text.replaceAll('}{', '}\n{').split('\n')) {
        const { event } = JSON.parse(text) as { event?: unknown }
        if (event === undefined) return said(400, 'Event field is required', 12)
        events.push(event)
      }
    } else return { status: 404 }
    return said(200, 'Success', 0)
  }
  return Object.assign(await startReceiver(t, answer, { trusted }), { events })
}

export interface Elastic extends Receiver {
  /** Documents by `_id`. */
  readonly documents: Map<string, unknown>
  /** Status of a document instead of 201. */
  refuses: (document: Record<string, unknown>) => { status: number; type: string; reason: string } | undefined
}

/**
 * Elasticsearch, `POST /INDEX/_bulk` with `create` alone: alternating lines, unique ids, one status an item.
 * @source Elasticsearch, "Bulk API"
 */
export async function startElastic(t: TestContext, index: string, authorization: string): Promise<Elastic> {
  const documents: Elastic['documents'] = new Map()
  const create = (id: string, source: Record<string, unknown>) => {
    const refused = elastic.refuses(source)
    if (refused !== undefined)
      return { create: { status: refused.status, error: { type: refused.type, reason: refused.reason } } }
    if (documents.has(id))
      return {
        create: { status: 409, error: { type: 'version_conflict_engine_exception', reason: 'exists' } },
      }
    documents.set(id, source)
    return { create: { status: 201 } }
  }
  const answer = (request: Received): Reply => {
    const problem = postProblem(request)
    if (problem !== undefined) return problem
    if (request.headers.authorization !== authorization) return { status: 401 }
    if (request.url.pathname !== `/${index}/_bulk`) return { status: 404 }
    if (request.headers['content-type'] !== 'application/x-ndjson') return { status: 406 }
    if (!request.text.endsWith('\n')) return { status: 400, body: 'must be terminated by a newline' }
    const lines = linesOf(request.text) as Record<string, unknown>[]
    const items = []
    for (let n = 0; n < lines.length; n += 2) {
      const action = lines[n] as { create?: { _id?: string } }
      if (typeof action.create?._id !== 'string' || lines[n + 1] === undefined)
        return { status: 400, body: 'action' }
      items.push(create(action.create._id, lines[n + 1]!))
    }
    return {
      status: 200,
      body: JSON.stringify({ errors: items.some(item => item.create.status > 299), items }),
    }
  }
  const elastic: Elastic = Object.assign(await startReceiver(t, answer), {
    documents,
    refuses: () => undefined,
  } satisfies Pick<Elastic, 'documents' | 'refuses'>)
  return elastic
}

export interface Loki extends Receiver {
  /** Lines by stream, each once per time and text, as Loki keeps them. */
  readonly streams: Map<string, Map<string, string>>
}

/**
 * Loki's push API: nanosecond times as text, lines of at most 256 KB, at most 4 MB, a tenant.
 * @source Grafana Loki, "HTTP API: ingest logs"
 */
export async function startLoki(t: TestContext, tenant: string | undefined): Promise<Loki> {
  const streams: Loki['streams'] = new Map()
  const answer = (request: Received): Reply => {
    const problem = postProblem(request)
    if (problem !== undefined) return problem
    if (request.url.pathname !== '/loki/api/v1/push') return { status: 404 }
    if (request.headers['x-scope-orgid'] !== tenant) return { status: 401, body: 'no org id' }
    if (request.headers['content-type'] !== 'application/json') return { status: 400, body: 'content type' }
    if (Buffer.byteLength(request.text) > 4 * 1024 * 1024) return { status: 413 }
    const push = JSON.parse(request.text) as {
      streams: { stream: Record<string, string>; values: [string, string][] }[]
    }
    for (const { stream, values } of push.streams) {
      if (Object.keys(stream).length === 0)
        return { status: 400, body: 'at least one label pair is required' }
      const name = JSON.stringify(stream)
      const entries = streams.get(name) ?? new Map<string, string>()
      streams.set(name, entries)
      for (const [time, line] of values) {
        if (!/^\d{19}$/.test(time)) return { status: 400, body: 'time' }
        if (Buffer.byteLength(line) > 256 * 1024) return { status: 400, body: 'max entry size' }
        entries.set(`${time} ${line}`, line)
      }
    }
    return { status: 204 }
  }
  return Object.assign(await startReceiver(t, answer, { tls: false }), { streams })
}
