import { knownFailures } from '../../conformance/terraform/known-failures.ts'
import { lifecycles } from '../../conformance/terraform/lifecycles.ts'
import { code, part, table } from './markdown.ts'

/** The resources that `npm run test:terraform` tries, and the steps that do not pass. */
export function terraformPart(): string {
  const resources = [...new Set(Object.keys(lifecycles).map(name => name.split('/')[0]!))].sort()
  return part('conformance/terraform', [
    `These resources are created, changed, imported and destroyed: ${resources.map(name => code(`cloudflare_${name}`)).join(', ')}. The provider cannot import \`cloudflare_logpush_ownership_challenge\`.`,
    "Of the provider's 108 steps for rulesets, 84 pass, and all 108 with `SLUICE_NOT_ENFORCED=keep`. These steps do not pass. With `keep`, [most of them](rulesets.md#not-enforced) do: their settings are stored and returned, and do nothing. Any other failure fails the run.",
    table(
      ['Steps', 'With `keep`', 'Reason'],
      knownFailures.map(({ steps, passesWhenKept, reason }) => [
        code(steps),
        passesWhenKept ? 'passes' : 'fails',
        reason,
      ]),
    ),
  ])
}
