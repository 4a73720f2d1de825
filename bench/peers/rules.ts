import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Level, Release } from '../support/program.ts'

/** Demands a refusal, so that the bench can see that the rules are active. */
export const probeHeader = 'X-Bench-Probe: on'

/** Rules that a bench adds to a release. */
export interface OwnRules {
  readonly directives: string
  /** Follows the setup of the release. */
  readonly setup: string
}

/** The rules are evaluated and refuse nothing, without any log. */
export const detectionOnly: OwnRules = {
  directives: `SecRuleEngine DetectionOnly
SecAuditEngine Off
SecRule REQUEST_HEADERS:X-Bench-Probe "@streq on" "id:100,phase:1,pass,nolog,t:none,ctl:ruleEngine=On"`,
  setup: '',
}

/**
 * Writes a release below `directory` for ModSecurity or Coraza, as the edge loads it, with a paranoia level.
 * @returns path of the file to include
 */
export async function writeRules(
  release: Release,
  level: Level,
  directory: string,
  own: OwnRules,
): Promise<string> {
  for (const { name, text } of release.files) {
    const path = join(directory, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, 'latin1')
  }
  const names = new Set(release.files.map(file => file.name))
  const setup = names.has('crs-setup.conf') ? 'crs-setup.conf' : 'crs-setup.conf.example'
  const main = join(directory, 'main.conf')
  const paths = { setup: join(directory, setup), rules: join(directory, 'rules/*.conf') }
  await writeFile(main, mainRules(paths, level, directory, own))
  return main
}

function mainRules(
  { setup, rules }: { readonly setup: string; readonly rules: string },
  level: Level,
  directory: string,
  own: OwnRules,
): string {
  return String.raw`${own.directives}
SecRequestBodyAccess On
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 1048576
SecResponseBodyAccess Off
SecDebugLogLevel 0
SecTmpDir ${directory}
SecDataDir ${directory}
SecRule REQUEST_HEADERS:Content-Type "@rx ^(?:application(?:/soap\+|/)|text/)xml" \
    "id:200000,phase:1,pass,nolog,t:none,t:lowercase,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "@rx ^application/json" \
    "id:200001,phase:1,pass,nolog,t:none,t:lowercase,ctl:requestBodyProcessor=JSON"
SecRule REQBODY_ERROR "!@eq 0" "id:200002,phase:2,deny,status:400,nolog,t:none"
Include ${setup}
SecAction "id:200900,phase:1,pass,nolog,t:none,\
    setvar:tx.blocking_paranoia_level=${level},setvar:tx.detection_paranoia_level=${level},\
    setvar:tx.paranoia_level=${level},setvar:tx.executing_paranoia_level=${level}"
${own.setup}
Include ${rules}
`
}
