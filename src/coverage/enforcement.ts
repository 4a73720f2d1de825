import type { Enforcement } from '../model/zone-setting-table/index.ts'

/** The effect of an item of a configuration for Cloudflare; `unknown` for a resource that Sluice does not have. */
export type Coverage = Enforcement | { readonly status: 'unknown'; readonly why: string }

export type CoverageStatus = Coverage['status']

/** In the order of attention. */
export const coverageStatuses: readonly CoverageStatus[] = ['unknown', 'not_enforced', 'partly', 'enforced']

export const enforced: Coverage = { status: 'enforced' }

export function partly(how: string): Coverage {
  return { status: 'partly', how }
}

export function notEnforced(why: string): Coverage {
  return { status: 'not_enforced', why }
}

export function unknown(why: string): Coverage {
  return { status: 'unknown', why }
}

/** The text beside the status; empty for what is enforced. */
export function reasonOf(coverage: Coverage): string {
  if (coverage.status === 'enforced') return ''
  return coverage.status === 'partly' ? coverage.how : coverage.why
}
