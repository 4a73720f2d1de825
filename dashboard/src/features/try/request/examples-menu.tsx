import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { callPage } from '../../../api/client.ts'
import { FlaskIcon } from '../../../ui/display/icons.tsx'
import type { RequestDraft } from '../request-draft.ts'
import { examples } from './examples.ts'

interface Props {
  /** Origin of the current request; otherwise a zone's. */
  readonly origin: string | undefined
  readonly onChoose: (draft: RequestDraft) => void
}

export function ExamplesMenu({ origin, onChoose }: Props) {
  const zones = useQuery({
    queryKey: ['GET /zones', 'first'],
    queryFn: ({ signal }) => callPage('GET /zones', { query: { per_page: 5 } }, signal),
    enabled: origin === undefined,
  })
  const zone = zones.data?.result[0]?.name
  const base = origin ?? (zone === undefined ? undefined : `http://${zone}`)
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<FlaskIcon size={16} />} disabled={base === undefined}>
          Examples
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {examples.map(({ label, draft }) => (
          <Menu.Item key={label} onClick={() => base !== undefined && onChoose(draft(base))}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
