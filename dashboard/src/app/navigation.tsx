import { Divider, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { signOut } from '../api/user-session.ts'
import { BookIcon, LeaveIcon } from '../ui/display/icons.tsx'
import { Wordmark } from '../ui/page/wordmark.tsx'
import { AccountPicker } from './account-picker.tsx'
import classes from './navigation.module.css'
import { accountPages, type Page, zonePages } from './pages.ts'
import { SchemeSwitch } from './scheme-switch.tsx'
import { ZonePicker } from './zone-picker.tsx'

export function Navigation() {
  const path = useRouterState({ select: state => state.location.pathname })
  const zoneId = /^\/zones\/([0-9a-f]{32})(?:\/|$)/.exec(path)?.[1]
  return (
    <>
      <Group p="md" visibleFrom="md">
        <Wordmark />
      </Group>
      <ScrollArea flex={1} type="auto" scrollbarSize={6}>
        <Stack gap="md" px="sm" py={{ base: 'md', md: 0 }}>
          <AccountPicker />
          <Links pages={accountPages} base="" path={path} />
          <Divider />
          <ZonePicker zoneId={zoneId} />
          {zoneId === undefined ? null : <Links pages={zonePages} base={`/zones/${zoneId}`} path={path} />}
        </Stack>
      </ScrollArea>
      <Stack gap={2} p="sm" className={classes['foot']}>
        <SchemeSwitch />
        <NavLink href="/docs/api" target="_blank" label="API reference" leftSection={<BookIcon />} />
        <NavLink component="button" onClick={signOut} label="Sign out" leftSection={<LeaveIcon />} />
      </Stack>
    </>
  )
}

interface LinksProps {
  readonly pages: readonly Page[]
  readonly base: string
  readonly path: string
}

function Links({ pages, base, path }: LinksProps) {
  const shown = pages.filter(page => page.label !== undefined)
  const groups = [...new Set(shown.map(page => page.group))]
  return (
    <Stack gap="sm">
      {groups.map(group => (
        <div key={group ?? ''}>
          {group === undefined ? null : (
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
              {group}
            </Text>
          )}
          {shown
            .filter(page => page.group === group)
            .map(page => {
              const to = page.path === '/' ? base || '/' : `${base}/${page.path.replace(/^\//, '')}`
              const active =
                page.path === '/'
                  ? path.replace(/\/$/, '') === base
                  : path === to || path.startsWith(`${to}/`)
              const { icon: Icon } = page
              return (
                <NavLink
                  key={to}
                  className={classes['link']}
                  renderRoot={props => (
                    <Link to={to} activeOptions={{ exact: page.path === '/' }} {...props} />
                  )}
                  label={page.label}
                  active={active}
                  aria-current={active ? 'page' : undefined}
                  leftSection={Icon === undefined ? null : <Icon />}
                />
              )
            })}
        </div>
      ))}
    </Stack>
  )
}
