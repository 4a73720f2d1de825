import type { ManagedAction } from './document.ts'

/** Actions from strongest to weakest, with Cloudflare's names. */
export const managedActions: readonly {
  readonly value: ManagedAction
  readonly label: string
  readonly text: string
}[] = [
  { value: 'block', label: 'Block', text: 'Responds with an error page.' },
  {
    value: 'managed_challenge',
    label: 'Managed Challenge',
    text: 'Browsers pass a proof of work in the background; scripts are stopped.',
  },
  { value: 'js_challenge', label: 'JS Challenge', text: 'The browser must run a short script.' },
  {
    value: 'challenge',
    label: 'Legacy CAPTCHA',
    text: 'Interactive challenge: the visitor must press a button.',
  },
  { value: 'log', label: 'Log', text: 'The request continues; the log records the match.' },
]

export function actionLabel(action: string): string {
  return managedActions.find(({ value }) => value === action)?.label ?? action
}

/** For columns: `Challenge` stands for the managed challenge, the default. */
export function shortActionLabel(action: string): string {
  return action === 'managed_challenge' ? 'Challenge' : actionLabel(action)
}

/** Cloudflare’s sensitivities. Low sensitivity is a high threshold: more rules must match. */
export const thresholds = [
  { name: 'Low', value: 60 },
  { name: 'Medium', value: 40 },
  { name: 'High', value: 25 },
] as const

/** `Medium (40)`; a custom threshold is only the number. */
export function thresholdLabel(value: number): string {
  const name = thresholds.find(threshold => threshold.value === value)?.name
  return name === undefined ? String(value) : `${name} (${value})`
}

/** Number of matching critical rules, 5 points each, that reach the threshold. */
export function rulesToReach(threshold: number): number {
  return Math.max(1, Math.ceil(threshold / 5))
}
