import { type Cipher, newCipher } from '../../kit/cipher.ts'
import { newId } from '../../kit/ids.ts'
import type { AccessRule } from '../../model/access-rule.ts'
import type { CustomAsset } from '../../model/custom-asset.ts'
import type { CustomPage } from '../../model/custom-page.ts'
import type { DnsRecord } from '../../model/dns-record.ts'
import type { LoadBalancer, Monitor, Pool } from '../../model/load-balancing.ts'
import type { OriginCertificate } from '../../model/origin-certificate.ts'
import type {
  Account,
  AuditEntry,
  LogpushJob,
  Redaction,
  Replay,
  Rule,
  Ruleset,
  Scope,
  Zone,
} from '../../model/resource.ts'
import type { Lockdown, UserAgentRule } from '../../model/zone-firewall.ts'
import type { Revised } from '../port/basis.ts'
import type { DeliveryBatch, Run } from '../port/delivery.ts'
import { StoreError } from '../port/error.ts'
import type { Store } from '../port.ts'

/** Resources for the suites of the store; each call makes new ids. */

/**
 * `another` opens the same database once more, as a second process would, with the same key or another.
 */
export interface StoreUnderTest {
  readonly store: () => Store
  readonly another: (cipher?: Cipher) => Promise<Store>
}

/** The key of the test stores, unless a test is about keys. */
export const testCipher = newCipher(new Uint8Array(32).fill(7))

const time = '2026-01-02T03:04:05.000006Z'

export function anAccount(): Account {
  return { id: newId(), name: 'Team', createdOn: time }
}

export function aZone(accountId: string, changes: Partial<Zone> = {}): Zone {
  const id = newId()
  return {
    id,
    accountId,
    name: `${id}.example`,
    originUrl: 'http://127.0.0.1:9000',
    paused: false,
    type: 'full',
    createdOn: time,
    modifiedOn: time,
    ...changes,
  }
}

export function anAccessRule(scope: Scope, changes: Partial<AccessRule>): AccessRule {
  const id = newId()
  return {
    id,
    scope,
    target: 'ip',
    value: '192.0.2.1',
    key: id,
    mode: 'block',
    notes: '',
    createdOn: time,
    modifiedOn: time,
    ...changes,
  }
}

const firewallRule = (zoneId: string) => ({
  id: newId(),
  zoneId,
  description: undefined,
  paused: false,
  createdOn: time,
  modifiedOn: time,
})

export function aUserAgentRule(zoneId: string, changes: Partial<UserAgentRule> = {}): UserAgentRule {
  return { ...firewallRule(zoneId), userAgent: 'BadBot/1.0', mode: 'block', ...changes }
}

export function aLockdown(zoneId: string, changes: Partial<Lockdown> = {}): Lockdown {
  return {
    ...firewallRule(zoneId),
    urls: ['shop.example/admin*'],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
    priority: undefined,
    ...changes,
  }
}

export function aRule(changes: Partial<Rule> = {}): Rule {
  const id = newId()
  return {
    id,
    version: 1,
    action: 'block',
    expression: 'true',
    enabled: true,
    ref: id,
    lastUpdated: time,
    ...changes,
  }
}

export function aRuleset(scope: Scope, changes: Partial<Ruleset> = {}): Ruleset {
  return {
    id: newId(),
    scope,
    name: 'default',
    description: '',
    kind: scope.kind === 'zone' ? 'zone' : 'root',
    phase: 'http_request_firewall_custom',
    version: 1,
    lastUpdated: time,
    rules: [aRule()],
    ...changes,
  }
}

export function aJob(scope: Scope, changes: Partial<LogpushJob> = {}): Omit<LogpushJob, 'id'> {
  return {
    scope,
    name: 'logs',
    enabled: true,
    dataset: 'http_requests',
    destinationConf: 'file:///tmp/logs',
    logpullOptions: 'fields=RayID,ClientIP&timestamps=rfc3339',
    outputOptions: null,
    filter: null,
    frequency: 'high',
    kind: '',
    maxUploadBytes: null,
    maxUploadIntervalSeconds: null,
    maxUploadRecords: null,
    revision: 1,
    lastComplete: null,
    lastError: null,
    errorMessage: null,
    paused: false,
    ...changes,
  }
}

export const everythingRedacted: Redaction = {
  authorization: true,
  cookies: true,
  queryCredentials: true,
  cardNumbers: true,
  queryParameters: [],
}

/** The live run of a job. */
export function live(jobId: number): Run {
  return { jobId, replay: 0 }
}

export function aBatch({ jobId, replay }: Run, changes: Partial<DeliveryBatch> = {}): DeliveryBatch {
  return {
    jobId,
    replay,
    ranges: [{ partition: 'a', first: 1, last: 5 }],
    objectName: 'one.log.gz',
    shape: '{"dataset":"http_requests"}',
    lines: 1,
    openedOn: time,
    ...changes,
  }
}

