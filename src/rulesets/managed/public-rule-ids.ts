/**
 * Cloudflare's ids of rules of its OWASP ruleset by CRS number, so that overrides and exceptions written for Cloudflare
 * name the same rules here. Cloudflare's ids of other rules were never published beside their numbers.
 * @source Cloudflare's API reference (911100) and the descriptions of security events
 */
export const publicRuleIds: ReadonlyMap<number, string> = new Map([
  [911100, '8ac8bc2a661e475d940980f9317f28e1'],
  [920230, '1ba7e9fcfa5841559dc4b7a89447c501'],
  [920300, '4d887b5914c64b209697214d2059fd73'],
  [920320, 'ad801cbf1e434f849dd076ec44550b20'],
  [920420, '596955b6baec4d4ba2a3f509956b7490'],
  [932115, '405028a67bf44e56b896558f6e8a82b0'],
  [932200, '753c98e3a15f4a389ea0b196c91b7247'],
  [942260, '6afe6795ee6a48d6a1dfe59255395a78'],
  [942370, '5a6f5a57cde8428ab0668ce17cdec0c8'],
  [942430, '5e4903d6afa841c9b88b96203297003f'],
  [942440, 'd12ad6d1bc0c42b3affe0cee682bb405'],
])
