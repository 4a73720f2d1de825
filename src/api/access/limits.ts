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

export const passwordLimits = limits('Users and sign-ins', {
  charactersMin: limit(12, 'characters', 'A new password; shorter → 400.'),
  charactersMax: limit(256, 'characters', 'A password; longer → 400.'),
  codeCharactersMax: limit(64, 'characters', 'A one-time code or recovery code; longer → 400.'),
  waitingMax: limit(100, 'count', 'Passwords that wait for their check, which is one at a time; more → 429.'),
  wrongCodesMax: limit(5, 'count', 'Wrong one-time codes with the right password; more → 429 for a while.'),
  wrongCodesMs: limit(15 * 60_000, 'ms', 'That while, from the first of them on.'),
})

export const sessionLimits = limits('Users and sign-ins', {
  idleMs: limit(12 * 3_600_000, 'ms', 'Time without a request after which a session ends.'),
  lifeMs: limit(7 * 86_400_000, 'ms', 'Time after which every session ends.'),
  useNotedMs: tuning(60_000, 'ms', 'Precision of the time at which a session was last used.'),
  agentCharactersKept: tuning(300, 'characters', 'Length of a stored User-Agent.'),
})

export const oidcLimits = limits('Users and sign-ins', {
  pendingMs: limit(10 * 60_000, 'ms', 'Time for which a sign-in at the identity provider may take.'),
  pathCharactersMax: limit(
    2000,
    'characters',
    'Path of the dashboard that a sign-in leads to; longer → 400.',
  ),
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