export function aReplay(jobId: number, changes: Partial<Replay> = {}): Omit<Replay, 'id'> {
  return {
    jobId,
    start: '2026-01-01T00:00:00Z',
    end: '2026-01-01T01:00:00Z',
    retainedSince: null,
    status: 'running',
    createdOn: time,
    completedOn: null,
    lines: 0,
    objects: 0,
    errorMessage: null,
    ...changes,
  }
}

export function anAudit(accountId: string, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: newId(),
    accountId,
    at: '2026-01-01T00:00:00.000000Z',
    actor: { kind: 'token', id: newId(), ip: '127.0.0.1' },
    action: 'create',
    resource: { kind: 'zone', id: newId() },
    method: 'POST',
    path: '/client/v4/zones',
    before: null,
    after: { z: 1, a: '\0' },
    ...changes,
  }
}

export function scopeOf(zone: Zone): Scope {
  return { kind: 'zone', id: zone.id }
}

/** As it comes back once it was written for the first time. */
export function asStored<T>(inserted: T): Revised<T> {
  return { ...inserted, revision: 1 }
}

export async function zoneIn(store: Store): Promise<Revised<Zone>> {
  const account = anAccount()
  await store.accounts.insert(account)
  const zone = aZone(account.id)
  await store.zones.insert(zone)
  return asStored(zone)
}

export function refusal(code: StoreError['code']): (error: unknown) => boolean {
  return error => error instanceof StoreError && error.code === code
}

/** An enabled job in a new zone. */
export async function jobIn(store: Store): Promise<number> {
  return (await store.jobs.insert(aJob(scopeOf(await zoneIn(store))))).id
}

export function aCustomAsset(change: Partial<CustomAsset> = {}): CustomAsset {
  return {
    name: 'down',
    description: 'Down',
    url: 'https://www.shop.test/down.html',
    contentType: 'text/html',
    content: '<p>::RAY_ID:: NUL \0 🧱</p>',
    lastUpdated: time,
    ...change,
  }
}

export function aCustomPage(change: Partial<CustomPage> = {}): CustomPage {
  return {
    id: 'waf_block',
    state: 'customized',
    url: 'https://www.shop.test/blocked.html',
    content: '<p>::RAY_ID::</p>',
    createdOn: time,
    modifiedOn: time,
    ...change,
  }
}

export function aDnsRecord(zoneId: string, change: Partial<DnsRecord> = {}): DnsRecord {
  return {
    id: newId(),
    zoneId,
    name: 'www.shop.test',
    type: 'A',
    content: '192.0.2.1',
    ttl: 1,
    proxied: true,
    settings: {},
    comment: 'NUL \0, emoji 🧱',
    tags: [],
    createdOn: '2026-01-02T03:04:05.000006Z',
    modifiedOn: '2026-01-02T03:04:05.000006Z',
    ...change,
  }
}

export function aMonitor(accountId: string, change: Partial<Monitor> = {}): Monitor {
  return {
    id: newId(),
    accountId,
    type: 'http',
    description: 'NUL \0, emoji 🧱',
    method: 'GET',
    path: '/',
    intervalSeconds: 60,
    timeoutSeconds: 5,
    retries: 2,
    expectedCodes: '',
    expectedBody: '',
    followRedirects: false,
    allowInsecure: false,
    createdOn: time,
    modifiedOn: time,
    ...change,
  }
}

export function aPool(accountId: string, change: Partial<Pool> = {}): Pool {
  return {
    id: newId(),
    accountId,
    name: 'main',
    description: '',
    enabled: true,
    minimumOrigins: 1,
    origins: [{ name: 'a', address: '192.0.2.1', enabled: true, weight: 1, port: 0, unused: {} }],
    steering: 'random',
    unused: {},
    createdOn: time,
    modifiedOn: time,
    ...change,
  }
}

export function aLoadBalancer(zoneId: string, pool: string): LoadBalancer {
  return {
    id: newId(),
    zoneId,
    name: 'www.shop.test',
    description: '',
    enabled: true,
    proxied: true,
    defaultPools: [pool],
    fallbackPool: pool,
    steeringPolicy: 'off',
    poolWeights: { byDefault: 1 },
    failsOverAcrossPools: false,
    unused: {},
    createdOn: time,
    modifiedOn: time,
  }
}

export function anOriginCertificate(zoneId: string, kind: OriginCertificate['kind']): OriginCertificate {
  return {
    id: newId(),
    zoneId,
    kind,
    certificate: '-----BEGIN CERTIFICATE-----',
    issuer: 'An issuer, "quoted"',
    signature: 'ECDSAWithSHA256',
    expiresOn: '2027-01-02T03:04:05.000000Z',
    uploadedOn: '2026-01-02T03:04:05.000006Z',
  }
}
