import type { ComponentType } from 'react'
import {
  AlertIcon,
  CheckIcon,
  DetourIcon,
  EventsIcon,
  FieldsIcon,
  FilterIcon,
  FlaskIcon,
  GaugeIcon,
  GridIcon,
  HistoryIcon,
  type Icon,
  KeyIcon,
  LiveIcon,
  LogsIcon,
  OverviewIcon,
  PeopleIcon,
  PersonIcon,
  ReleaseIcon,
  RulesIcon,
  ShadowIcon,
  ShieldIcon,
  TrailIcon,
  ZoneIcon,
} from '../ui/display/icons.tsx'

/** A screen; its code loads on the first visit. */
export interface Page {
  /** Below `/` or below `/zones/{id}/`; `$name` is a parameter. */
  readonly path: string
  /** Label in the navigation. A page without one is reached through links. */
  readonly label?: string
  readonly icon?: Icon
  /** Heading above this page and its neighbours in the navigation. */
  readonly group?: string
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

/** Account pages. */
export const accountPages: readonly Page[] = [
  {
    path: '/',
    label: 'Overview',
    icon: OverviewIcon,
    load: () => import('../features/overview/overview-page.tsx'),
  },
  {
    path: 'history',
    label: 'History',
    icon: HistoryIcon,
    load: () => import('../features/history/account-history-page.tsx'),
  },
  {
    path: 'logpush',
    label: 'Logpush',
    icon: LogsIcon,
    group: 'Logs',
    load: () => import('../features/logpush/logpush-page.tsx'),
  },
  { path: 'logpush/new', load: () => import('../features/logpush/wizard/new-page.tsx') },
  { path: 'logpush/$jobId', load: () => import('../features/logpush/job-page.tsx') },
  { path: 'logpush/$jobId/edit', load: () => import('../features/logpush/wizard/edit-page.tsx') },
  {
    path: 'try',
    label: 'Try a request',
    icon: FlaskIcon,
    load: () => import('../features/try/try-page.tsx'),
  },
  {
    path: 'tokens',
    label: 'API tokens',
    icon: KeyIcon,
    group: 'Account',
    load: () => import('../features/tokens/tokens-page.tsx'),
  },
  { path: 'tokens/new', load: () => import('../features/tokens/new-token-page.tsx') },
  {
    path: 'members',
    label: 'Members',
    icon: PeopleIcon,
    group: 'Account',
    load: () => import('../features/members/members-page.tsx'),
  },
  {
    path: 'notifications',
    label: 'Notifications',
    icon: AlertIcon,
    group: 'Account',
    load: () => import('../features/notifications/notifications-page.tsx'),
  },
  {
    path: 'your-sign-in',
    label: 'Your sign-in',
    icon: PersonIcon,
    group: 'Account',
    load: () => import('../features/own-sign-in/own-sign-in-page.tsx'),
  },
  {
    path: 'audit',
    label: 'Audit trail',
    icon: TrailIcon,
    group: 'Account',
    load: () => import('../features/audit/audit-page.tsx'),
  },
  {
    path: 'coverage',
    label: 'Coverage',
    icon: CheckIcon,
    group: 'Account',
    load: () => import('../features/coverage/account-coverage-page.tsx'),
  },
  {
    path: 'roll-out',
    label: 'Roll-out',
    icon: DetourIcon,
    group: 'Account',
    load: () => import('../features/rollout/rollout-page.tsx'),
  },
  {
    path: 'crs-releases',
    label: 'CRS releases',
    icon: ReleaseIcon,
    group: 'Account',
    load: () => import('../features/crs-releases/crs-releases-page.tsx'),
  },
  { path: 'crs-releases/compare', load: () => import('../features/crs-releases/compare-page.tsx') },
]

/** Zone pages. */
export const zonePages: readonly Page[] = [
  { path: '/', label: 'Zone', icon: ZoneIcon, load: () => import('../features/zone/zone-page.tsx') },
  {
    path: 'events',
    label: 'Events',
    icon: EventsIcon,
    group: 'Security',
    load: () => import('../features/events/events-page.tsx'),
  },
  {
    path: 'managed',
    label: 'Managed ruleset',
    icon: ShieldIcon,
    group: 'Security',
    load: () => import('../features/managed/managed-page.tsx'),
  },
  {
    path: 'owasp-rules',
    label: 'Browse rules',
    icon: RulesIcon,
    group: 'Security',
    load: () => import('../features/managed/rules/rules-page.tsx'),
  },
  {
    path: 'what-if',
    label: 'What if',
    icon: GridIcon,
    group: 'Security',
    load: () => import('../features/what-if/what-if-page.tsx'),
  },
  {
    path: 'shadow',
    label: 'Shadow',
    icon: ShadowIcon,
    group: 'Security',
    load: () => import('../features/shadow/shadow-page.tsx'),
  },
  {
    path: 'custom-rules',
    label: 'Custom rules',
    icon: FilterIcon,
    group: 'Security',
    load: () => import('../features/rules/custom-rules-page.tsx'),
  },
  {
    path: 'rate-limits',
    label: 'Rate limiting rules',
    icon: GaugeIcon,
    group: 'Security',
    load: () => import('../features/rules/rate-limits-page.tsx'),
  },
  {
    path: 'exceptions',
    label: 'Exceptions',
    icon: DetourIcon,
    group: 'Security',
    load: () => import('../features/rules/exceptions-page.tsx'),
  },
  {
    path: 'coverage',
    label: 'Coverage',
    icon: CheckIcon,
    group: 'Security',
    load: () => import('../features/coverage/zone-coverage-page.tsx'),
  },
  {
    path: 'history',
    label: 'History',
    icon: HistoryIcon,
    group: 'Security',
    load: () => import('../features/history/zone-history-page.tsx'),
  },
  {
    path: 'live',
    label: 'Instant Logs',
    icon: LiveIcon,
    group: 'Logs',
    load: () => import('../features/live/live-page.tsx'),
  },
  {
    path: 'custom-fields',
    label: 'Custom fields',
    icon: FieldsIcon,
    group: 'Logs',
    load: () => import('../features/custom-fields/custom-fields-page.tsx'),
  },
  {
    path: 'logpush',
    label: 'Logpush',
    icon: LogsIcon,
    group: 'Logs',
    load: () => import('../features/logpush/logpush-page.tsx'),
  },
  { path: 'logpush/new', load: () => import('../features/logpush/wizard/new-page.tsx') },
  { path: 'logpush/$jobId', load: () => import('../features/logpush/job-page.tsx') },
  { path: 'logpush/$jobId/edit', load: () => import('../features/logpush/wizard/edit-page.tsx') },
]
