import { Stack, Text } from '@mantine/core'
import { describeCall } from '../../api/client.ts'
import { useChange, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { ApiCall } from '../../ui/api-call.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextLink } from '../../ui/links.tsx'
import { releaseName, releasesKey } from './use-releases.ts'

interface Props {
  readonly release: CrsRelease | undefined
  readonly releases: readonly CrsRelease[]
  onClose(): void
}

const key = 'PATCH /accounts/{account_id}/waf/crs_releases/{release}'

/** Makes a release the one that “latest” means. */
export function UseDialog({ release, releases, onClose }: Props) {
  const { accountId } = useSession()
  const active = releases.find(each => each.active)
  const name = release === undefined ? '' : releaseName(release, releases)
  const input = {
    path: { account_id: accountId, release: release?.version ?? '' },
    body: { active: true as const },
  }
  const change = useChange(key, {
    done: `${name} is in use`,
    failed: `${name} was not taken into use`,
    changes: [releasesKey, 'GET /zones/{zone_id}/rulesets/{ruleset_id}'],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={release !== undefined}
      title={`Use ${name}?`}
      action="Use it"
      pending={change.isPending}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Every zone that is on “latest” runs it within a second, with its own overrides. Zones that are
          pinned to a release stay as they are. You can go back in the same way.
        </Text>
        {active === undefined || release === undefined ? null : (
          <TextLink
            to="/crs-releases/compare"
            search={{ from: active.version, to: release.version }}
            size="sm"
          >
            What is different from {releaseName(active, releases)}
          </TextLink>
        )}
        <ApiCall call={describeCall(key, input)} />
      </Stack>
    </ConfirmDialog>
  )
}
