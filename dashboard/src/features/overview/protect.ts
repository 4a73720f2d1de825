import { call } from '../../api/client.ts'
import { managedPhase, owaspRulesetId } from '../../managed/document.ts'

/** Deploys the managed OWASP ruleset, as it is, to a zone that has no rules yet. */
export async function protect(zoneId: string): Promise<void> {
  await call('PUT /zones/{zone_id}/rulesets/phases/{phase}/entrypoint', {
    path: { zone_id: zoneId, phase: managedPhase },
    body: {
      rules: [
        {
          action: 'execute',
          expression: 'true',
          action_parameters: { id: owaspRulesetId, version: 'latest' },
        },
      ],
    },
  })
}
