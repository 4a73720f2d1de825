import type { Wire } from '../http/schemas.ts'
import type { customCertificateSchema } from './wire.ts'

type Certificate = Wire<typeof customCertificateSchema>

interface Query {
  readonly status?: string
  readonly order?: 'status' | 'issuer' | 'priority' | 'expires_on'
  readonly direction?: 'asc' | 'desc'
}

/**
 * The certificates that the query asks for, in its order; the oldest upload first when it names none. `match` has no
 * effect on a single filter.
 */
export function selectCertificates(
  all: readonly Certificate[],
  { status, order, direction }: Query,
): readonly Certificate[] {
  const key = order ?? 'uploaded_on'
  const sign = direction === 'desc' ? -1 : 1
  return all
    .filter(one => status === undefined || one.status === status)
    .sort((a, b) => sign * compare(a[key], b[key]))
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
