export { createEdge, type Edge } from './edge.ts'
export type { AuditLog, EdgeDeps, EdgeLimits, EdgeLogger } from './exchange/deps.ts'
export type { EdgeStats } from './exchange/stats.ts'
export { type GeoDatabases, placeLookup, readGeoDatabases } from './geo/geo.ts'
export {
  type CertificatePair,
  CertificateTable,
  type NamedCertificate,
  namedCertificate,
} from './tls/certificate-table.ts'
export { selfSignedCertificate } from './tls/self-signed.ts'
