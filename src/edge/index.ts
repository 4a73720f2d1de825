export type { AuditLog, Edge, EdgeDeps, EdgeLimits, EdgeLogger, EdgeStats } from './deps.ts'
export { createEdge } from './edge.ts'
export { type GeoDatabases, placeLookup, readGeoDatabases } from './geo.ts'
