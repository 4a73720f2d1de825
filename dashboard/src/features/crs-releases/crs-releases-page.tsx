import { Skeleton, Stack } from '@mantine/core'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { ImportSection } from './import-section.tsx'
import { ReleaseList } from './release-list.tsx'
import { useReleases } from './use-releases.ts'
import { ZonesSection } from './zones-section.tsx'

/** Imported releases of the OWASP Core Rule Set, the one in use, and the release of each zone. */
export default function CrsReleasesPage() {
  const releases = useReleases()
  return (
    <>
      <PageHeader
        title="CRS releases"
        text="Each imported release of the OWASP Core Rule Set is a version of the managed ruleset. Compare a newer release, test it with a shadow, then activate it."
      />
      {releases.isError ? (
        <FailureState title="Failed to load releases" error={releases.error} />
      ) : releases.isPending ? (
        <Skeleton h={320} />
      ) : (
        <Stack gap="lg">
          <ReleaseList releases={releases.data} />
          <ImportSection releases={releases.data} />
          <ZonesSection releases={releases.data} />
        </Stack>
      )}
    </>
  )
}
