import { newId } from '../kit/ids.ts'
import type { Account, LogpushJob, Rule, Ruleset, Scope, Zone } from '../model/resource.ts'
import { type Store, StoreError } from './port.ts'

/** Resources for the suites of the store; each call makes new ids. */

/**
 * `another` opens the same database once more, as a second process would.
 */
export interface StoreUnderTest {
  readonly store: () => Store
  readonly another: () => Promise<Store>
}

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
    createdOn: time,
    modifiedOn: time,
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

export function aJob(zoneId: string, changes: Partial<LogpushJob> = {}): Omit<LogpushJob, 'id'> {
  return {
    zoneId,
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
    lastComplete: null,
    lastError: null,
    errorMessage: null,
    ...changes,
  }
}

export async function zoneIn(store: Store): Promise<Zone> {
  const account = anAccount()
  await store.accounts.insert(account)
  const zone = aZone(account.id)
  await store.zones.insert(zone)
  return zone
}

export function refusal(code: StoreError['code']): (error: unknown) => boolean {
  return error => error instanceof StoreError && error.code === code
}
