import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { CrsRelease } from '../../api/types.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { momentText } from '../../ui/display/local-time.ts'
import { LinkButton } from '../../ui/page/links.tsx'
import { Section } from '../../ui/page/section.tsx'
import { UseDialog } from './use-dialog.tsx'
import { releaseName } from './use-releases.ts'

/** Imported releases, newest import first; there are few. */
export function ReleaseList({ releases }: { readonly releases: readonly CrsRelease[] }) {
  const [chosen, setChosen] = useState<CrsRelease>()
  return (
    <Section
      title="Imported releases"
      text="Zones set to “latest” run the active release; other zones are pinned to a release."
      actions={
        releases.length < 2 ? null : (
          <LinkButton to="/crs-releases/compare" variant="default">
            Compare releases
          </LinkButton>
        )
      }
    >
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="sm" aria-label="Imported releases">
          <Titles />
          <Table.Tbody>
            {releases.toReversed().map(release => (
              <ReleaseRow
                key={release.version}
                release={release}
                releases={releases}
                onUse={() => setChosen(release)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <UseDialog release={chosen} releases={releases} onClose={() => setChosen(undefined)} />
    </Section>
  )
}

function Titles() {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">Release</Table.Th>
        <Table.Th scope="col" visibleFrom="sm">
          Imported
        </Table.Th>
        <Table.Th scope="col" visibleFrom="sm">
          From
        </Table.Th>
        <Table.Th scope="col">
          <span className="cut">Actions</span>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

interface RowProps {
  readonly release: CrsRelease
  readonly releases: readonly CrsRelease[]
  onUse(): void
}

function ReleaseRow({ release, releases, onUse }: RowProps) {
  const active = releases.find(release => release.active)
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={550}>
        <Group gap="xs">
          {releaseName(release, releases)}
          {release.active ? (
            <Badge size="sm" variant="light" tt="none">
              active
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed">
          version {release.version} of the managed ruleset
        </Text>
      </Table.Th>
      <Table.Td visibleFrom="sm">
        <time dateTime={release.imported_on}>{momentText(release.imported_on)}</time>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="wrap">
        {release.origin}
      </Table.Td>
      <Table.Td>
        {release.active ? null : <Actions release={release} active={active} onUse={onUse} />}
      </Table.Td>
    </Table.Tr>
  )
}

interface ActionsProps {
  readonly release: CrsRelease
  /** The active release. */
  readonly active: CrsRelease | undefined
  onUse(): void
}

function Actions({ release, active, onUse }: ActionsProps) {
  return (
    <Group gap="xs" wrap="wrap">
      {active === undefined ? null : (
        <LinkButton
          to="/crs-releases/compare"
          search={{ from: active.version, to: release.version }}
          variant="default"
          size="xs"
        >
          Compare
        </LinkButton>
      )}
      <Permitted needs="accountWaf write">
        {barred => (
          <Button size="xs" variant="light" onClick={onUse} {...barred}>
            Activate…
          </Button>
        )}
      </Permitted>
    </Group>
  )
}
