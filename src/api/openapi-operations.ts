import { instantLogsOperations, logpullOperations, logpushOperations } from './openapi-log-operations.ts'
import { securityOperations } from './openapi-security.ts'
import { requestTracerOperations } from './openapi-trace.ts'
import { whatIfOperations } from './openapi-what-if.ts'
import type { Area, Level } from './permissions-groups.ts'

/**
 * What credentials need for a route: nothing (`open`), good credentials (`known`: the route itself shows or does only
 * what they may), the permission for the phase of a ruleset (`phase`: checked where the phase is known), or a
 * permission at the account, zone or user of the path.
 */
export type RouteNeed = 'open' | 'known' | 'phase' | readonly [area: Area, level: Level]

/** What a route is, for those who read about it and for the check of permissions. */
export interface Operation {
  /** `operationId` of the OpenAPI document. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly need: RouteNeed
  /** Name of the result's schema among the components; `list:` before it for arrays. */
  readonly result?: string
  /** Its request body, where the route checks it in the rulesets or logpush room. */
  readonly body?: string
  /** Status of success when it is not 200. */
  readonly status?: 204
}

export const tags = {
  Accounts: 'The account that owns zones, account rulesets and lists.',
  Zones: 'Domains and their origins.',
  Rulesets: 'Rulesets and rules of accounts and zones, and their versions.',
  Lists: 'Custom lists of an account, which expressions name.',
  Shadow: 'A second configuration of the OWASP ruleset that is evaluated and does nothing.',
  Logpush: 'Jobs that push log records to a destination.',
  'Instant Logs': 'Log records as they come, through a WebSocket.',
  Logpull: 'Log records on request; the answers with records are not in the envelope.',
  'Security analytics': 'What rules did to the requests of zones, event by event and in sums.',
  'Request tracer': 'What would become of a request, were it sent now.',
  Tokens: 'API tokens of users and accounts, and what they permit.',
  Audit: 'Who changed what.',
  System: 'Health, figures and this document; no credentials needed.',
} as const

type Tag = keyof typeof tags

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
  ...listOperations(),

  [`GET ${account}/waf/crs_releases`]: {
    id: 'listCrsReleases',
    tag: 'Rulesets',
    summary: 'List the imported CRS releases, which are the versions of the managed rulesets',
    need: ['accountWaf', 'read'],
    result: 'list:CrsRelease',
  },
  [`POST ${account}/waf/crs_releases`]: {
    id: 'importCrsRelease',
    tag: 'Rulesets',
    summary: 'Import the newest CRS release of upstream, its signature checked; what runs stays',
    need: ['accountWaf', 'write'],
    result: 'CrsRelease',
  },
  [`PATCH ${account}/waf/crs_releases/:release`]: {
    id: 'useCrsRelease',
    tag: 'Rulesets',
    summary: 'Make an imported CRS release the one that `latest` means',
    need: ['accountWaf', 'write'],
    result: 'CrsRelease',
  },
  [`GET ${account}/waf/crs_releases/upstream`]: {
    id: 'getNewestCrsRelease',
    tag: 'Rulesets',
    summary: 'The newest CRS release that upstream published',
    need: ['accountWaf', 'read'],
    result: 'CrsUpstream',
  },
  [`GET ${account}/waf/crs_releases/diff`]: {
    id: 'compareCrsReleases',
    tag: 'Rulesets',
    summary: 'What is different between two CRS releases',
    need: ['accountWaf', 'read'],
    result: 'CrsComparison',
  },
  ...crsRuleOperation(account, 'Account', 'accountWaf'),
  ...crsRuleOperation(zone, 'Zone', 'zoneWaf'),

  [`GET ${zone}/waf/shadow`]: {
    id: 'getShadow',
    tag: 'Shadow',
    summary: 'Get the zone’s shadow',
    need: ['zoneWaf', 'read'],
    result: 'Shadow',
  },
  [`PUT ${zone}/waf/shadow`]: {
    id: 'putShadow',
    tag: 'Shadow',
    summary: 'Set the zone’s shadow',
    need: ['zoneWaf', 'write'],
    result: 'Shadow',
  },
  [`DELETE ${zone}/waf/shadow`]: {
    id: 'deleteShadow',
    tag: 'Shadow',
    summary: 'Take the zone’s shadow away',
    need: ['zoneWaf', 'write'],
    result: 'Shadow',
  },

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

function crsRuleOperation(base: string, at: 'Account' | 'Zone', area: Area): Record<string, Operation> {
  return {
    [`GET ${base}/waf/crs_releases/:release/rules/:number`]: {
      id: `getCrsRule${at}`,
      tag: 'Rulesets',
      summary: 'What a rule of a CRS release says, by its number',
      need: [area, 'read'],
      result: 'CrsRule',
    },
  }
}

