/** The role `inspect`: evaluates the requests that other proxies serve, in the protocols of these proxies. */
export { type AgentKind, type Agents, createAgents } from './agents.ts'
