import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'

/** A release in miniature, written for tests: the CRS itself is never part of this repository. */
export function miniRelease(
  version: string,
  changes: Readonly<Record<string, string>> = {},
): Map<string, string> {
  return new Map(
    Object.entries({
      'crs-setup.conf.example': `SecDefaultAction "phase:1,log,pass"
SecDefaultAction "phase:2,log,pass"
SecAction "id:900990,phase:1,nolog,pass,setvar:tx.crs_setup_version=1"
`,
      LICENSE: 'text',
      'rules/REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf.example': 'Not SecLang',
      'rules/REQUEST-901-INITIALIZATION.conf': `# signs itself
SecComponentSignature "OWASP_CRS/${version}"
SecRule &TX:crs_setup_version "@eq 0" "id:901001,phase:1,deny,status:500,log,msg:'no setup'"
`,
      'rules/REQUEST-913-SCANNERS.conf': `SecRule REQUEST_HEADERS:User-Agent "@pmFromFile scanners.data" "id:913100,phase:1,block,\\
    msg:'Scanner',tag:'attack-scanner',tag:'OWASP_CRS',tag:'paranoia-level/1',severity:CRITICAL"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 4" "id:913018,phase:2,pass,nolog,skipAfter:END-913"
SecRule ARGS "@contains level-four" "id:913190,phase:2,block,msg:'Level four',\\
    tag:'OWASP_CRS',tag:'paranoia-level/4',severity:WARNING"
SecMarker END-913
`,
      'rules/scanners.data': 'nikto\nsqlmap\n',
      'rules/REQUEST-949-BLOCKING-EVALUATION.conf': `SecRule REQUEST_HEADERS:User-Agent "@contains nikto" \\
    "id:949110,phase:2,deny,log,msg:'Blocked'"
`,
      ...changes,
    }),
  )
}

export async function writeTree(directory: string, files: ReadonlyMap<string, string>): Promise<string> {
  for (const [name, text] of files) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text, 'latin1')
  }
  return directory
}

/** @param folder every path begins with it, as in upstream's archives; may be empty */
export function archiveOf(files: ReadonlyMap<string, string>, folder: string): Buffer {
  const blocks: Buffer[] = []
  for (const [name, text] of files) {
    const content = Buffer.from(text, 'latin1')
    const header = Buffer.alloc(512)
    new Header({ path: folder + name, type: 'File', mode: 0o644, size: content.length }).encode(header)
    blocks.push(header, content, Buffer.alloc((512 - (content.length % 512)) % 512))
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}
