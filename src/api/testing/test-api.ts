import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { answersOf, openDuckDBStore, openWhenUsed, type RecordStore } from '../../analytics/index.ts'
import { CrsError } from '../../crs/index.ts'
import { newCipher } from '../../kit/cipher.ts'
import { systemClock } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { hashSecret } from '../../kit/secrets.ts'
import type { LogpushJob, Rule } from '../../model/resource.ts'
import { type ManagedRuleset, openSqliteStore, type Store } from '../../store/index.ts'
import { administrator } from '../access/permissions/roles.ts'
import type { ApiDeps } from '../deps.ts'
import { createApi, everything } from '../index.ts'

/** An API over a real store, for the suites of this module. */
export interface TestApi {
  readonly app: FastifyInstance
  readonly store: Store
  /** A temporary directory, deleted by `close`. */
  readonly directory: string
  /** Where analytics answer from. */
  readonly recordStore: RecordStore
  readonly accountId: string
  readonly zoneId: string
  readonly zonePath: string
  /** Jobs that were started, and from when on. */
  readonly startedJobs: { readonly job: LogpushJob; readonly fromMs: number | undefined }[]
  readonly logLines: string[]
  /** Sends a request with the administrator's token. */
  send(method: Method, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  close(): Promise<void>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Headers = Readonly<Record<string, string>>

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: suites look into answers of every shape
  readonly body: any
}

export const token = 'Ahn7TtPq0s9Yk2Vb4Nc6Mx8Lz1Jw3Hg5Fd0Ra-._'
export const email = 'admin@localhost'
export const key = '0123456789abcdef0123456789abcdef01234567'
export const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f'
export const lastRuleId = '6179ae15870a4bb7b2d480d4843b323c'

const time = '2026-01-02T03:04:05.000006Z'

/** A replay that has just begun. */
export const newReplay = {
  retainedSince: null,
  status: 'running',
  createdOn: time,
  completedOn: null,
  lines: 0,
  objects: 0,
  errorMessage: null,
} as const

/** @param open opens the store, which is filled if it is empty; without it one of SQLite is made */
export async function openTestApi(
  changes: Partial<ApiDeps> = {},
  open?: () => Promise<Store>,
): Promise<TestApi> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-api-'))
  const options = { migrate: true, cipher: newCipher(new Uint8Array(32)) }
  const store = await (open?.() ?? openSqliteStore(join(directory, 'sluice.db'), options))
  const [present] = await store.zones.list()
  const { id: zoneId, accountId } = present ?? { id: newId(), accountId: newId() }
  if (present === undefined) await fill(store, accountId, zoneId)
  const startedJobs: TestApi['startedJobs'] = []
  const logLines: string[] = []
  const recordStore = openWhenUsed(() => openDuckDBStore(join(directory, 'analytics.duckdb')))
  const app = createApi({
    store,
    clock: systemClock,
    logger: pino({ level: 'info' }, { write: line => void logLines.push(line) }),
    isReady: () => true,
    edgeRefuses: async () => undefined,
    details: () => [],
    certificates: async () => [],
    signInFailed: () => {},
    oidc: undefined,
    metrics: async () => 'sluice_up 1\n',
    dashboard: undefined,
    edgeUrl: () => 'http://127.0.0.1:8080',
    newestCrsRelease: async () => '4.99.0',
    crs: {
      obtain: async () => {
        throw new CrsError('download-failed', 'nothing is fetched here')
      },
      use: async (version, audit) => {
        await store.crs.activate(version, audit)
        return (await store.crs.byVersion(version))!
      },
    },
    startJob: async (job, fromMs) => void startedJobs.push({ job, fromMs }),
    replayJob: (job, { start, end }, audit) =>
      store.replays.insert({ ...newReplay, jobId: job.id, start, end }, new Map(), new Map(), audit),
    reportJob: async (job, sinceHour) => ({
      state: job.enabled ? 'running' : 'disabled',
      oldestUndelivered: null,
      counts: await store.delivery.counts(job.id, sinceHour),
      lags: await store.delivery.lags(job.id, sinceHour),
      lost: 0,
      held: 0,
    }),
    instantLogs: {
      listen: async () => () => {},
      stats: () => ({ sessions: 0, listeners: 0, linesSent: 0, linesLeftOut: 0 }),
      close: async () => {},
    },
    readLogs: async function* () {},
    analytics: { ...answersOf(recordStore, join(directory, 'exported')), close: () => recordStore.close() },
    records: { log: 'spool', stats: async () => [], at: async () => 1, read: async () => [] },
    traceRequest: undefined,
    trustedProxies: ['127.0.0.9'],
    origins: 'private',
    originSockets: ['/run/sites'],
    notEnforced: 'refuse',
    hasGeoDatabases: true,
    knowsLeakedPasswords: false,
    destinations: { reach: 'loopback', directory: tmpdir() },
    sendNotification: async () => undefined,
    sendsEmail: true,
    stages: { share: 10, endMs: ({ lastMs }) => lastMs + 60_000 },
    ...changes,
  })
  return {
    app,
    store,
    directory,
    recordStore,
    accountId,
    zoneId,
    zonePath: `/zones/${zoneId}`,
    startedJobs,
    logLines,
    send: (method, path, body, headers) => send(app, method, path, body, headers),
    close: async () => {
      await app.close()
      await recordStore.close()
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
}

async function send(
  app: FastifyInstance,
  method: Method,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<Answer> {
  const options: InjectOptions = {
    method,
    url: `/client/v4${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  }
  const answer = await app.inject(body === undefined ? options : { ...options, payload: body as object })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return { status: answer.statusCode, body: isJson ? answer.json() : undefined }
}

async function fill(store: Store, accountId: string, zoneId: string): Promise<void> {
  await store.accounts.insert({ id: accountId, name: 'Team', createdOn: time })
  const userId = newId()
  const member = { id: newId(), accountId, userId, roles: [administrator.id], createdOn: time }
  await store.users.insert({ id: userId, email, keyHash: hashSecret(key) }, member)
  await store.tokens.insert({
    id: newId(),
    name: 'test',
    hash: hashSecret(token),
    userId,
    status: 'active',
    policies: [{ id: newId(), ...everything }],
    createdOn: time,
    modifiedOn: time,
  })
  await store.zones.insert({
    id: zoneId,
    accountId,
    name: 'shop.example',
    originUrl: 'http://127.0.0.1:9000',
    paused: false,
    type: 'full',
    createdOn: time,
    modifiedOn: time,
  })
  await store.crs.insert({
    crsVersion: '4.28.0',
    digest: '0'.repeat(64),
    origin: 'test',
    files: [],
    managedRulesets: version => [owasp(version)],
  })
}

function owasp(version: number): ManagedRuleset {
  const rule = (changes: Partial<Rule>): Rule => ({
    id: newId(),
    version,
    action: 'score',
    enabled: true,
    ref: newId(),
    lastUpdated: time,
    ...changes,
  })
  return {
    id: owaspId,
    name: 'OWASP Core Ruleset',
    description: '',
    kind: 'managed',
    phase: 'http_request_firewall_managed',
    version,
    lastUpdated: time,
    source: 'firewall_managed',
    rules: [
      rule({
        actionParameters: { increment: 5 },
        categories: ['paranoia-level-1'],
        description: '942100: SQL injection',
      }),
      rule({
        id: lastRuleId,
        action: 'block',
        scoreThreshold: 40,
        description: '949110: Inbound Anomaly Score Exceeded',
      }),
    ],
  }
}
