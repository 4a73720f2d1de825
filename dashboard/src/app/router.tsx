import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { currentSession, onSession } from '../api/session.ts'
import { PageLoading } from '../ui/page/page-loading.tsx'
import { AddressNotFound, PageFailure, PageNotFound } from './page-states.tsx'
import { accountPages, type Page, zonePages } from './pages.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: AddressNotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    if (currentSession() !== undefined) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx')),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../features/sign-in/invitation-page.tsx')),
})

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: ({ location }) => {
    if (currentSession() !== undefined) return
    const to = location.href
    throw redirect({ to: '/sign-in', search: (to === '/' ? {} : { to }) as never })
  },
  component: lazyRouteComponent(() => import('./frame.tsx')),
  notFoundComponent: PageNotFound,
})

const zone = createRoute({
  getParentRoute: () => frame,
  path: '/zones/$zoneId',
  component: lazyRouteComponent(() => import('./zone-frame.tsx')),
})

const tree = root.addChildren([
  signIn,
  invitation,
  frame.addChildren([
    ...accountPages.map(page => createRoute({ getParentRoute: () => frame, ...routeOf(page) })),
    zone.addChildren(zonePages.map(page => createRoute({ getParentRoute: () => zone, ...routeOf(page) }))),
  ]),
])

function routeOf({ path, load }: Page) {
  return { path, component: lazyRouteComponent(load) }
}

/** Queries are plain text, so that users can read and write them. */
export const router = createRouter({
  routeTree: tree,
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: search => {
    const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

onSession(() => void router.invalidate())
