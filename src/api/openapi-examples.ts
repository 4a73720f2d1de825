import type { Json } from '../model/resource.ts'
import { whatIfExamples } from './openapi-what-if.ts'

const blockRule = {
  action: 'block',
  expression: 'http.request.uri.path contains "/wp-admin" and not ip.src in {192.0.2.0/24}',
  description: 'Administration from the office only',
}

const owaspRule = {
  action: 'execute',
  expression: 'true',
  description: 'OWASP Core Ruleset at paranoia levels 1 and 2, acting from a score of 25',
  action_parameters: {
    id: '4814384a9e5d4991b9815dcfc25d2f1f',
    overrides: {
      categories: [
        { category: 'paranoia-level-3', enabled: false },
        { category: 'paranoia-level-4', enabled: false },
      ],
      rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'block' }],
    },
  },
}

/** A request body for operations whose schema alone does not show how to begin, by `operationId`. */
export const examples: Readonly<Record<string, Json>> = {
  createRulesetZone: {
    kind: 'zone',
    name: 'default',
    phase: 'http_request_firewall_custom',
    rules: [{ ...blockRule, ref: 'admin-office-only' }],
  },
  updateEntryPointZone: { rules: [owaspRule] },
  createRuleZone: { ...blockRule, position: { index: 1 } },
  updateRuleZone: { ...blockRule, enabled: false },
  createRulesetAccount: {
    kind: 'custom',
    name: 'Shared blocks',
    phase: 'http_request_firewall_custom',
    rules: [blockRule],
  },
  createList: { name: 'partners', kind: 'ip', description: 'Addresses of partners' },
  addItems: [{ ip: '198.51.100.7', comment: 'build server' }, { ip: '2001:db8::/48' }],
  replaceItems: [{ ip: '198.51.100.7' }],
  deleteItems: { items: [{ id: '2c0fc9fa937b11eaa1b71c4d701ab86e' }] },
  createUserToken: {
    name: 'terraform',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: 'fb6778dc191143babbfaa57993f1d275', name: 'Zone WAF Write' }],
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
      },
    ],
    expires_on: '2035-01-01T00:00:00Z',
    condition: { request_ip: { in: ['192.0.2.0/24'] } },
  },
  putShadow: {
    enabled: true,
    version: 'latest',
    paranoia_level: 2,
    score_threshold: 25,
    sample_rate: 0.1,
  },
  createLogpushJobZone: {
    name: 'searches',
    dataset: 'http_requests',
    destination_conf: 'file:./data/searches/{DATE}',
    output_options: { field_names: ['RayID', 'ClientIP', 'EdgeResponseStatus'], timestamp_format: 'rfc3339' },
    filter: '{"where":{"key":"ClientRequestPath","operator":"eq","value":"/search"}}',
  },
  updateLogpushJobZone: { enabled: true, start: '2026-01-02T03:00:00Z' },
  createLogpushReplayZone: { start: '2026-01-02T03:00:00Z', end: '2026-01-02T04:00:00Z' },
  createInstantLogs: {
    fields: 'ClientIP,ClientRequestMethod,ClientRequestURI,EdgeResponseStatus,RayID',
    filter: '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}',
    sample: 1,
    kind: 'instant-logs',
  },
  ...whatIfExamples,
  updateRedaction: { cookies: true, query_parameters: ['session', 'email'] },
}
