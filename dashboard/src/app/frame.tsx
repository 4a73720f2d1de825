import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMaybeSession } from '../api/hooks.ts'
import { Wordmark } from '../ui/page/wordmark.tsx'
import { Navigation } from './navigation.tsx'

/** Header and navigation around the pages of a session. */
export default function Frame() {
  const [opened, { toggle, close }] = useDisclosure(false)
  const path = useRouterState({ select: state => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the drawer
  useEffect(close, [path])
  // Between signing out and the redirect to the sign-in page.
  if (useMaybeSession() === undefined) return null
  return (
    <AppShell
      header={{ height: { base: 52, md: 0 } }}
      navbar={{ width: 244, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="md">
        <Group h="100%" px="md" justify="space-between">
          <Wordmark />
          <Burger
            opened={opened}
            onClick={toggle}
            size="sm"
            aria-label={opened ? 'Close navigation' : 'Open navigation'}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Main">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <div style={{ maxWidth: 1680, margin: '0 auto' }}>
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  )
}