function rulesetOperations(base: string, at: 'Account' | 'Zone'): Record<string, Operation> {
  const where = at === 'Zone' ? 'of a zone' : 'of an account'
  const read = (id: string, summary: string, result: string): Operation => ({
    id: `${id}${at}`,
    tag: 'Rulesets',
    summary: `${summary} ${where}`,
    need: 'phase',
    result,
  })
  const write = (id: string, summary: string, body?: string): Operation => ({
    id: `${id}${at}`,
    tag: 'Rulesets',
    summary: `${summary} ${where}`,
    need: 'phase',
    ...(body === undefined ? {} : { body }),
    result: 'Ruleset',
  })
  const entryPoint = `${base}/rulesets/phases/:phase/entrypoint`
  return {
    [`GET ${base}/rulesets`]: read('listRulesets', 'List the rulesets', 'list:RulesetSummary'),
    [`POST ${base}/rulesets`]: write('createRuleset', 'Create a ruleset', 'RulesetInput'),
    [`GET ${base}/rulesets/:ruleset_id`]: read('getRuleset', 'Get a ruleset', 'Ruleset'),
    [`PUT ${base}/rulesets/:ruleset_id`]: write(
      'updateRuleset',
      'Replace the rules of a ruleset',
      'RulesetUpdate',
    ),
    [`DELETE ${base}/rulesets/:ruleset_id`]: { ...write('deleteRuleset', 'Delete a ruleset'), status: 204 },
    [`POST ${base}/rulesets/:ruleset_id/rules`]: write('createRule', 'Add a rule to a ruleset', 'RuleInput'),
    [`PATCH ${base}/rulesets/:ruleset_id/rules/:rule_id`]: write(
      'updateRule',
      'Replace or move a rule',
      'RuleUpdate',
    ),
    [`DELETE ${base}/rulesets/:ruleset_id/rules/:rule_id`]: write('deleteRule', 'Delete a rule'),
    [`GET ${base}/rulesets/:ruleset_id/versions`]: read(
      'listRulesetVersions',
      'List the versions of a ruleset',
      'list:RulesetSummary',
    ),
    [`GET ${base}/rulesets/:ruleset_id/versions/:version`]: read(
      'getRulesetVersion',
      'Get a version of a ruleset',
      'Ruleset',
    ),
    [`DELETE ${base}/rulesets/:ruleset_id/versions/:version`]: {
      ...write('deleteRulesetVersion', 'Forget a version of a ruleset'),
      status: 204,
    },
    ...(at === 'Zone'
      ? {}
      : {
          [`GET ${base}/rulesets/:ruleset_id/versions/:version/by_tag/:tag`]: read(
            'getRulesetVersionByTag',
            'Get the rules with a tag in a version of a ruleset',
            'Ruleset',
          ),
        }),
    [`GET ${entryPoint}`]: read('getEntryPoint', 'Get the entry point of a phase', 'Ruleset'),
    [`PUT ${entryPoint}`]: write(
      'updateEntryPoint',
      'Replace or create the entry point of a phase',
      'EntryPointUpdate',
    ),
    [`GET ${entryPoint}/versions`]: read(
      'listEntryPointVersions',
      'List the versions of an entry point',
      'list:RulesetSummary',
    ),
    [`GET ${entryPoint}/versions/:version`]: read(
      'getEntryPointVersion',
      'Get a version of an entry point',
      'Ruleset',
    ),
  }
}

function listOperations(): Record<string, Operation> {
  const base = `${account}/rules/lists`
  const one = (id: string, summary: string, level: Level, result: string, body?: string): Operation => ({
    id,
    tag: 'Lists',
    summary,
    need: ['accountLists', level],
    result,
    ...(body === undefined ? {} : { body }),
  })
  return {
    [`GET ${base}`]: one('listLists', 'List the lists', 'read', 'list:List'),
    [`POST ${base}`]: one('createList', 'Create a list', 'write', 'List'),
    [`GET ${base}/:list_id`]: one('getList', 'Get a list', 'read', 'List'),
    [`PUT ${base}/:list_id`]: one('updateList', 'Change the description of a list', 'write', 'List'),
    [`DELETE ${base}/:list_id`]: one('deleteList', 'Delete a list with its items', 'write', 'Id'),
    [`GET ${base}/:list_id/items`]: one('listItems', 'List the items of a list', 'read', 'list:ListItem'),
    [`POST ${base}/:list_id/items`]: one(
      'addItems',
      'Add items to a list',
      'write',
      'OperationId',
      'ListItemsInput',
    ),
    [`PUT ${base}/:list_id/items`]: one(
      'replaceItems',
      'Replace all items of a list',
      'write',
      'OperationId',
      'ListItemsInput',
    ),
    [`DELETE ${base}/:list_id/items`]: one(
      'deleteItems',
      'Take items from a list',
      'write',
      'OperationId',
      'ListItemIds',
    ),
    [`GET ${base}/:list_id/items/:item_id`]: one('getItem', 'Get an item of a list', 'read', 'ListItem'),
    [`GET ${base}/bulk_operations/:operation_id`]: one(
      'getListOperation',
      'How far a change of items is',
      'read',
      'ListOperation',
    ),
  }
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
