import { limit, limits } from '../../kit/limits.ts'

export const accessRuleRequestLimits = limits('Access rules', {
  accessRulesPerPageMax: limit(1000, 'count', 'IP access rules of one page; more asked → 400.'),
  accessRuleCharactersMax: limit(
    1024,
    'characters',
    'Notes, and values, of an IP access rule; longer → 400.',
  ),
})
