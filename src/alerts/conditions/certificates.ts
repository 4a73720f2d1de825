import { nearestDomain } from '../../kit/host-name.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import type { Occasion } from '../../model/notification.ts'
import type { AlertingEdge, Condition, Finding } from '../look.ts'

/** Certificates for names of the account's zones that expire soon or have expired; of the first account also others. */
export const expiringCertificates: Condition = async ({ accountId }, look) => {
  const reports = await look.once('certificates', look.sources.certificates)
  const all = await look.once('zones', () => look.sources.store.zones.list())
  const owners = new Map(all.map(zone => [zone.name, zone.accountId]))
  const isFirst = await look.isFirst(accountId)
  const isOwn = (host: string) => {
    const zone = nearestDomain(host, owners)
    return zone === undefined ? isFirst : owners.get(zone) === accountId
  }
  const edge = look.sources.edge()
  const findings = reports
    .filter(({ status, hosts }) => status !== 'active' && hosts.some(isOwn))
    .map(report => findingOf(report, report.source === 'file' ? edge : undefined))
  const isUnseen = ({ data }: Occasion) => data['source'] === 'file' && data['location'] !== edge?.location
  return { findings, absenceOf: occasion => (isUnseen(occasion) ? 'unknown' : 'recovered') }
}

/** @param edge that has the certificate in a file: others may have one for the same names */
function findingOf(
  { hosts, status, issuer, expiresMs, source }: CertificateReport,
  edge: AlertingEdge | undefined,
): Finding {
  const names = `${hosts.slice(0, namesShown).join(', ')}${hosts.length > namesShown ? ', …' : ''}`
  const certificate = `The certificate for ${names}${edge === undefined ? '' : ` on the edge of ${edge.host}`}`
  const date = new Date(expiresMs).toISOString()
  return {
    subject: `certificate ${edge === undefined ? '' : `of ${edge.location} `}${hosts.join(' ')}`.slice(
      0,
      subjectCharacters,
    ),
    text: `${certificate} ${status === 'expired' ? 'has expired' : 'expires'} on ${date}.`,
    endText: `${certificate} is renewed, or no longer in use.`,
    data: { hosts: [...hosts], issuer, expires_on: date, source, status, ...edge },
  }
}

const namesShown = 5
/** Of a certificate with very many names, the first tell it apart. */
const subjectCharacters = 1000
