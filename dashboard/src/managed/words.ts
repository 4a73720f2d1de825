import type { ManagedAction } from './document.ts'

/** Actions in the order of strength that people choose from; names are Cloudflare's. */
export const managedActions: readonly {
  readonly value: ManagedAction
  readonly label: string
  readonly text: string
}[] = [
  { value: 'block', label: 'Block', text: 'The request is answered with an error page.' },
  {
    value: 'managed_challenge',
    label: 'Managed Challenge',
    text: 'A browser proves in the background that it is one; scripts do not get through.',
  },
  { value: 'js_challenge', label: 'JS Challenge', text: 'A browser has to run a short piece of JavaScript.' },
  {
    value: 'challenge',
    label: 'Legacy CAPTCHA',
    text: 'The interactive challenge: somebody has to press a button.',
  },
  { value: 'log', label: 'Log', text: 'The request goes on, and its record says what would have happened.' },
]

export function actionLabel(action: string): string {
  return managedActions.find(({ value }) => value === action)?.label ?? action
}

/** Sensitivity in Cloudflare’s words. A low one means a high number: more rules must match. */
export const thresholds = [
  { name: 'Low', value: 60 },
  { name: 'Medium', value: 40 },
  { name: 'High', value: 25 },
] as const

/** `Medium (40)`; a number of one’s own stays one. */
export function thresholdLabel(value: number): string {
  const name = thresholds.find(threshold => threshold.value === value)?.name
  return name === undefined ? String(value) : `${name} (${value})`
}

/** How many matching rules of the most serious kind, worth 5 points each, reach it. */
export function rulesToReach(threshold: number): number {
  return Math.max(1, Math.ceil(threshold / 5))
}
