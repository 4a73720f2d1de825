import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { currentSession, onSession } from '../api/session.ts'
import { cssVariables, theme } from './theme.ts'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // Refused calls are not retried, only calls that did not reach the API.
      retry: (count, error) =>
        count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
    },
  },
})

// One session's answers are not for the next session, and its messages end with it.
onSession(() => {
  queries.clear()
  if (currentSession() === undefined) notifications.clean()
})

/** Component styles need the nonce of this page load: the Content-Security-Policy blocks all others. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''
Object.assign(globalThis, { __webpack_nonce__: nonce })

export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" limit={4} />
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}
