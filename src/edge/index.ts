export type { AuditLog, Edge, EdgeDeps, EdgeLimits, EdgeLogger, EdgeStats } from './deps.ts'
export { createEdge } from './edge.ts'
export { countryLookup, readCountries } from './geo.ts'
