import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { describeCall } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { useChange, useRead, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { compareVersions } from '../../managed/compare-versions.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FailureText } from '../../ui/failure-text.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { momentText } from '../../ui/local-time.ts'
import { Permitted } from '../../ui/permitted.tsx'
import { Section } from '../../ui/section.tsx'
import { releasesKey } from './use-releases.ts'

const key = 'POST /accounts/{account_id}/waf/crs_releases'

/** Brings in another release: the newest one of the CRS project, or one's own with the command line. */
export function ImportSection({ releases }: { readonly releases: readonly CrsRelease[] }) {
  const path = { account_id: useSession().accountId }
  const upstream = useRead(
    'GET /accounts/{account_id}/waf/crs_releases/upstream',
    { path },
    { staleMs: 600_000 },
  )
  const obtain = useChange(key, {
    done: ({ version, crs_version }) =>
      releases.some(release => release.version === version)
        ? `CRS ${crs_version} is the newest release and was here already`
        : `CRS ${crs_version} is imported`,
    failed: 'No release was imported',
    changes: [releasesKey, 'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions'],
    quietFailure: true,
  })
  const published = upstream.data?.crs_version ?? undefined
  const isHere = published !== undefined && releases.some(release => release.crs_version === published)
  return (
    <Section
      title="Import a release"
      text="A release is checked and compiled when it is imported. What runs stays until you take the new one into use."
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
                {published === undefined || isHere ? 'Import the newest release' : `Import CRS ${published}`}
              </Button>
            )}
          </Permitted>
          <Text size="sm" role="status" className="wrap">
            {upstreamText(releases, upstream.data, upstream.isPending)}
          </Text>
        </Group>
        {obtain.isPending ? (
          <Text size="sm" c="dimmed" role="status">
            Fetching it from the CRS project, checking its signature and compiling it. This takes some
            seconds.
          </Text>
        ) : null}
        {obtain.isError ? <Refusal error={obtain.error} /> : null}
        <ApiCall call={describeCall(key, { path })} />
        <div>
          <Text size="sm" mb="xs">
            A directory or <span className="mono">.tar.gz</span> archive is imported on the machine that
            Sluice runs on, because nothing proves whose it is; no network is needed. The command takes it
            into use at once:
          </Text>
          <CodeBlock text="npx sluice crs import PATH" what="the command" />
        </div>
      </Stack>
    </Section>
  )
}

const upstreamAway = 10322

function Refusal({ error }: { readonly error: Error }) {
  const isAway = error instanceof ApiFailure && error.code === upstreamAway
  return (
    <Alert color="red" title="No release was imported" icon={<AlertIcon />} role="alert">
      <FailureText error={error} />
      {isAway ? (
        <Text size="sm" mt={4}>
          If it stays so: the machine that Sluice runs on has to reach api.github.com, github.com,
          githubusercontent.com and coreruleset.org over HTTPS. Where it may not, bring the archive of a
          release there (github.com/coreruleset/coreruleset/releases) and import it with the command below.
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
  if (isPending) return 'Asking the CRS project for its newest release …'
  const version = upstream?.crs_version ?? undefined
  if (version === undefined) return `The CRS project could not be asked: ${upstream?.error ?? 'no answer'}.`
  const asked = `asked ${momentText(upstream?.checked_on)}`
  if (releases.some(release => release.crs_version === version))
    return `CRS ${version}, the newest release, is here (${asked}).`
  const newest = releases
    .map(release => release.crs_version)
    .toSorted(compareVersions)
    .at(-1)
  if (newest !== undefined && compareVersions(version, newest) < 0)
    return `What is here is newer than CRS ${version} (${asked}).`
  return `CRS ${version} is out (${asked}).`
}
