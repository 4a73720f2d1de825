import { knownFailures } from '../../conformance/terraform/known-failures.ts'
import { lifecycles } from '../../conformance/terraform/lifecycles.ts'
import { code, page, table } from './markdown.ts'

const use = `Sluice works with Cloudflare's official provider and OpenTofu or Terraform. Point the provider at the API, with an [API token](api.md):

\`\`\`hcl
provider "cloudflare" {
  base_url  = "http://127.0.0.1:8787/client/v4"
  api_token = var.api_token
}
\`\`\`

The environment variables \`CLOUDFLARE_BASE_URL\` and \`CLOUDFLARE_API_TOKEN\` do the same.`

const checked = `\`npm run test:terraform\` applies configurations to a started Sluice: those of the provider's own tests, where they are beside the checkout, and those in \`conformance/terraform/resources\`. It uses \`tofu\` or \`terraform\` from the path where there is no other, and names select configurations. After each step, the next plan must be empty. The project's own configurations are then imported, planned, destroyed and read from the API. Wrong configurations must print the place and the fix.`

const failing = `Of the provider's 108 steps for rulesets, 84 pass, and all 108 with \`SLUICE_NOT_ENFORCED=keep\`. These steps do not pass. With \`keep\`, [most of them](rulesets.md#not-enforced) do: their settings are stored and returned, and do nothing. Any other failure fails the run.`

/** `docs/reference/terraform.md`. */
export function terraformPage(): string {
  const resources = [...new Set(Object.keys(lifecycles).map(name => name.split('/')[0]!))].sort()
  return page('Terraform', 'conformance/terraform', [
    use,
    '## Resources',
    `These resources are created, changed, imported and destroyed: ${resources.map(name => code(`cloudflare_${name}`)).join(', ')}. The provider cannot import \`cloudflare_logpush_ownership_challenge\`. [Coverage](coverage.md) has the status of every resource.`,
    '## How it is checked',
    checked,
    '## Steps that fail',
    failing,
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
