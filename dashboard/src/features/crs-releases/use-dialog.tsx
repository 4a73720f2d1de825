import { Stack, Text } from '@mantine/core'
import { describeCall } from '../../api/client.ts'
import { useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { ConfirmDialog } from '../../ui/controls/confirm-dialog.tsx'
import { useChange } from '../../ui/controls/use-change.ts'
import { ApiCall } from '../../ui/display/api-call.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { releaseName, releasesKey } from './use-releases.ts'

interface Props {
  readonly release: CrsRelease | undefined
  readonly releases: readonly CrsRelease[]
  onClose(): void
}

const key = 'PATCH /accounts/{account_id}/waf/crs_releases/{release}'

/** Activates a release: it becomes the one that “latest” refers to. */
export function UseDialog({ release, releases, onClose }: Props) {
  const { accountId } = useSession()
  const active = releases.find(each => each.active)
  const name = release === undefined ? '' : releaseName(release, releases)
  const input = {
    path: { account_id: accountId, release: release?.version ?? '' },
    body: { active: true as const },
  }
  const change = useChange(key, {
    done: `${name} activated`,
    failed: `Failed to activate ${name}`,
    changes: [releasesKey, 'GET /zones/{zone_id}/rulesets/{ruleset_id}'],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={release !== undefined}
      title={`Activate ${name}?`}
      action="Activate"
      pending={change.isPending}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Zones set to “latest” run it within a second, with their overrides. Zones pinned to a release do not
          change. To go back, activate the previous release.
        </Text>
        {active === undefined || release === undefined ? null : (
          <TextLink
            to="/crs-releases/compare"
            search={{ from: active.version, to: release.version }}
            size="sm"
          >
            Compare with {releaseName(active, releases)}
          </TextLink>
        )}
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
