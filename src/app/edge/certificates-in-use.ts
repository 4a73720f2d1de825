import { reportOf } from '../../edge/index.ts'
import { pemFacts } from '../../kit/certificates.ts'
import { nearestDomain } from '../../kit/host-name.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import type { Zone } from '../../model/resource.ts'
import type { Store } from '../../store/index.ts'
import type { EdgeWorkers } from './workers.ts'

/**
 * The certificates that clients of this process's edge get. A process without an edge lists those of the database: it
 * does not know the files of other machines.
 * @param zone only for names whose nearest zone it is
 * @throws StoreError, and an error if the edge does not answer in time
 */
export async function certificatesInUse(
  edges: Pick<EdgeWorkers, 'certificates'> | undefined,
  { certificates, zones }: Pick<Store, 'certificates' | 'zones'>,
  nowMs: number,
  zone?: Zone,
): Promise<readonly CertificateReport[]> {
  if (edges !== undefined) return edges.certificates(zone?.name)
  const [stored, all] = await Promise.all([
    zone === undefined ? certificates.listAll() : certificates.list(zone.id),
    zones.list(),
  ])
  const zoneIds = new Map(all.map(({ id, name }) => [name, id]))
  return stored
    .map(one => ({
      ...one,
      hosts: one.hosts.filter(host => zoneIds.get(nearestDomain(host, zoneIds) ?? '') === one.zoneId),
    }))
    .filter(({ hosts }) => hosts.length > 0)
    .map(({ certificate, hosts, source }) => reportOf(pemFacts(certificate), hosts, source, nowMs))
    .sort((a, b) => a.expiresMs - b.expiresMs)
}

/**
 * The certificates of the database and those of this process's files. Stored ones have the same names in every process,
 * also where a file serves some of these names.
 * @throws as `certificatesInUse`
 */
export async function storedAndFileCertificates(
  edges: Pick<EdgeWorkers, 'certificates'> | undefined,
  store: Pick<Store, 'certificates' | 'zones'>,
  nowMs: number,
): Promise<readonly CertificateReport[]> {
  const [stored, served] = await Promise.all([
    certificatesInUse(undefined, store, nowMs),
    edges?.certificates() ?? [],
  ])
  return [...stored, ...served.filter(({ source }) => source === 'file')]
}
