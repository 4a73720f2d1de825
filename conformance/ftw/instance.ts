import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inForce } from '../../test/support/in-force.ts'
import { api, type Instance, startSluice } from '../../test/support/sluice.ts'
import { startBackend } from './backend.ts'

/** A running Sluice with the setup that the tests of the CRS need. */
export interface SuiteInstance {
  readonly edgePort: number
  /** Path of the audit log; every request is in it. */
  readonly auditLog: string
  close(): Promise<void>
}

/**
 * @param crs directory of the tests' release
 * @param rules SecLang after the test setup
 */
export async function startForSuite(
  crs: string,
  rules = '',
  settings: Readonly<Record<string, string>> = {},
): Promise<SuiteInstance> {
  const work = await mkdtemp(join(tmpdir(), 'sluice-ftw-'))
  const backend = await startBackend()
  const auditLog = join(work, 'audit.log')
  const setup = join(work, 'setup.conf')
  await writeFile(
    setup,
    `${testSetup()}\n${rules}\n${await readFile(join(crs, 'crs-setup.conf.example'), 'utf8')}`,
  )
  const sluice = await startSluice({
    data: join(work, 'data'),
    settings: {
      SLUICE_CRS: crs,
      SLUICE_CRS_SETUP: setup,
      SLUICE_AUDIT_LOG: auditLog,
      SLUICE_AUDIT_LOG_MODE: 'all',
      SLUICE_DEFAULT_ZONE: 'localhost',
      ...settings,
    },
  })
  const close = async () => {
    await sluice.stop()
    backend.close()
    await rm(work, { recursive: true, force: true })
  }
  try {
    await deploy(sluice, backend.url)
  } catch (error) {
    await close()
    throw error
  }
  return { edgePort: sluice.edgePort, auditLog, close }
}

/** The settings of the CRS project's test setup before crs-setup.conf. */
function testSetup(): string {
  const settings = [
    'tx.blocking_paranoia_level=4',
    'tx.crs_validate_utf8_encoding=1',
    'tx.arg_name_length=100',
    'tx.arg_length=400',
    'tx.total_arg_length=64000',
    'tx.max_num_args=255',
    'tx.max_file_size=64100',
    'tx.combined_file_sizes=65535',
  ]
  return `SecAction "id:900005,phase:1,nolog,pass,ctl:ruleEngine=DetectionOnly,ctl:ruleRemoveById=910000,${settings.map(setting => `setvar:${setting}`).join(',')}"`
}

/** Both managed rulesets with action log, as DetectionOnly needs, in front of the backend. */
async function deploy(instance: Instance, origin: string): Promise<void> {
  const zone = (await api(instance, 'GET', '/zones?name=localhost')).result[0]
  await must(api(instance, 'PATCH', `/zones/${zone.id}`, { origin: { url: origin } }))
  const rulesets = (await must(api(instance, 'GET', `/accounts/${zone.account.id}/rulesets`))).result
  for (const phase of ['http_request_firewall_managed', 'http_response_firewall_managed']) {
    const managed = rulesets.find(
      (ruleset: { phase: string; kind: string }) => ruleset.phase === phase && ruleset.kind === 'managed',
    )
    const rule = {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: managed.id, overrides: { action: 'log' } },
    }
    await must(
      api(instance, 'PUT', `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules: [rule] }),
    )
  }
  // Numbers in a runner's marks could be taken for card numbers.
  const redaction = `/zones/${zone.id}/logs/control/redaction`
  await must(api(instance, 'PUT', redaction, { card_numbers: false }))
  await inForce(instance)
}

async function must(call: ReturnType<typeof api>): ReturnType<typeof api> {
  const answer = await call
  if (!answer.success) throw new Error(`the set-up was refused: ${JSON.stringify(answer.errors)}`)
  return answer
}
