import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { CrsRelease } from '../../api/types.ts'
import { LinkButton } from '../../ui/links.tsx'
import { momentText } from '../../ui/local-time.ts'
import { Permitted } from '../../ui/permitted.tsx'
import { Section } from '../../ui/section.tsx'
import { UseDialog } from './use-dialog.tsx'
import { releaseName } from './use-releases.ts'

/** The releases that are here, newest import first. There are few: each is an import that somebody made. */
export function ReleaseList({ releases }: { readonly releases: readonly CrsRelease[] }) {
  const [chosen, setChosen] = useState<CrsRelease>()
  const active = releases.find(release => release.active)
  return (
    <Section
      title="Imported releases"
      text="Zones whose managed ruleset is on “latest” run the release in use; a zone can be pinned to any other."
      actions={
        releases.length < 2 ? null : (
          <LinkButton to="/crs-releases/compare" variant="default">
            Compare two
          </LinkButton>
        )
      }
    >
      <Table.ScrollContainer minWidth={300} type="native">
        <Table verticalSpacing="sm" aria-label="Imported releases">
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
          <Table.Tbody>
            {releases.toReversed().map(release => (
              <Table.Tr key={release.version}>
                <Table.Th scope="row" fw={550}>
                  <Group gap="xs">
                    {releaseName(release, releases)}
                    {release.active ? (
                      <Badge size="sm" variant="light" tt="none">
                        in use
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
                  {release.active ? null : (
                    <Group gap="xs" wrap="wrap">
                      {active === undefined ? null : (
                        <LinkButton
                          to="/crs-releases/compare"
                          search={{ from: active.version, to: release.version }}
                          variant="default"
                          size="xs"
                        >
                          See the difference
                        </LinkButton>
                      )}
                      <Permitted needs="accountWaf write">
                        {barred => (
                          <Button size="xs" variant="light" onClick={() => setChosen(release)} {...barred}>
                            Use…
                          </Button>
                        )}
                      </Permitted>
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <UseDialog release={chosen} releases={releases} onClose={() => setChosen(undefined)} />
    </Section>
  )
}
