import type { Operation } from './openapi-operation.ts'
import type { Area, Level } from './permissions-groups.ts'

/** @param base path of an account or a zone */
export function rulesetOperations(base: string, at: 'Account' | 'Zone'): Record<string, Operation> {
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

/** @param account path of an account */
export function listOperations(account: string): Record<string, Operation> {
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

/** @param account path of an account @param zone path of a zone */
export function crsOperations(account: string, zone: string): Record<string, Operation> {
  return {
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
  }
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

/** @param zone path of a zone */
export function shadowOperations(zone: string): Record<string, Operation> {
  return {
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
  }
}
