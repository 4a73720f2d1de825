import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Earlier ids of OWASP rules, and the public ids that the rules have since. */
const renamed: readonly (readonly [before: string, after: string])[] = [
  ['0e117c4cb126e6fdc7c35d813df7dbf4', '8ac8bc2a661e475d940980f9317f28e1'],
  ['8e09af754f17636dd666c35113dc8333', '1ba7e9fcfa5841559dc4b7a89447c501'],
  ['b1756f44f1b14365f23e952b496163e8', '4d887b5914c64b209697214d2059fd73'],
  ['27534d0ec3ebfca3814c6bd8bdc39951', 'ad801cbf1e434f849dd076ec44550b20'],
  ['a50a5c961b7072a3efec413c65bbd3b4', '596955b6baec4d4ba2a3f509956b7490'],
  ['70d3c714aa984f42c686d14c3e7b8db4', '405028a67bf44e56b896558f6e8a82b0'],
  ['d8e137d96fa57d7cae0d8a837bda8e0a', '753c98e3a15f4a389ea0b196c91b7247'],
  ['4b34b86e374bbc8866d60714d842d92b', '6afe6795ee6a48d6a1dfe59255395a78'],
  ['afee84560e6432c1efe407709fef8097', '5a6f5a57cde8428ab0668ce17cdec0c8'],
  ['4242241efb9f33b5f40140f5999a9465', '5e4903d6afa841c9b88b96203297003f'],
  ['8fc29fc4fcd6a7a089d6942bfe8f7876', 'd12ad6d1bc0c42b3affe0cee682bb405'],
]

/** Texts that name rules of managed rulesets. */
const texts = [
  ['crs_managed_rulesets', 'document'],
  ['rulesets', 'rules'],
  ['ruleset_versions', 'rules'],
  ['shadows', 'document'],
] as const

/** Rules of the OWASP ruleset whose ids at Cloudflare are public have these ids. */
export async function publicRuleIds(db: Kysely<Schema>): Promise<void> {
  for (const [table, column] of texts)
    for (const [before, after] of renamed)
      await sql
        .raw(
          `update ${table} set ${column} = replace(${column}, '${before}', '${after}')
           where ${column} like '%${before}%'`,
        )
        .execute(db)
}
