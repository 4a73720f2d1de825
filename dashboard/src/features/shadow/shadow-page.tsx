import { Skeleton, Stack } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useShadow } from '../../api/shadow.ts'
import { owaspRulesetId } from '../../managed/document.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { FailureState } from '../../ui/states.tsx'
import { useZoneId } from '../../ui/use-zone-id.ts'
import { releasesOf } from './releases.ts'
import { RunningShadow } from './running-shadow.tsx'
import { ShadowForm } from './shadow-form.tsx'
import { ShadowReport } from './shadow-report.tsx'

/** Another configuration of the managed ruleset beside the zone's own: what it would have done differently. */
export default function ShadowPage() {
  const zoneId = useZoneId()
  const shadow = useShadow(zoneId)
  const versions = useRead(
    'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions',
    { path: { zone_id: zoneId, ruleset_id: owaspRulesetId } },
    { staleMs: 60_000 },
  )
  const failed = [shadow, versions].find(query => query.isError)
  return (
    <>
      <PageHeader
        title="Shadow"
        text="Tries another release, paranoia level or threshold on the zone’s own traffic, beside the managed ruleset that is deployed. It is recorded and does nothing."
      />
      {failed !== undefined ? (
        <FailureState title="The shadow cannot be read" error={failed.error} />
      ) : shadow.data === undefined || versions.data === undefined ? (
        <Skeleton h={320} />
      ) : shadow.data === null ? (
        <ShadowForm zoneId={zoneId} releases={releasesOf(versions.data)} />
      ) : (
        <Stack gap="lg">
          <RunningShadow zoneId={zoneId} shadow={shadow.data} releases={releasesOf(versions.data)} />
          <ShadowReport zoneId={zoneId} shadow={shadow.data} />
        </Stack>
      )}
    </>
  )
}
