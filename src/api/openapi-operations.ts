import { instantLogsOperations, logpullOperations, logpushOperations } from './openapi-log-operations.ts'
import type { Operation } from './openapi-operation.ts'
import {
  crsOperations,
  listOperations,
  rulesetOperations,
  shadowOperations,
} from './openapi-ruleset-operations.ts'
import { securityOperations } from './openapi-security.ts'
import { requestTracerOperations } from './openapi-trace.ts'
import { whatIfOperations } from './openapi-what-if.ts'
import type { Area, Level } from './permissions-groups.ts'

const account = '/client/v4/accounts/:account_id'
const zone = '/client/v4/zones/:zone_id'

/**
 * Every route of the API, method and path. A route that is not here is refused at the start: it would have no
 * permission.
 */
export const operations: Readonly<Record<string, Operation>> = {
  'GET /': { id: 'getStartPage', tag: 'System', summary: 'The dashboard', need: 'open' },
  'GET /healthz': { id: 'getHealth', tag: 'System', summary: 'Is the process alive?', need: 'open' },
  'GET /readyz': { id: 'getReadiness', tag: 'System', summary: 'Is it ready for work?', need: 'open' },
  'GET /metrics': { id: 'getMetrics', tag: 'System', summary: 'Figures in Prometheus form', need: 'open' },
  'GET /docs/api': {
    id: 'getReferencePage',
    tag: 'System',
    summary: 'The API reference as a page',
    need: 'open',
  },
  'GET /docs/api.css': {
    id: 'getReferenceStyle',
    tag: 'System',
    summary: 'Style of the reference page',
    need: 'open',
  },
  'GET /client/v4/openapi.json': { id: 'getOpenApi', tag: 'System', summary: 'This document', need: 'open' },

  'GET /client/v4/accounts': {
    id: 'listAccounts',
    tag: 'Accounts',
    summary: 'List the accounts that the credentials reach',
    need: 'known',
    result: 'list:Account',
  },
  [`GET ${account}`]: {
    id: 'getAccount',
    tag: 'Accounts',
    summary: 'Get an account',
    need: 'known',
    result: 'Account',
  },
  [`GET ${account}/audit_logs`]: {
    id: 'listAuditLogs',
    tag: 'Audit',
    summary: 'List changes, newest first',
    need: ['account', 'read'],
    result: 'list:AuditLog',
  },

  [`GET ${account}/edge`]: {
    id: 'getEdgeAddress',
    tag: 'Zones',
    summary: 'Where requests to zones go',
    need: 'known',
    result: 'EdgeAddress',
  },
  [`POST ${account}/origin_check`]: {
    id: 'checkOrigin',
    tag: 'Zones',
    summary: 'Does an origin answer? Needs Zone Write on all zones of the account',
    need: 'known',
    result: 'OriginCheck',
  },
  [`GET ${account}/permissions`]: {
    id: 'getAccountPermissions',
    tag: 'Tokens',
    summary: 'What the credentials may do at the account, all of its zones and their user',
    need: 'known',
    result: 'AccountPermissions',
  },
  [`GET ${zone}/permissions`]: {
    id: 'getZonePermissions',
    tag: 'Tokens',
    summary: 'What the credentials may do at the zone',
    need: 'known',
    result: 'ZonePermissions',
  },

  'GET /client/v4/zones': {
    id: 'listZones',
    tag: 'Zones',
    summary: 'List the zones that the credentials may read',
    need: 'known',
    result: 'list:Zone',
  },
  'POST /client/v4/zones': {
    id: 'createZone',
    tag: 'Zones',
    summary: 'Create a zone; needs Zone Write on all zones of the account',
    need: 'known',
    result: 'Zone',
  },
  [`GET ${zone}`]: {
    id: 'getZone',
    tag: 'Zones',
    summary: 'Get a zone',
    need: ['zone', 'read'],
    result: 'Zone',
  },
  [`PATCH ${zone}`]: {
    id: 'editZone',
    tag: 'Zones',
    summary: 'Change a zone',
    need: ['zone', 'write'],
    result: 'Zone',
  },
  [`DELETE ${zone}`]: {
    id: 'deleteZone',
    tag: 'Zones',
    summary: 'Delete a zone with its rulesets and jobs',
    need: ['zone', 'write'],
    result: 'Id',
  },

  ...rulesetOperations(account, 'Account'),
  ...rulesetOperations(zone, 'Zone'),
  ...listOperations(account),
  ...crsOperations(account, zone),
  ...shadowOperations(zone),

  ...logpushOperations(account, 'Account', 'accountLogs'),
  ...logpushOperations(zone, 'Zone', 'zoneLogs'),
  ...instantLogsOperations(zone),
  ...logpullOperations(zone),
  ...securityOperations(account, zone),
  ...whatIfOperations(zone),
  ...requestTracerOperations(account),

  'GET /client/v4/user/tokens/verify': {
    id: 'verifyUserToken',
    tag: 'Tokens',
    summary: 'Is the token of this request good?',
    need: 'known',
    result: 'TokenStatus',
  },
  [`GET ${account}/tokens/verify`]: {
    id: 'verifyAccountToken',
    tag: 'Tokens',
    summary: 'Is the account’s token of this request good?',
    need: 'known',
    result: 'TokenStatus',
  },
  ...tokenOperations('/client/v4/user/tokens', 'User', 'userTokens'),
  ...tokenOperations(`${account}/tokens`, 'Account', 'accountTokens'),
}

function tokenOperations(base: string, at: 'User' | 'Account', area: Area): Record<string, Operation> {
  const owner = at === 'User' ? 'the user' : 'an account'
  const one = (id: string, summary: string, level: Level, result: string): Operation => ({
    id: id.replace('Token', `${at}Token`),
    tag: 'Tokens',
    summary,
    need: [area, level],
    result,
  })
  return {
    [`GET ${base}`]: one('listTokens', `List the tokens of ${owner}`, 'read', 'list:Token'),
    [`POST ${base}`]: one(
      'createToken',
      `Create a token of ${owner}; the only answer with its value`,
      'write',
      'CreatedToken',
    ),
    [`GET ${base}/permission_groups`]: one(
      'listTokenPermissionGroups',
      'List the permission groups',
      'read',
      'list:PermissionGroup',
    ),
    [`GET ${base}/:token_id`]: one('getToken', `Get a token of ${owner}`, 'read', 'Token'),
    [`PUT ${base}/:token_id`]: one(
      'updateToken',
      `Replace the settings of a token of ${owner}`,
      'write',
      'Token',
    ),
    [`DELETE ${base}/:token_id`]: one('deleteToken', `Delete a token of ${owner}`, 'write', 'Id'),
    [`PUT ${base}/:token_id/value`]: one(
      'rollToken',
      `Give a token of ${owner} a new value`,
      'write',
      'TokenValue',
    ),
  }
}
