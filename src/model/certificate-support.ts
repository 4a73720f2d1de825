import type { SentMembers, Unsupported } from './unsupported.ts'

const reasons: Readonly<Record<string, string>> = {
  custom_csr_id: 'Sluice makes no certificate signing requests; upload the key with the certificate',
  geo_restrictions: 'every edge of an installation holds its keys; there are no data centres to choose from',
  policy: 'every edge of an installation holds its keys; there are no regions to choose from',
}

/** A custom certificate. */
export function unsupportedInCertificate(sent: SentMembers): Unsupported | undefined {
  for (const [field, reason] of Object.entries(reasons))
    if (sent[field] !== undefined && sent[field] !== null) return { field, reason }
  if (sent['deploy'] !== 'staging') return undefined
  return { field: 'deploy', reason: 'there is no staging network; every edge uses a certificate at once' }
}
