import { limit, limits, tuning } from '../../kit/limits.ts'

export const accessLimits = limits('API', {
  auditPerPageMax: limit(1000, 'count', 'Entries of one page of the audit trail; more asked → 400.'),
  auditPerPageDefault: limit(
    100,
    'count',
    'Entries of a page of the audit trail when `per_page` is not given.',
  ),
  tokenUseNotedMs: limit(
    60_000,
    'ms',
    'Precision of the time at which a token was last used, so that a busy token does not cause a write for each request.',
  ),
  tokenPoliciesMax: limit(50, 'count', 'Policies of one token; more → 400.'),
  policyGroupsMax: limit(100, 'count', 'Permission groups of one policy; more → 400.'),
  policyResourcesMax: limit(
    1000,
    'count',
    'Resources of one policy, those inside others included; more → 400.',
  ),
  conditionBlocksMax: limit(100, 'count', "CIDR blocks in each list of a token's condition; more → 400."),
})

export const signInLimits = limits('Failed sign-ins', {
  failuresFree: limit(
    10,
    'count',
    'Failed sign-ins of one address in a minute that are answered at once. An IPv6 /64 counts as one address.',
  ),
  delayMs: limit(1000, 'ms', 'Delay of the answer to each further failed sign-in.'),
  attemptsMax: limit(
    100,
    'count',
    'Sign-ins of one address with new credentials that may be in progress; more → 429.',
  ),
  suspectAttemptsMax: limit(10, 'count', 'The same limit while failed sign-ins of the address are delayed.'),
  networksKept: tuning(
    10_000,
    'count',
    'Addresses whose failures are counted; beyond it, the one counted longest is forgotten.',
  ),
  goodMs: limit(
    10 * 60 * 1000,
    'ms',
    'Time for which credentials that were correct are exempt from these limits.',
  ),
  goodKept: tuning(
    10_000,
    'count',
    'Correct credentials that are remembered; beyond it, the oldest are forgotten.',
  ),
})
