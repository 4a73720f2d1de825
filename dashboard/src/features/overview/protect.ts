import { call } from '../../api/client.ts'
import { managedPhase, owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'

/** Deploys the OWASP managed ruleset with defaults to a zone without rules. */
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
