import type { PipelineCore } from '../pipeline/decide.ts'
import type { ClientConnections } from './client-connections.ts'
import type { Tunnels } from './tunnel.ts'

/** Shared by all connections of one edge. */
export interface ConnectionCore extends PipelineCore {
  readonly clients: ClientConnections
  readonly tunnels: Tunnels
}
