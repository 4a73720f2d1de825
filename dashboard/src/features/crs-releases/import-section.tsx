import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { describeCall } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useRead, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { compareVersions } from '../../domain/ruleset/owasp/compare-versions.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { momentText } from '../../ui/display/local-time.ts'
import { Section } from '../../ui/page/section.tsx'
import { releasesKey } from './use-releases.ts'

const key = 'POST /accounts/{account_id}/waf/crs_releases'

/** Imports the newest release of the CRS project, or shows the command for a custom one. */
export function ImportSection({ releases }: { readonly releases: readonly CrsRelease[] }) {
  const path = { account_id: useSession().accountId }
  const upstream = useRead(
    'GET /accounts/{account_id}/waf/crs_releases/upstream',
    { path },
    { staleMs: 600_000 },
  )
  const obtain = useImport(releases)
  const published = upstream.data?.crs_version ?? undefined
  const isHere = published !== undefined && releases.some(release => release.crs_version === published)
  return (
    <Section
      title="Import release"
      text="An import verifies and compiles the release. Zones keep their release until you activate the new one."
    >
      <Stack gap="md">
        <Group gap="md">
          <Permitted needs="accountWaf write">
            {barred => (
              <Button
                variant={isHere ? 'default' : 'filled'}
                loading={obtain.isPending}
                onClick={() => obtain.mutate({ path })}
                {...barred}
              >
                {published === undefined || isHere ? 'Import newest release' : `Import CRS ${published}`}
              </Button>
            )}
          </Permitted>
          <Text size="sm" role="status" className="wrap">
            {upstreamText(releases, upstream.data, upstream.isPending)}
          </Text>
        </Group>
        {obtain.isPending ? (
          <Text size="sm" c="dimmed" role="status">
            Downloading the release, checking its signature and compiling it. This takes a few seconds.
          </Text>
        ) : null}
        {obtain.isError ? <Refusal error={obtain.error} /> : null}
        <ApiCall call={describeCall(key, { path })} />
        <ByCommand />
      </Stack>
    </Section>
  )
}

function useImport(releases: readonly CrsRelease[]) {
  return useChange(key, {
    done: ({ version, crs_version }) =>
      releases.some(release => release.version === version)
        ? `CRS ${crs_version} is the newest release and already imported`
        : `CRS ${crs_version} imported`,
    failed: 'Import failed',
    changes: [releasesKey, 'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions'],
    quietFailure: true,
  })
}

function ByCommand() {
  return (
    <div>
      <Text size="sm" mb="xs">
        Directories and <span className="mono">.tar.gz</span> archives carry no signature, so they are
        imported on the server, without network access. The command activates the release immediately:
      </Text>
      <CodeBlock text="npx sluice crs import PATH" what="command" />
    </div>
  )
}

const upstreamAway = 10322

function Refusal({ error }: { readonly error: Error }) {
  const isAway = error instanceof ApiFailure && error.code === upstreamAway
  return (
    <Alert color="red" title="Import failed" icon={<AlertIcon />} role="alert">
      <FailureText error={error} />
      {isAway ? (
        <Text size="sm" mt={4}>
          If this persists, check that the server reaches api.github.com, github.com, githubusercontent.com
          and coreruleset.org over HTTPS. On a server without internet access, copy the archive there
          (github.com/coreruleset/coreruleset/releases) and import it with the command below.
        </Text>
      ) : null}
    </Alert>
  )
}

interface Upstream {
  readonly crs_version: string | null
  readonly checked_on: string
  readonly error: string | null
}

function upstreamText(
  releases: readonly CrsRelease[],
  upstream: Upstream | undefined,
  isPending: boolean,
): string {
  if (isPending) return 'Checking for the newest release …'
  const version = upstream?.crs_version ?? undefined
  if (version === undefined)
    return `Failed to check for the newest release: ${upstream?.error ?? 'no answer'}.`
  const asked = `checked ${momentText(upstream?.checked_on)}`
  if (releases.some(release => release.crs_version === version))
    return `CRS ${version}, the newest release, is imported (${asked}).`
  const newest = releases
    .map(release => release.crs_version)
    .toSorted(compareVersions)
    .at(-1)
  if (newest !== undefined && compareVersions(version, newest) < 0)
    return `The imported release is newer than CRS ${version} (${asked}).`
  return `CRS ${version} is available (${asked}).`
}
