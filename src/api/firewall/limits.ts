import { limit, limits } from '../../kit/limits.ts'

export const accessRuleRequestLimits = limits('Access rules', {
  accessRulesPerPageMax: limit(1000, 'count', 'IP access rules of one page; more asked → 400.'),
  accessRuleCharactersMax: limit(
    1024,
    'characters',
    'Notes, and values, of an IP access rule; longer → 400.',
  ),
})

export const zoneFirewallLimits = limits('Lockdowns and user agent rules', {
  userAgentRulesMax: limit(
    1000,
    'count',
    "User agent rules of a zone (Cloudflare's own largest limit); one more → 400.",
  ),
  lockdownsMax: limit(200, 'count', "Lockdowns of a zone (Cloudflare's own largest limit); one more → 400."),
  lockdownUrlsMax: limit(100, 'count', 'URLs of a lockdown; more → 400.'),
  lockdownAddressesMax: limit(1000, 'count', 'Addresses and ranges of a lockdown; more → 400.'),
  firewallTextCharactersMax: limit(
    1024,
    'characters',
    'Description, user agent or URL of such a rule; longer → 400.',
  ),
})
