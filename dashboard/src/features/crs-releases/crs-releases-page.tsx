import { Skeleton, Stack } from '@mantine/core'
import { PageHeader } from '../../ui/page-header.tsx'
import { FailureState } from '../../ui/states.tsx'
import { ImportSection } from './import-section.tsx'
import { ReleaseList } from './release-list.tsx'
import { useReleases } from './use-releases.ts'
import { ZonesSection } from './zones-section.tsx'

/** Releases of the OWASP Core Rule Set: which are here, which is in use, and which zones run which. */
export default function CrsReleasesPage() {
  const releases = useReleases()
  return (
    <>
      <PageHeader
        title="CRS releases"
        text="Each imported release of the OWASP Core Rule Set is a version of the managed ruleset. Look at what a newer one changes, try it beside your own with a shadow, and take it into use."
      />
      {releases.isError ? (
        <FailureState title="The releases cannot be listed" error={releases.error} />
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
