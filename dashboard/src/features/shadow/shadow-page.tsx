import { Skeleton, Stack } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'
import { useShadow } from '../../domain/ruleset/use-shadow.ts'
import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { releasesOf } from './releases.ts'
import { RunningShadow } from './running-shadow.tsx'
import { ShadowForm } from './shadow-form.tsx'
import { ShadowReport } from './shadow-report.tsx'

/** A second configuration of the managed ruleset, evaluated alongside the deployed one without acting. */
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
        text="Evaluates another release, paranoia level or threshold on the zone’s traffic, alongside the deployed ruleset. It only records results."
      />
      {failed !== undefined ? (
        <FailureState title="Failed to load shadow" error={failed.error} />
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
