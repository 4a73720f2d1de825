import { Skeleton, Table, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/permissions.ts'
import type { CertificateInUse } from '../../api/types.ts'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { Section } from '../../ui/page/section.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { expiryText } from './expiry-text.ts'

/** The certificates that clients of the zone get. */
export function CertificatesCard({ zoneId }: { readonly zoneId: string }) {
  const { may, reason } = useMay('zoneCertificates read')
  const input = { path: { zone_id: zoneId } }
  const { data, error } = useRead('GET /zones/{zone_id}/certificates_in_use', input, { enabled: may })
  return (
    <Section title="Certificates">
      {reason !== undefined ? (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      ) : error !== null ? (
        <FailureState title="Failed to load certificates" error={error} />
      ) : data === undefined ? (
        <Skeleton h={28} w="50%" />
      ) : data.length === 0 ? (
        <Text size="sm">No certificate. HTTPS clients get a self-signed one, which browsers refuse.</Text>
      ) : (
        <Certificates certificates={data} />
      )}
    </Section>
  )
}

const sources = { custom: 'Uploaded', acme: 'ACME', file: 'File' } as const
const tones = { active: 'good', expiring: 'warn', expired: 'bad' } as const

function Certificates({ certificates }: { readonly certificates: readonly CertificateInUse[] }) {
  return (
    <Table.ScrollContainer minWidth={300} type="native">
      <Table verticalSpacing="xs" aria-label="Certificates">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Hosts</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Issuer
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Source
            </Table.Th>
            <Table.Th scope="col">Expiry</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {certificates.map(({ hosts, issuer, source, status, expires_on }) => (
            <Table.Tr key={hosts.join()}>
              <Table.Th scope="row" fw={400}>
                <span className="mono wrap">{hosts.join(', ')}</span>
              </Table.Th>
              <Table.Td visibleFrom="sm">{issuer}</Table.Td>
              <Table.Td visibleFrom="sm">{sources[source]}</Table.Td>
              <Table.Td>
                <StatusDot tone={tones[status]}>{expiryText(expires_on, Date.now())}</StatusDot>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
