import { Client } from 'undici'
import { unixPathOf } from '../../../kit/unix-url.ts'
import { originTlsOf } from '../../../model/origin-tls.ts'
import type { Zone } from '../../../model/resource.ts'
import type { Settings } from '../../../model/settings/index.ts'
import {
  type AddressPolicy,
  failureWords,
  guardedConnector,
  secureContextOf,
} from '../../../outgoing/index.ts'
import type { PlanDocuments, Store } from '../../../store/index.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { doctorLimits } from './limits.ts'

/** Zones of one read, and origins that are asked at a time. */
const zonesAtATime = 32

/** The origin of each zone that is not paused: whether it answers, its certificate, and the clock that it shows. */
export async function checkOrigins(store: Store, { origins }: Settings): Promise<readonly Finding[]> {
  const policy: AddressPolicy = { reach: origins, setting: 'SLUICE_ORIGINS' }
  const zones = (await store.zones.list()).filter(zone => !zone.paused && zone.originUrl !== undefined)
  const findings: Finding[] = []
  for (let at = 0; at < zones.length; at += zonesAtATime) {
    const some = zones.slice(at, at + zonesAtATime)
    const documents = await store.plans.documents(some.map(({ id }) => id))
    const found = await Promise.all(some.map(zone => checkOrigin(zone, documents.get(zone.id), policy)))
    findings.push(...found.flat())
  }
  return findings
}

async function checkOrigin(
  { name, originUrl }: Zone,
  documents: PlanDocuments | undefined,
  policy: AddressPolicy,
): Promise<readonly Finding[]> {
  const what = `${originUrl} of ${name}`
  const socketPath = unixPathOf(originUrl!)
  const url = new URL(socketPath === undefined ? originUrl! : 'http://unix')
  const tls = originTlsOf(documents?.originCertificates ?? [], true)
  const verifies = documents?.settings.find(({ id }) => id === 'ssl')?.value !== 'full'
  const client = new Client(url.origin, {
    connect: guardedConnector(policy, {
      timeout: doctorLimits.originMs,
      ...(socketPath !== undefined && { socketPath }),
      ...(url.protocol === 'https:' && { servername: name, rejectUnauthorized: verifies }),
      ...(tls && { secureContext: secureContextOf(tls) }),
    }),
    headersTimeout: doctorLimits.originMs,
  })
  try {
    const { statusCode, headers } = await client.request({
      path: '/',
      method: 'HEAD',
      headers: { host: name },
    })
    return [ok('origins', `${what} answers with ${statusCode}`), ...clockFindings(what, headers['date'])]
  } catch (error) {
    return [
      fault('origins', `${what}: ${failureWords(url, error)}`, 'correct the origin, or the server behind it'),
    ]
  } finally {
    await client.destroy()
  }
}

function clockFindings(what: string, date: unknown): readonly Finding[] {
  const skewMs = typeof date === 'string' ? Date.parse(date) - Date.now() : 0
  if (!(Math.abs(skewMs) > doctorLimits.clockSkewMs)) return []
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const message = `the clock of ${what} is ${seconds} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`
  return [warning('clock', message, 'synchronise both clocks by NTP')]
}
