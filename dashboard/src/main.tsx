import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { resumeSession } from './api/user-session.ts'
import { Providers } from './app/providers.tsx'
import { router } from './app/router.tsx'

await resumeSession()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
