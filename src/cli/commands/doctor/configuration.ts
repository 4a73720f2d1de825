import { performance } from 'node:perf_hooks'
import { destinationPolicy, readCertificates } from '../../../app/index.ts'
import { coreRuleSetProject, isOldRelease, newestUpstreamVersion } from '../../../crs/index.ts'
import { reportOf } from '../../../edge/index.ts'
import { pemFacts } from '../../../kit/certificates.ts'
import { checkDestination, maskedDestination } from '../../../logpush/index.ts'
import type { CertificateReport } from '../../../model/certificate.ts'
import type { Settings } from '../../../model/settings/index.ts'
import { type Store, schemaNumber } from '../../../store/index.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { doctorLimits } from './limits.ts'

export async function checkDatabase(store: Store): Promise<readonly Finding[]> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = performance.now()
    await store.ping()
    times.push(performance.now() - before)
  }
  const median = times.sort((a, b) => a - b)[2]!
  const state = `schema ${schemaNumber}, answers in ${median.toFixed(1)} ms`
  return [
    median > doctorLimits.databaseMs
      ? warning('database', state, 'look for load on the database, or for a slow network to it')
      : ok('database', state),
  ]
}

export async function checkCrs(store: Store, settings: Settings): Promise<readonly Finding[]> {
  const active = await store.crs.active()
  if (active === undefined)
    return [fault('crs', 'no release is imported: managed rules do not run', 'run `npx sluice crs sync`')]
  const what = `OWASP CRS ${active.crsVersion} is active, imported ${active.importedOn.slice(0, 10)}`
  const age = isOldRelease(active.releasedYear, Date.now())
    ? [
        warning(
          'crs',
          `${what}; its rules are of ${active.releasedYear}`,
          'import a newer release: `npx sluice crs sync`',
        ),
      ]
    : [ok('crs', what)]
  try {
    const newest = await newestUpstreamVersion(coreRuleSetProject(settings.destinations))
    if (newest === active.crsVersion) return age
    return [
      ...age,
      warning(
        'crs',
        `OWASP CRS ${newest} is the newest release`,
        'try it with a shadow, then run `npx sluice crs sync`',
      ),
    ]
  } catch (error) {
    return [
      ...age,
      warning(
        'crs',
        `the newest release is not known: ${(error as Error).message}`,
        'without internet access, import releases from a file: `npx sluice crs import PATH`',
      ),
    ]
  }
}

/** Certificates of files and of the database; of each, the first certificate of its chain. */
export async function checkCertificates(store: Store, settings: Settings): Promise<readonly Finding[]> {
  const nowMs = Date.now()
  const stored = (await store.certificates.listAll()).map(({ certificate, hosts, source }) =>
    reportOf(pemFacts(certificate), hosts, source, nowMs),
  )
  return [...(await fileFindings(settings, nowMs)), ...stored.map(certificateFinding)]
}

async function fileFindings({ tlsCertificates }: Settings, nowMs: number): Promise<readonly Finding[]> {
  try {
    return (await readCertificates(tlsCertificates)).map(({ certificate }) => {
      const facts = pemFacts(certificate)
      return certificateFinding(reportOf(facts, facts.hosts, 'file', nowMs))
    })
  } catch (error) {
    return [fault('certificates', (error as Error).message, 'correct the file, or SLUICE_TLS_CERTIFICATES')]
  }
}

function certificateFinding({ hosts, source, expiresMs, status }: CertificateReport): Finding {
  const end = new Date(expiresMs).toISOString().slice(0, 10)
  const what = `${hosts.slice(0, 3).join(', ')} (${source}): ${status === 'expired' ? 'expired' : 'valid until'} ${end}`
  if (status === 'active') return ok('certificates', what)
  const action =
    source === 'file' ? 'replace the file: Sluice reads it again' : 'renew or replace it in the dashboard'
  return status === 'expired' ? fault('certificates', what, action) : warning('certificates', what, action)
}

/** Enabled jobs. One that writes to standard output has nothing to check. */
export async function checkDestinations(store: Store, settings: Settings): Promise<readonly Finding[]> {
  const policy = destinationPolicy(settings)
  const scopes = [
    ...(await store.accounts.list()).map(({ id }) => ({ kind: 'account' as const, id })),
    ...(await store.zones.list()).map(({ id }) => ({ kind: 'zone' as const, id })),
  ]
  const jobs = (await Promise.all(scopes.map(scope => store.jobs.list(scope)))).flat()
  const wanted = jobs.filter(job => job.enabled && !job.destinationConf.startsWith('stdout:'))
  return Promise.all(
    wanted.map(async job => {
      const what = `job ${job.id} to ${maskedDestination(job.destinationConf)}`
      const { valid, message } = await checkDestination(job.destinationConf, policy)
      return valid
        ? ok('destinations', `${what} can be written to`)
        : fault('destinations', `${what}: ${message}`, 'correct the destination of the job, or its receiver')
    }),
  )
}
