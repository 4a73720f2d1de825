export { createEdge, type Edge, type EdgeLoad } from './edge.ts'
export type { AuditLog, EdgeDeps, EdgeLimits, EdgeLogger } from './exchange/deps.ts'
export type { EdgeStats } from './exchange/stats.ts'
export { type GeoDatabases, geoLookup, readGeoDatabases } from './geo/geo.ts'
export type { Histogram } from './measures/histogram.ts'
export type { EdgeMeasures } from './measures/measures.ts'
export type { ReceivedContext, Span, SpanAttributes, SpanSource } from './measures/spans.ts'
export { http1Framing } from './message/body-source.ts'
export { flatHeaders, type HeaderLines, headerLines } from './message/headers.ts'
export { receivedBody } from './message/received-body.ts'
export type {
  AnswerVerdict,
  HeaderEdits,
  ProxiedExchange,
  ProxiedRequest,
  ProxiedVerdict,
} from './proxied/proxied-request.ts'
export { AcmeChallenges } from './tls/acme-challenges.ts'
export { reportOf } from './tls/certificate-report.ts'
export {
  type CertificatePair,
  CertificateTable,
  type NamedCertificate,
  namedCertificate,
} from './tls/certificate-table.ts'
export type { EdgeCertificate } from './tls/certificates.ts'
export { OcspStaples } from './tls/ocsp/staples.ts'
export { selfSignedCertificate } from './tls/self-signed.ts'
