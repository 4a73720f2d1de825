import { Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { isPermission } from '../../api/failure.ts'
import type { CrsRelease, Zone } from '../../api/types.ts'
import { usePages } from '../../api/use-pages.ts'
import { useEntryPoint } from '../../domain/ruleset/entry-point.ts'
import { deploymentsIn, type EntryPoint, managedPhase } from '../../domain/ruleset/owasp/document.ts'
import { useShadow } from '../../domain/ruleset/use-shadow.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { SearchIcon } from '../../ui/display/icons.tsx'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { Section } from '../../ui/page/section.tsx'
import { EmptyState, FailureState } from '../../ui/page/states.tsx'
import { releaseName } from './use-releases.ts'

/** The release and shadow of each zone; loaded for visible zones only. */
export function ZonesSection({ releases }: { readonly releases: readonly CrsRelease[] }) {
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 200)
  const query = text === '' ? {} : { name: `contains:${text}` }
  const zones = usePages('GET /zones', { query }, { perPage: 50 })
  const navigate = useNavigate()
  const columns = useMemo(() => columnsOf(releases), [releases])
  return (
    <Section
      title="Zones"
      text="The release of each zone. A shadow evaluates another release on the zone’s traffic and only records results."
    >
      <TextInput
        aria-label="Search zones"
        placeholder="Search zones"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        maw={320}
      />
      {zones.isError ? (
        <FailureState title="Failed to load zones" error={zones.error} />
      ) : (
        <DataTable
          label="Zones and releases"
          columns={columns}
          rows={zones.rows}
          rowKey={zone => zone.id}
          maxHeight="26rem"
          {...(zones.total === undefined ? {} : { total: zones.total })}
          onNearEnd={zones.onNearEnd}
          onOpen={zone => void navigate({ to: `/zones/${zone.id}/shadow` })}
          empty={zones.isPending ? <Skeleton h={80} m="md" /> : <EmptyState title="No matching zones" />}
        />
      )}
    </Section>
  )
}

function columnsOf(releases: readonly CrsRelease[]): readonly Column<Zone>[] {
  return [
    {
      key: 'name',
      title: 'Zone',
      width: 'minmax(0, 1.5fr)',
      render: ({ id, name }) => (
        <TextLink to={`/zones/${id}/managed`} fw={550} c="inherit" inherit tabIndex={-1}>
          {name}
        </TextLink>
      ),
    },
    {
      key: 'release',
      title: 'Release',
      width: 'minmax(0, 1.5fr)',
      render: ({ id }) => <ZoneRelease zoneId={id} releases={releases} />,
    },
    {
      key: 'shadow',
      title: 'Shadow',
      width: 'minmax(0, 1.5fr)',
      minWindow: 640,
      render: ({ id }) => <ZoneShadow zoneId={id} releases={releases} />,
    },
  ]
}

interface CellProps {
  readonly zoneId: string
  readonly releases: readonly CrsRelease[]
}

function ZoneRelease({ zoneId, releases }: CellProps) {
  const { data, error } = useEntryPoint(zoneId, managedPhase)
  if (error) return <Faint>{isPermission(error) ? 'needs Zone WAF Read' : 'unknown'}</Faint>
  if (data === undefined) return <Faint>…</Faint>
  const [rule] = deploymentsIn((data ?? undefined) as EntryPoint | undefined)
  if (rule === undefined) return <Faint>not deployed</Faint>
  const version = rule.action_parameters.version ?? 'latest'
  return version === 'latest' ? 'latest' : `${versionName(version, releases)}, pinned`
}

function ZoneShadow({ zoneId, releases }: CellProps) {
  const { data, error } = useShadow(zoneId)
  if (error) return <Faint>{isPermission(error) ? 'needs Zone WAF Read' : 'unknown'}</Faint>
  if (data === undefined) return <Faint>…</Faint>
  if (data === null) return <Faint>none</Faint>
  const text = `PL${data.paranoia_level}, ${data.version === 'latest' ? 'latest' : versionName(data.version, releases)}`
  return (
    <StatusDot tone={data.enabled ? 'good' : 'none'}>{data.enabled ? text : `${text}, paused`}</StatusDot>
  )
}

function versionName(version: string, releases: readonly CrsRelease[]): string {
  const release = releases.find(each => each.version === version)
  return release === undefined ? `version ${version}` : releaseName(release, releases)
}

function Faint({ children }: { readonly children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  )
}
