import { nearestDomain } from '../../kit/host-name.ts'
import type { Occasion } from '../../model/notification.ts'
import type { Condition } from '../look.ts'

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
  const findings = reports
    .filter(({ status, hosts }) => status !== 'active' && hosts.some(isOwn))
    .map(({ hosts, status, issuer, expiresMs, source }) => {
      const names = `${hosts.slice(0, namesShown).join(', ')}${hosts.length > namesShown ? ', …' : ''}`
      const date = new Date(expiresMs).toISOString()
      return {
        subject: `certificate ${hosts.join(' ')}`.slice(0, subjectCharacters),
        text: `The certificate for ${names} ${status === 'expired' ? 'has expired' : 'expires'} on ${date}.`,
        endText: `The certificate for ${names} is renewed, or no longer in use.`,
        data: { hosts: [...hosts], issuer, expires_on: date, source, status },
      }
    })
  const { seesCertificateFiles } = look.sources
  const isUnseen = ({ data }: Occasion) => data['source'] === 'file' && !seesCertificateFiles()
  return { findings, absenceOf: occasion => (isUnseen(occasion) ? 'unknown' : 'recovered') }
}

const namesShown = 5
/** Of a certificate with very many names, the first tell it apart. */
const subjectCharacters = 1000
